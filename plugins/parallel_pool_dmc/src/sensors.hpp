// Several sensors that are observed as one array, by name or by kind.
#ifndef PARALLEL_POOL_DMC_SENSORS_HPP_
#define PARALLEL_POOL_DMC_SENSORS_HPP_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <vector>

#include "sdk_names.hpp"

namespace suite {

class Sensors {
 public:
  // These sensors, in this order. Throws std::invalid_argument for one that the model does not
  // have.
  static Sensors named(const Model& model, std::initializer_list<const char*> names) {
    Sensors sensors;
    for (const char* name : names) sensors.add(model, model.id("mjOBJ_SENSOR", "sensor", name));
    return sensors;
  }
  // All sensors of these kinds ("mjSENS_GYRO"), in the model's order.
  static Sensors of(const Model& model, std::initializer_list<const char*> kinds) {
    Sensors sensors;
    const auto* types = model.at<const int32_t*>("mjModel.sensor_type");
    for (int64_t sensor = 0; sensor < model.at<int64_t>("mjModel.nsensor"); ++sensor) {
      for (const char* kind : kinds) {
        if (types[sensor] == model.engine.constant(kind)) sensors.add(model, sensor);
      }
    }
    return sensors;
  }

  // Counts numbers, not sensors.
  int64_t size() const { return static_cast<int64_t>(place_.size()); }

  void put(const double* sensordata, double* out) const {
    for (const int32_t place : place_) *out++ = sensordata[place];
  }
  // `scaled` is a function of NumpyMath.
  void put(const double* sensordata, double* out,
           void (*scaled)(const double* x, double* results, size_t size)) const {
    constexpr size_t chunk = 32;
    double readings[chunk];
    for (size_t first = 0; first < place_.size(); first += chunk) {
      const size_t size = std::min(chunk, place_.size() - first);
      for (size_t i = 0; i < size; ++i) {
        readings[i] = sensordata[static_cast<size_t>(place_[first + i])];
      }
      scaled(readings, out + first, size);
    }
  }

 private:
  void add(const Model& model, int64_t sensor) {
    const int32_t first = model.at<const int32_t*>("mjModel.sensor_adr")[sensor];
    const int32_t count = model.at<const int32_t*>("mjModel.sensor_dim")[sensor];
    for (int32_t i = 0; i < count; ++i) place_.push_back(first + i);
  }

  std::vector<int32_t> place_;  // in sensordata
};

}  // namespace suite
#endif  // PARALLEL_POOL_DMC_SENSORS_HPP_
