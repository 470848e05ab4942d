// What a task shows: arrays by name, in the task's own order, each written in place, or stacked, or
// as float32 (the SDK's Observer, one for each array). Or all of them in one array; or, with
// from_pixels, the scene that a picture is drawn from.
//
//   Entries observed() { return {{"position", {nq}}, {"height", {}}}; }
//
//   ObservationWriter out = observation_.begin(row);
//   out.put(physics.qpos, nq);
//   out.put(height);
//   observation_.end(row, first);
#ifndef PARALLEL_POOL_DMC_OBSERVATION_HPP_
#define PARALLEL_POOL_DMC_OBSERVATION_HPP_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "options.hpp"
#include "sdk_names.hpp"

namespace suite {

// One array: its key in dm_control's observation, and its shape, {} for a single number.
struct Entry {
  std::string key;
  std::vector<int64_t> shape;

  size_t size() const {
    size_t size = 1;
    for (const int64_t extent : shape) size *= static_cast<size_t>(extent);
    return size;
  }
};
using Entries = std::vector<Entry>;

// Takes the arrays of an observation in the order of the entries.
class ObservationWriter {
 public:
  explicit ObservationWriter(double* const* place) : place_(place) {}
  // The place of the next array, all of which is to be written.
  double* next() { return *place_++; }
  void put(const double* values, int64_t count) { std::copy(values, values + count, next()); }
  void put(double value) { *next() = value; }

 private:
  double* const* place_;
};

class Observation {
 public:
  static void describe(Spec& spec, const SuiteOptions& options, const Entries& entries,
                       const std::shared_ptr<const Model>& model) {
    const auto add = [&spec](const std::string& key) -> Field& {
      return spec.add(PP_ROLE_OBS, key, PP_KIND_BOX, PP_FLOAT64);
    };
    if (is_one(options)) {
      Observer::describe(add(""), options, model, size_of(entries));
      return;
    }
    for (const Entry& entry : entries) {
      Field& field = add(entry.key);
      Observer::describe(field, options, model, entry.size());
      // The observer's own is flat, behind the depth of a stack.
      field.shape.pop_back();
      field.shape.insert(field.shape.end(), entry.shape.begin(), entry.shape.end());
    }
  }

  // With from_pixels. The simulation is one of these environments'.
  static void describe_scenes(Spec& spec, const SuiteOptions& options,
                              const Simulation& simulation) {
    const auto size = static_cast<int64_t>(Scene(simulation).size());
    Field& field = spec.add(PP_ROLE_OBS, "", PP_KIND_BOX, PP_UINT8, {size});
    if (options.frame_stack > 1) field.shape.insert(field.shape.begin(), options.frame_stack);
  }

  // `simulation` must outlive this.
  Observation(const SuiteOptions& options, const Entries& entries, const Simulation& simulation)
      : offset_(is_one(options) ? offsets(entries) : std::vector<size_t>()),
        place_(entries.size()) {
    if (is_one(options)) {
      observer_.emplace_back(options, size_of(entries), simulation);
    } else {
      observer_.reserve(entries.size());
      for (const Entry& entry : entries) observer_.emplace_back(options, entry.size(), simulation);
    }
  }

  ObservationWriter begin(const Fields::Ref& row) {
    if (offset_.empty()) {
      for (size_t i = 0; i < place_.size(); ++i) {
        place_[i] = observer_[i].begin(row.get<double>(i));
      }
    } else {
      double* const first = observer_[0].begin(row.get<double>(0));
      for (size_t i = 0; i < place_.size(); ++i) place_[i] = first + offset_[i];
    }
    return ObservationWriter(place_.data());
  }
  // It is written. With `first`, it fills the whole stack.
  void end(const Fields::Ref& row, bool first) {
    for (size_t i = 0; i < observer_.size(); ++i) observer_[i].end(row.get<double>(i), first);
  }

  void save(StateWriter& out) const {
    for (const Observer& each : observer_) each.save(out);
  }
  void load(StateReader& in) {
    for (Observer& each : observer_) each.load(in);
  }

 private:
  static bool is_one(const SuiteOptions& options) { return options.flatten || options.from_pixels; }
  static size_t size_of(const Entries& entries) {
    size_t size = 0;
    for (const Entry& entry : entries) size += entry.size();
    return size;
  }
  // In one array they are by name, as Gymnasium's FlattenObservation has them.
  static std::vector<size_t> offsets(const Entries& entries) {
    std::map<std::string, size_t> number;
    for (size_t i = 0; i < entries.size(); ++i) number[entries[i].key] = i;
    std::vector<size_t> offsets(entries.size());
    size_t offset = 0;
    for (const auto& [key, i] : number) {
      offsets[i] = offset;
      offset += entries[i].size();
    }
    return offsets;
  }

  const std::vector<size_t> offset_;  // of the entries in the one array; empty: they have their own
  std::vector<Observer> observer_;
  std::vector<double*> place_;  // of the entries, in this observation
};

}  // namespace suite
#endif  // PARALLEL_POOL_DMC_OBSERVATION_HPP_
