// The observation of a task: arrays by name, in the task's own order, each written in place, or
// stacked, or as float32 (the SDK's ObservedNumbers, one for each array). With `flatten` they are
// one array. With from_pixels, the scene that a picture is drawn from replaces them, or is the
// last.
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
#include <optional>
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
  // `simulation` is that of one of these environments; NULL without from_pixels.
  static void describe(Spec& spec, const SuiteOptions& options, const Entries& entries,
                       const Simulation* simulation) {
    if (options.flatten) {
      ObservedNumbers::describe(spec, options, "", {static_cast<int64_t>(size_of(entries))});
    } else {
      for (const Entry& entry : entries) {
        ObservedNumbers::describe(spec, options, entry.key, entry.shape);
      }
    }
    if (options.from_pixels) ObservedScene::describe(spec, options, *simulation);
  }

  // `simulation` must outlive this.
  Observation(const SuiteOptions& options, const Entries& entries, const Simulation& simulation)
      : offset_(options.flatten ? offsets(entries) : std::vector<size_t>()),
        place_(entries.size()) {
    if (options.flatten) {
      array_.emplace_back(options, size_of(entries));
    } else {
      array_.reserve(entries.size());
      for (const Entry& entry : entries) array_.emplace_back(options, entry.size());
    }
    scene_number_ = ObservedNumbers::shown(options) ? array_.size() : 0;
    if (options.from_pixels) scene_.emplace(options, simulation);
  }

  ObservationWriter begin(const Fields::Ref& row) {
    if (offset_.empty()) {
      for (size_t i = 0; i < place_.size(); ++i) {
        place_[i] = array_[i].begin(row, i);
      }
    } else {
      double* const first = array_[0].begin(row, 0);
      for (size_t i = 0; i < place_.size(); ++i) place_[i] = first + offset_[i];
    }
    return ObservationWriter(place_.data());
  }
  // The observation has been written. With `first`, it fills the whole stack.
  void end(const Fields::Ref& row, bool first) {
    for (size_t i = 0; i < array_.size(); ++i) array_[i].end(row, i, first);
    if (scene_) scene_->write(row, scene_number_, first);
  }

  void save(StateWriter& out) const {
    for (const ObservedNumbers& each : array_) each.save(out);
    if (scene_) scene_->save(out);
  }
  void load(StateReader& in) {
    for (ObservedNumbers& each : array_) each.load(in);
    if (scene_) scene_->load(in);
  }

 private:
  static size_t size_of(const Entries& entries) {
    size_t size = 0;
    for (const Entry& entry : entries) size += entry.size();
    return size;
  }
  // The one array has them in the order of their names, as Gymnasium's FlattenObservation.
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

  const std::vector<size_t> offset_;  // places of the entries in the one array, if there is one
  std::vector<ObservedNumbers> array_;
  std::optional<ObservedScene> scene_;
  size_t scene_number_ = 0;     // the field of the scene
  std::vector<double*> place_;  // the places of the entries of this observation
};

}  // namespace suite
#endif  // PARALLEL_POOL_DMC_OBSERVATION_HPP_
