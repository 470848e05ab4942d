// An engine of the vizdoom package that runs: started, spoken to through two queues, looked at
// through its shared memory. Nothing of it is left behind, neither process nor file.
//
// It does one thing at a time: a request, then its answer. Beginning is one, too. Between the two
// others may be asked. Whatever does not come in time, or ends, is an Engine::Failure with what the
// engine printed last; the engine is of no use after that.
#ifndef PARALLEL_POOL_VIZDOOM_ENGINE_ENGINE_HPP_
#define PARALLEL_POOL_VIZDOOM_ENGINE_ENGINE_HPP_

#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cctype>
#include <cerrno>
#include <chrono>
#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <string>
#include <vector>

#include "message_queue.hpp"
#include "process.hpp"
#include "shared_file.hpp"
#include "shared_state.hpp"

namespace doom {

class Engine {
 public:
  struct Failure : std::runtime_error {
    using std::runtime_error::runtime_error;
  };

  // arguments: of the command line, the path of the engine first; what ties it to us is added.
  // folder: where it runs, one that has a folder _vizdoom, or it would make that.
  // Its first answer says that it has begun, before the first tic; nothing else works before that.
  // Throws std::runtime_error.
  Engine(std::vector<std::string> arguments, const std::string& folder, double timeout,
         const Inherited& inherited = {})
      : timeout_(timeout),
        files_(new_id()),
        to_engine_(files_.to_engine),
        from_engine_(files_.from_engine),
        process_(with_id(std::move(arguments), files_.id), folder.c_str(), files_.with(inherited)),
        asked_(Clock::now()) {
    files_.to_engine.close();
    files_.from_engine.close();
  }
  ~Engine() {
    end();
    if (memory_ != nullptr) munmap(memory_, size_);
  }
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;

  // Returns true if there is something to be seen.
  bool has_begun() const { return state_ != nullptr; }
  const SharedState& state() const { return *state_; }
  SharedInput& input() { return *input_; }
  // Pictures, by Region: of the last update. nullptr: the engine does not make them.
  const uint8_t* picture(Region region) const {
    return state_->region_size[region] == 0 ? nullptr : memory_ + state_->region_offset[region];
  }

  // A console command, done with the next request.
  void command(const std::string& text) {
    if (text.size() >= sizeof(Message::text)) {
      throw std::invalid_argument("a command to the engine has less than 128 letters, not '" +
                                  text + "'");
    }
    send([&] { return to_engine_.send(do_command, text, look_every); });
  }
  void ask_tic() { ask(do_tic); }
  void ask_update() { ask(do_update); }
  void ask_tic_and_update() { ask(do_tic_and_update); }
  // Tics one after the other, at least one and at most Tics::most, of an engine that loads
  // tics.cpp's library. They are one request, and answered when all are done; last_tic() is the
  // last that was asked for.
  void ask_tics(const Tics& tics) {
    const uint32_t first = state_->map_tic + 1;
    send([&] { return to_engine_.send(tics, first, look_every); });
    makes_tics_ = true;
  }
  uint32_t last_tic() const { return to_engine_.script().last_tic; }

  // Takes the answer to what was asked last; false if it has not come. `wait`: for it, but only a
  // little while.
  bool take_answer(bool wait) {
    if (makes_tics_) return take_tics(wait);
    if (!wait && !from_engine_.has_message()) return false;
    if (!receive()) {
      look();
      return false;
    }
    if (memory_ == nullptr) open_memory();
    return true;
  }

  // Ends the process. What it has shown last stays.
  void end() {
    process_.end();
    files_.memory.close();
  }

  // To be called now and then: what the engine prints is taken.
  void take_output() { process_.take_output(); }

 private:
  using Clock = std::chrono::steady_clock;
  static constexpr int64_t look_every = 10;  // milliseconds between looks at whether it is alive
  static constexpr const char* old_openal =
      "\nThis is OpenAL Soft 1.19, which ends where a room has an echo of its kind: install a "
      "newer "
      "one, or set ALSOFT_CONF to a file with the lines '[general]' and 'excludefx = "
      "eaxreverb,reverb'";

