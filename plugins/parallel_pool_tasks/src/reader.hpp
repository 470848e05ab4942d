// Reads a program from its text, and refuses what could reach other memory or mean nothing: the
// text may come from a file or a state that is damaged or made up. What depends on the model is
// checked where an environment is made (fields.hpp, members.hpp, queries.hpp).
//
// The text has one thing in a line, in the order of read(); python/parallel_pool_tasks/program
// writes it.
#ifndef PARALLEL_POOL_TASKS_READER_HPP_
#define PARALLEL_POOL_TASKS_READER_HPP_

#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <map>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "parallel_pool/per_process.hpp"
#include "program.hpp"

namespace tasks {

class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text) {}

  // Throws std::invalid_argument that names the line of the text and the word in it.
  Program read() {
    expect_line("parallel-pool-tasks");
    if (whole("version", 0, 1000) != 1) fail("expected version 1: it is of another release");
    expect_line("generator");
    const std::string_view generator = word("generator");
    program_.random_state = generator == "RandomState";
    if (!program_.random_state && generator != "Generator") {
      fail("expected Generator or RandomState");
    }
    expect_line("registers");
    program_.registers = whole("count", 1, most_registers);
    program_.initial.assign(program_.registers, 0.0);
    expect_line("kept");
    program_.kept_first = whole("first", 0, program_.registers);
    program_.kept_count = whole("count", 0, program_.registers - program_.kept_first);
    next_line();
    if (name_ == "tunables") {
      program_.tunables = whole("count", 1, program_.kept_count);
      next_line();
    }
    expect_name("action");
    program_.action = kind("dtype");
    if (program_.action > Kind::float32) fail("expected float64 or float32");
    while (next_line() && name_ == "bound") {
      Bounds bounds{};
      bounds.low = number("low");
      bounds.high = number("high");
      if (!(bounds.low <= bounds.high)) fail("expected a number not below the first");
      program_.bounds.push_back(bounds);
    }
    for (; name_ == "source"; next_line()) {
      program_.sources.emplace_back(rest());
    }
    for (; name_ == "constant"; next_line()) {
      const size_t at = whole("register", 0, program_.registers - 1);
      program_.initial[at] = number("value");
    }
    for (; name_ == "observation"; next_line()) program_.observations.push_back(shown());
    for (; name_ == "info"; next_line()) program_.infos.push_back(shown());
    if (program_.observations.empty()) fail("expected a line 'observation'");
    if (program_.sources.empty() || program_.sources.size() > 0xffff) fail("expected sources");
    read_part("reset", program_.reset, "step");
    read_part("step", program_.step, "end");
    if (left() != 0) fail("expected nothing behind 'end'");
    return std::move(program_);
  }

 private:
  static constexpr size_t most_registers = 1u << 20;
  static constexpr size_t most_dims = 8;
  static constexpr int64_t most_rounds = 1'000'000;  // the most that nested loops make in sum

  // ---- lines and words ------------------------------------------------------------------------

  size_t left() const { return text_.size() - at_; }

  // Goes to the next line and takes its first word. Throws where the text ends.
  bool next_line() {
    if (line_ > 0 && !words_.empty()) fail("expected nothing more in this line");
    ++line_;
    word_ = 0;
    if (left() == 0) {
      name_ = {};
      fail("the text ends too early");
    }
    const size_t end = text_.find('\n', at_);
    const size_t stop = end == std::string_view::npos ? text_.size() : end;
    words_ = text_.substr(at_, stop - at_);
    at_ = end == std::string_view::npos ? stop : stop + 1;
    name_ = word("name");
    return true;
  }
  void expect_line(std::string_view name) {
    next_line();
    expect_name(name);
  }
  void expect_name(std::string_view name) {
    if (name_ != name) fail("expected the line '" + std::string(name) + "'");
  }
  std::string_view word(const char* what) {
    ++word_;
    what_ = what;
    const size_t end = words_.find(' ');
    current_ = words_.substr(0, end);
    words_ = end == std::string_view::npos ? std::string_view{} : words_.substr(end + 1);
    if (current_.empty()) fail("expected a word");
    return current_;
  }
  std::string_view rest() {
    ++word_;
    what_ = "name";
    current_ = std::exchange(words_, {});
    if (current_.empty()) fail("expected a name");
    return current_;
  }

  [[noreturn]] void fail(const std::string& why) const {
    throw std::invalid_argument("the program is damaged or made up: line " + std::to_string(line_) +
                                (name_.empty() ? "" : " ('" + std::string(name_) + "')") +
                                ", word " + std::to_string(word_) + " (" + what_ + ") is '" +
                                std::string(current_.substr(0, 40)) + "': " + why);
  }

  // ---- numbers ----------------------------------------------------------------------------------

  // The digits from `begin` to the end of a word.
  uint64_t digits(std::string_view text, uint64_t low, uint64_t high) const {
    uint64_t value = 0;
    const char* const end = text.data() + text.size();
    // NOLINTNEXTLINE(bugprone-suspicious-stringview-data-usage): `end` says where it ends
    const auto [stop, error] = std::from_chars(text.data(), end, value);
    if (text.empty() || error != std::errc() || stop != end || value < low || value > high) {
      fail("expected a whole number, " + std::to_string(low) + " .. " + std::to_string(high));
    }
    return value;
  }
  size_t whole(const char* what, uint64_t low, uint64_t high) {
    return static_cast<size_t>(digits(word(what), low, high));
  }
  double number(const char* what) {
    const std::string text(word(what));
    char* end = nullptr;
    const double value = std::strtod(text.c_str(), &end);
    if (end != text.c_str() + text.size() || text.front() == ' ') fail("expected a number");
    return value;
  }
  Kind kind(const char* what) {
    const std::string_view name = word(what);
    for (size_t i = 0; i < std::size(kind_names); ++i) {
      if (kind_names[i] == name) return static_cast<Kind>(i);
    }
    fail("expected float64, float32, int64 or bool");
  }

  // ---- declarations -----------------------------------------------------------------------------

  Shown shown() {
    Shown result;
    const bool observed = name_ == "observation";
    result.name = word("name");
    if (result.name == "-") {
      if (!observed) fail("an info has a name");
      result.name.clear();
    }
    for (const Shown& other : observed ? program_.observations : program_.infos) {
      if (other.name == result.name || (observed && (other.name.empty() || result.name.empty()))) {
        fail("expected another name than before");
      }
    }
    result.kind = kind("dtype");
    while (!words_.empty()) {
      const size_t size = whole("size", 1, most_registers / result.size);
      result.size *= size;
      result.shape.push_back(static_cast<int64_t>(size));
    }
    if (result.shape.size() > most_dims) fail("expected at most 8 sizes");
    return result;
  }

  // ---- instructions -----------------------------------------------------------------------------

  void read_part(std::string_view name, std::vector<Instruction>& part, std::string_view next) {
    expect_name(name);
    std::vector<size_t> observed(program_.observations.size());
    std::vector<size_t> informed(program_.infos.size());
    while (next_line() && name_ != next) {
      part.push_back(instruction());
      block(part);
      const Instruction& each = part.back();
      if (each.op == Op::action) {
        if (&part == &program_.reset) fail("a reset has no action");
        if (each.count != program_.bounds.size()) fail("the action has another size");
      }
      if (each.op == Op::write_model || each.op == Op::set_const) {
        if (&part == &program_.step) fail("a step does not write the model");
        // A state has the numbers written, from which the rest follows.
        if (program_.sets_constants) fail("the model is as it is behind set_const");
        program_.sets_constants = each.op == Op::set_const;
        if (program_.sets_constants && !blocks_.empty()) fail("a block cannot hold set_const");
      }
      if (each.op != Op::observation && each.op != Op::info) continue;
      size_t& written = (each.op == Op::observation ? observed : informed)[each.place];
      if (each.first != written) fail("expected number " + std::to_string(written) + " to be next");
      written += each.count;
    }
    if (!blocks_.empty()) fail("a block does not end before this line");
    // A row is the pool's memory, which has other numbers before.
    expect_whole(program_.observations, observed);
    expect_whole(program_.infos, informed);
  }
  void expect_whole(const std::vector<Shown>& shown, const std::vector<size_t>& written) const {
    for (size_t i = 0; i < shown.size(); ++i) {
      if (written[i] != shown[i].size) {
        fail("'" + shown[i].name + "' has " + std::to_string(shown[i].size) + " numbers, and " +
             std::to_string(written[i]) + " are written before this line");
      }
    }
  }

  // Finds both ends of each block.
  void block(std::vector<Instruction>& part) {
    Instruction& each = part.back();
    const auto here = static_cast<uint32_t>(part.size() - 1);
    switch (each.op) {
      case Op::until:
      case Op::repeat:
        rounds_ *= each.number;
        if (rounds_ > most_rounds) {
          fail("loops within each other take more than " + std::to_string(most_rounds) + " rounds");
        }
        [[fallthrough]];
      case Op::when:
        each.depth = static_cast<uint32_t>(blocks_.size());
        blocks_.push_back(here);
        if (program_.depth < blocks_.size()) program_.depth = blocks_.size();
        return;
      case Op::end_when:
      case Op::end_until:
      case Op::end_repeat: {
        // An end is the operation behind its beginning (ops.hpp).
        if (blocks_.empty() ||
            static_cast<int>(part[blocks_.back()].op) + 1 != static_cast<int>(each.op)) {
          fail("no block of this kind is to be ended here");
        }
        Instruction& begin = part[blocks_.back()];
        if (begin.op != Op::when) rounds_ /= begin.number;
        begin.other = here;
        each.other = blocks_.back();
        each.depth = begin.depth;
        each.number = begin.number;
        blocks_.pop_back();
        return;
      }
      case Op::observation:
      case Op::info:
      case Op::reward:
      case Op::terminated:
        if (!blocks_.empty()) fail("a block cannot hold results, which are always due");
        return;
      default:
        return;
    }
  }

  Instruction instruction() {
    Instruction result{};
    result.op = operation();
    result.kind = kind("dtype");
    result.count = 1;
    for (const char letter : op_rows[static_cast<size_t>(result.op)].form) {
      operand(letter, result);
    }
    const bool of_numpy = static_cast<size_t>(result.op) - first_of_numpy < numpy_count;
    if ((of_numpy || result.op == Op::matmul) && result.kind > Kind::float32) {
      fail("expected the dtype float64 or float32");
    }
    result.source = static_cast<uint16_t>(whole("source", 0, program_.sources.size() - 1));
    result.line = static_cast<uint32_t>(whole("line", 0, std::numeric_limits<int32_t>::max()));
    return result;
  }
  Op operation() const {
    for (size_t i = 0; i < op_count; ++i) {
      if (op_rows[i].name == name_) return static_cast<Op>(i);
    }
    fail("there is no operation of that name");
  }

  void operand(char letter, Instruction& into) {
    switch (letter) {
      case 'n':
        into.count = static_cast<uint32_t>(whole("count", 1, most_registers));
        break;
      case 'D':
        into.to = registers("result", into.count);
        break;
      case 'd':
        into.to = registers("result", 1);
        break;
      case 's':
        into.from[0] = registers("operand", 1);
        break;
      case 'a':
        into.from[0] = registers("operand", into.count);
        break;
      case 'A':
      case 'B':
      case 'C':
        either(into, static_cast<size_t>(letter - 'A'));
        break;
      case 'k':
        into.number = static_cast<int64_t>(whole("number", 1, 10000));
        break;
      case 'x':
        for (uint32_t& size : into.sizes) {
          size = static_cast<uint32_t>(whole("size", 1, most_registers));
        }
        break;
      case 'R':
        into.to = product_of("result", into.sizes[0], into.sizes[2]);
        break;
      case 'P':
        into.from[0] = product_of("operand", into.sizes[0], into.sizes[1]);
        break;
      case 'Q':
        into.from[1] = product_of("operand", into.sizes[1], into.sizes[2]);
        break;
      case 't':
        into.turned = static_cast<uint32_t>(whole("order", 0, 3));
        break;
      case 'w':
        into.number = static_cast<int64_t>(whole("rows", 1, most_registers));
        break;
      case 'G':
        into.from[1] = product_of("table", into.count, static_cast<size_t>(into.number));
        break;
      case 'g':
        // The second one is the last that is read.
        into.place = into.first;
        into.first = geoms();
        break;
      case 'Y':
        into.to = registers("result", 2 * size_t{into.count});
        break;
      case 'V':
      case 'W':
        either(into, static_cast<size_t>(letter - 'V'), 3);
        break;
      case 'e':
        into.number = static_cast<int64_t>(whole("number", 0, most_registers));
        break;
      case 'm':
        into.turned = static_cast<uint32_t>(whole("bits", 0, 127));
        break;
      case 'S':
        into.to = registers("result", 6);
        break;
      case 'o':
        object(into);
        break;
      case 'F':
        array(into, program_.fields);
        break;
      case 'M':
        array(into, program_.members);
        break;
      case 'O':
        place(into, program_.observations);
        break;
      case 'I':
        place(into, program_.infos);
        break;
      default:
        throw std::logic_error("ops.hpp has a letter that the reader does not know");
    }
  }
  // Both are at most most_registers.
  uint32_t product_of(const char* what, size_t rows, size_t columns) {
    return registers(what, rows * columns);
  }
  uint32_t registers(const char* what, size_t count) { return registers_in(word(what), count); }
  uint32_t registers_in(std::string_view text, size_t count) {
    if (text.front() != 'r') fail("expected a register, such as r7");
    if (count > program_.registers) fail("there are not so many registers");
    return static_cast<uint32_t>(digits(text.substr(1), 0, program_.registers - count));
  }
  // Some numbers for each of the count, or one time for all.
  void either(Instruction& into, size_t which, size_t width = 1) {
    std::string_view text = word("operand");
    const bool one = text.back() == '*';
    if (one) text.remove_suffix(1);
    if (text.empty()) fail("expected a register, such as r7");
    into.stride[which] = one ? 0 : 1;
    into.from[which] = registers_in(text, width * (one ? 1 : into.count));
  }
  uint32_t geoms() {
    std::string_view text = word("geoms");
    std::vector<uint32_t> set;
    while (text != "*" && !text.empty()) {
      const std::string_view one = text.substr(0, text.find(','));
      set.push_back(static_cast<uint32_t>(digits(one, 0, most_registers)));
      text.remove_prefix(one.size());
      if (!text.empty()) text.remove_prefix(1);
    }
    size_t i = 0;
    while (i < program_.geoms.size() && program_.geoms[i] != set) ++i;
    if (i == program_.geoms.size()) program_.geoms.push_back(set);
    return static_cast<uint32_t>(i);
  }
  void object(Instruction& into) {
    const std::string_view text = word("thing");
    const size_t colon = text.find(':');
    size_t i = 0;
    while (i < std::size(object_kinds) && object_kinds[i].name != text.substr(0, colon)) ++i;
    if (i == std::size(object_kinds) || colon == std::string_view::npos) {
      fail("expected a thing, such as site:3");
    }
    into.place = static_cast<uint32_t>(i);
    into.first = static_cast<uint32_t>(digits(text.substr(colon + 1), 0, most_registers));
  }
  // A word such as "qpos+2": the name, and the number behind it.
  std::pair<std::string_view, uint32_t> split(const char* what, uint64_t most) {
    const std::string_view text = word(what);
    const size_t plus = text.rfind('+');
    if (plus == std::string_view::npos || plus == 0) fail("expected a place, such as qpos+2");
    return {text.substr(0, plus), static_cast<uint32_t>(digits(text.substr(plus + 1), 0, most))};
  }
  void array(Instruction& into, std::vector<std::string>& known) {
    const auto [name, first] = split("field", most_registers);
    size_t i = 0;
    while (i < known.size() && known[i] != name) ++i;
    if (i == known.size()) known.emplace_back(name);
    into.place = static_cast<uint32_t>(i);
    into.first = first;
  }
  void place(Instruction& into, const std::vector<Shown>& shown) {
    const auto [name, first] = split("place", most_registers);
    const uint64_t which = digits(name, 0, shown.empty() ? 0 : shown.size() - 1);
    if (shown.empty()) fail("there is no such array");
    if (first + uint64_t{into.count} > shown[which].size) {
      fail("the array has " + std::to_string(shown[which].size) + " numbers");
    }
    into.place = static_cast<uint32_t>(which);
    into.first = first;
  }

  const std::string_view text_;
  size_t at_ = 0;
  size_t line_ = 0;
  size_t word_ = 0;
  std::string_view name_;   // the line's first word
  std::string_view words_;  // the rest of the line
  std::string_view current_;
  const char* what_ = "name";
  std::vector<uint32_t> blocks_;  // the instructions that began those not yet ended
  int64_t rounds_ = 1;            // the product of the loops that have not ended
  Program program_;
};

// The program of a text; environments with the same text share it.
inline std::shared_ptr<const Program> shared_program(const std::string& text) {
  struct Known {
    std::mutex mutex;
    std::map<std::string, std::weak_ptr<const Program>> programs;
  };
  static pp::PerProcess<Known> here;
  auto& [mutex, shared] = here.get();
  const std::lock_guard<std::mutex> lock(mutex);
  if (const auto found = shared.find(text); found != shared.end()) {
    if (auto program = found->second.lock()) return program;
  }
  for (auto each = shared.begin(); each != shared.end();) {
    each = each->second.expired() ? shared.erase(each) : std::next(each);
  }
  auto program = std::make_shared<const Program>(Reader(text).read());
  shared[text] = program;
  return program;
}

}  // namespace tasks
#endif  // PARALLEL_POOL_TASKS_READER_HPP_
