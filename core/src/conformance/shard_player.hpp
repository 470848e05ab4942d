// The native part of the conformance kit's deep play: trajectories of thousands of steps, as one
// number per step, environment and field, so that two ways to play them are compared quickly.
#pragma once

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "parallel_pool/abi.h"
#include "parallel_pool/host/plugin/options.hpp"
#include "parallel_pool/host/plugin/spec.hpp"
#include "plugin/plugin_object.hpp"

namespace pp::python {

namespace py = pybind11;

// One way to play a trajectory.
struct PlayMode {
  std::vector<uint32_t> roles;  // lane i has the seed and the actions of role roles[i]
  size_t calls = 0;             // steps
  double seconds = 0;           // fewer steps where they take longer; 0: no limit
  int64_t limit = 0;            // steps after which an episode is reset; 0: none
  bool one_by_one = false;      // a call per lane, between guard bytes
  int stack = -1;    // the byte that the stack holds where a call begins; -1: it is left as it is
  uint8_t fill = 0;  // the byte that rows hold before a call
  size_t times = 1;  // plays with the same objects; the last one is told
  size_t cut = 0;    // the step after which states go to other objects, which go on
  size_t look = 0;   // the step after which everything is drawn
};

// A shard that is played by hand.
class ShardPlayer {
 public:
  // `actions`: per action field an array of shape (steps, roles, ...) in the field's dtype.
  ShardPlayer(const Plugin& plugin, const std::string& env_id, const py::dict& options,
              const std::vector<py::array>& actions, PlayMode mode);
  ~ShardPlayer();

  // Runs without the GIL.
  void run();

  // The first thing that it does wrong, if any.
  const std::vector<std::string>& findings() const { return findings_; }
  // Shape (steps + 1, lanes, fields); the first is the reset.
  py::array_t<uint64_t> record() const;

 private:
  // A row written a whole array too far is to be found, and not to crash. All of a guard is
  // looked at in the end, what lies near to the rows after each call.
  static constexpr size_t far = size_t{1} << 16;
  static constexpr size_t near = 512;

  void play();
  // False: there is no point in going on.
  bool call(bool step, const uint8_t* mask, const uint64_t* seeds, size_t number);
  bool call_once(bool step, uint32_t first, uint32_t count, const uint8_t* mask,
                 const uint64_t* seeds, size_t number);
  static void claim(const pp_lanes* lanes) {
    static_cast<ShardPlayer*>(lanes->host_data)->point(true);
  }
  unsigned char* rows(size_t f) { return batches_[turn_][f].data() + far; }
  // Says where actions are, in a step, and with `outputs` all other rows.
  void point(bool outputs);
  // Notes what was written, and whether it was written beyond its rows.
  bool take(const std::string& name, uint32_t first, uint32_t count, const uint8_t* mask,
            size_t number);
  // Places where no player is are the host's to fill.
  uint64_t written(const host::FieldSpec& field, size_t f, const unsigned char* row, uint32_t i,
                   uint64_t hash);
  // Everything goes on in other objects: in turn such as have just been built, and such as have
  // played.
  bool move();
  bool draw();
  void* create();
  void destroy(void*& shard);
  void find(const std::string& what);

  const pp_env& env_;
  std::unique_ptr<host::OptionValues> values_;
  const host::EnvSpec spec_;
  const PlayMode how_;
  const uint32_t lanes_;
  const bool late_;
  size_t period_ = 1;   // steps for which there are actions
  uint32_t roles_ = 0;  // for which there are
  void* self_ = nullptr;
  void* other_ = nullptr;  // the object that states are moved to
  bool fresh_ = false;
  bool stepping_ = false;
  size_t turn_ = 0;
  std::vector<std::vector<unsigned char>> batches_[3];  // in turn; by field, between guards
  std::vector<const unsigned char*> actions_;
  std::vector<void*> pointers_;
  std::vector<int64_t> elapsed_;
  std::vector<uint8_t> over_;
  std::vector<uint64_t> record_;
  std::vector<std::string> findings_;
};

}  // namespace pp::python