  void ask(MessageCode code) {
    send([&] { return to_engine_.send(code, "", look_every); });
  }
  // put: tries it for a little while; false: not yet.
  template <class Put>
  void send(Put&& put) {
    asked_ = Clock::now();
    while (!put()) look();
  }
  // False: no message came for a while.
  bool receive() {
    Message message;
    if (!from_engine_.receive(message, look_every)) return false;
    if (message.code == is_done) return true;
    if (message.code == has_failed) {
      fail("reports: " + std::string(message.text, strnlen(message.text, sizeof message.text)));
    }
    fail(message.code == has_closed ? "has closed"
                                    : "speaks another protocol: install vizdoom==1.3.2");
  }
  bool take_tics(bool wait) {
    if (wait && to_engine_.is_under_way()) to_engine_.wait_for_script(look_every);
    const bool ended = !to_engine_.is_under_way();
    if (!ended && !wait) return false;
    while (from_engine_.has_message()) receive();  // each tic's; or what went wrong
    if (ended) {
      makes_tics_ = false;
    } else {
      look();
    }
    return ended;
  }
  // Throws if no answer can come any more.
  void look() {
    if (!process_.runs()) fail(process_.ending());
    process_.take_output();
    if (Clock::now() < asked_ + std::chrono::milliseconds(milliseconds())) return;
    fail("has not answered for " + std::to_string(milliseconds() / 1000.0) +
         " seconds (engine_timeout)");
  }
  int64_t milliseconds() const { return static_cast<int64_t>(timeout_ * 1000); }

  [[noreturn]] void fail(const std::string& what) {
    std::string output = process_.last_output();
    while (!output.empty() && std::isspace(static_cast<unsigned char>(output.back())) != 0) {
      output.pop_back();
    }
    const bool alone = output.find("VIZ_MQInit") != std::string::npos;
    const bool reverb = output.find("BiquadFilter_setParams") != std::string::npos;
    throw Failure("the engine " + what +
                  (output.empty() ? "; it has printed nothing" : "; it printed last:\n" + output) +
                  (alone ? "\nIt has not loaded what it was given (LD_PRELOAD)" : "") +
                  (reverb ? old_openal : ""));
  }

  void open_memory() {
    struct stat status{};
    fstat(files_.memory.number(), &status);
    size_ = static_cast<size_t>(status.st_size);
    if (size_ < sizeof(SharedState)) fail("shares too little memory: install vizdoom==1.3.2");
    void* memory =
        mmap(nullptr, size_, PROT_READ | PROT_WRITE, MAP_SHARED, files_.memory.number(), 0);
    if (memory == MAP_FAILED) {
      fail(std::string("shares memory that cannot be mapped: ") + std::strerror(errno));
    }
    files_.memory.close();
    memory_ = static_cast<unsigned char*>(memory);
    state_ = reinterpret_cast<const SharedState*>(memory_);
    if (state_->version != engine_version || state_->size != size_ ||
        state_->region_size[region_state] != sizeof(SharedState) ||
        state_->region_size[region_input] != sizeof(SharedInput)) {
      fail("is of another version: install vizdoom==1.3.2");
    }
    input_ = reinterpret_cast<SharedInput*>(memory_ + state_->region_offset[region_input]);
  }

  // The files that both map, by the names that they have agreed on.
  struct Files {
    explicit Files(const std::string& id)
        : id(id),
          to_engine(to_engine_name + id),
          from_engine(from_engine_name + id),
          memory(memory_name + id) {}
    // Adds this to what the engine is given anyway.
    Inherited with(Inherited others) const {
      for (const SharedFile* each : {&to_engine, &from_engine, &memory}) {
        others.files.push_back(each->number());
      }
      return others;
    }

    const std::string id;
    SharedFile to_engine;
    SharedFile from_engine;
    SharedFile memory;
  };

  static std::string new_id() {
    static std::atomic<uint32_t> count{0};
    return "ParallelPool" + std::to_string(getpid()) + "x" + std::to_string(count++);
  }
  static std::vector<std::string> with_id(std::vector<std::string> arguments,
                                          const std::string& id) {
    arguments.insert(arguments.end(), {"+viz_instance_id", id});
    return arguments;
  }
  const double timeout_;
  Files files_;
  MessageQueue to_engine_;
  MessageQueue from_engine_;
  Process process_;
  Clock::time_point asked_;
  bool makes_tics_ = false;  // asked for several
  unsigned char* memory_ = nullptr;
  size_t size_ = 0;
  const SharedState* state_ = nullptr;
  SharedInput* input_ = nullptr;
};

}  // namespace doom
#endif  // PARALLEL_POOL_VIZDOOM_ENGINE_ENGINE_HPP_
