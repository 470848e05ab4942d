// Fills the members of a struct from a text with a line `field value` for each value. A list has a
// line for each element, anything else exactly one.
#ifndef PARALLEL_POOL_VIZDOOM_SETTINGS_READER_HPP_
#define PARALLEL_POOL_VIZDOOM_SETTINGS_READER_HPP_

#include <cstddef>
#include <cstdint>
#include <limits>
#include <locale>
#include <map>
#include <sstream>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace doom {

class SettingsReader {
 public:
  explicit SettingsReader(const std::string& text) {
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
      const size_t end = line.find(' ');
      if (end == std::string::npos) refuse("the line '" + line + "'");
      values_[line.substr(0, end)].push_back(line.substr(end + 1));
    }
  }

  template <class Value>
  void operator()(const std::string& field, Value& value) {
    const std::vector<std::string> values = take(field);
    if (values.size() != 1) refuse(std::to_string(values.size()) + " values of " + field);
    set(values[0], value);
  }
  template <class Value>
  void operator()(const std::string& field, std::vector<Value>& list) {
    for (const std::string& value : take(field)) set(value, list.emplace_back());
  }

  void expect_no_other() const {
    if (!values_.empty()) refuse("a field " + values_.begin()->first);
  }

 private:
  [[noreturn]] static void refuse(const std::string& what) {
    throw std::invalid_argument("the settings that the plugin's Python module has sent have " +
                                what);
  }

  std::vector<std::string> take(const std::string& field) {
    const auto found = values_.find(field);
    if (found == values_.end()) return {};
    std::vector<std::string> values = std::move(found->second);
    values_.erase(found);
    return values;
  }

  static void set(const std::string& text, std::string& value) { value = text; }
  static void set(const std::string& text, bool& value) { value = number<int>(text) != 0; }
  static void set(const std::string& text, int64_t& value) { value = number<int64_t>(text); }
  static void set(const std::string& text, double& value) {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    if (text == "inf" || text == "-inf") {  // streams write it, and do not read it
      value = text == "inf" ? infinity : -infinity;
    } else {
      value = number<double>(text);
    }
  }
  // A struct that lists its members: words apart by spaces.
  template <class Struct>
  static void set(const std::string& text, Struct& value) {
    std::istringstream words(text);
    const auto next = [&words](auto& member) {
      std::string word;
      words >> word;
      set(word, member);
    };
    std::apply([&](auto... member) { (next(value.*member), ...); }, Struct::members);
  }

  // Reads a number alike in whatever locale the program has set.
  template <class Number>
  static Number number(const std::string& text) {
    std::istringstream in(text);
    in.imbue(std::locale::classic());
    Number result{};
    if (!(in >> result) || in.peek() != std::istringstream::traits_type::eof()) {
      refuse("'" + text + "' for a number");
    }
    return result;
  }

  std::map<std::string, std::vector<std::string>> values_;
};

}  // namespace doom
#endif  // PARALLEL_POOL_VIZDOOM_SETTINGS_READER_HPP_
