// One shard of a plugin, driven by hand: every buffer it may write lies between guard bytes, and
// every row it must not write is looked at afterwards.
#pragma once

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "parallel_pool/abi.h"
#include "parallel_pool/host/plugin/options.hpp"
#include "parallel_pool/host/plugin/spec.hpp"
#include "plugin/plugin_object.hpp"

namespace pp::python {

namespace py = pybind11;

class GuardedShard {
 public:
  // `actions`: per action field an array of shape (steps, lanes, ...) in the field's dtype. None
  // where it is not going to play.
  GuardedShard(const Plugin& plugin, const std::string& env_id, const py::dict& options,
               uint32_t lanes, const std::vector<py::array>& actions, bool plays = true);
  ~GuardedShard();

  // Sentences that begin with the call; each is kept once.
  const std::vector<std::string>& findings() const { return findings_; }

 protected:
  enum class Op { reset, step };

  bool create();
  void destroy();
  // The rows of step number `step` are its actions. False: there is no point in going on.
  bool call(Op op, uint32_t first, uint32_t count, const uint8_t* mask, const uint64_t* seeds,
            size_t step);
  // Returns true if the last call set this flag of a lane.
  bool flag(uint32_t role, uint32_t lane);
  void find(const std::string& what);
  // Returns true if write(buffer), which gives how many bytes it wrote, wrote to these bytes only.
  template <class Write>
  static bool stays_within(size_t bytes, Write&& write) {
    std::vector<unsigned char> buffer(2 * guard + bytes, untouched);
    const int64_t written = write(buffer.data() + guard);
    return written <= static_cast<int64_t>(bytes) &&
           !touched(buffer.data(), buffer.data() + guard) &&
           !touched(buffer.data() + guard + bytes, buffer.data() + buffer.size());
  }

  const pp_env& env_;
  const std::unique_ptr<host::OptionValues> values_;
  const host::EnvSpec spec_;
  const uint32_t lanes_;
  size_t steps_ = 0;  // for which there are actions
  void* self_ = nullptr;
  bool may_fail_ = false;  // an error is no finding, as from a state that cannot be

 private:
  // Wide, because what is written a whole array too far is to be found here, and not in a crash.
  static constexpr size_t guard = size_t{1} << 16;
  static constexpr unsigned char untouched = 0xa5;

  struct Buffer {
    std::vector<unsigned char> bytes;
    const char* action = nullptr;
    unsigned char* rows() { return bytes.data() + guard; }
  };

  static bool touched(const unsigned char* from, const unsigned char* to);
  static void claim(const pp_lanes* lanes);
  void point(uint32_t first, bool outputs);
  bool call_once(Op op, uint32_t first, uint32_t count, const uint8_t* mask, const uint64_t* seeds,
                 size_t step);
  void inspect(size_t f, const std::string& name, uint32_t first, uint32_t count,
               const uint8_t* mask, size_t step);

  const bool late_;
  std::vector<Buffer> fields_;
  std::vector<void*> pointers_;
  bool claimed_ = false;
  bool stepping_ = false;
  std::vector<std::string> findings_;
  std::set<std::string> known_;
};

}  // namespace pp::python
