// parallel_pool/host/plugin/options.hpp: option values with the memory they point to.
#pragma once

#include <deque>
#include <string>
#include <vector>

#include "parallel_pool/abi.h"

namespace pp::host {

// One lane's values, in the order of the environment's declarations; begins as the defaults.
class OptionValues {
 public:
  explicit OptionValues(const pp_env& env) : OptionValues(env.option, env.n_option) {}
  OptionValues(const pp_option* const* declared, uint32_t count) {
    for (uint32_t i = 0; i < count; ++i) values_.push_back(declared[i]->value);
  }
  OptionValues(const OptionValues&) = delete;
  OptionValues& operator=(const OptionValues&) = delete;

  void set_integer(size_t option, int64_t value) { values_[option].i = value; }
  void set_real(size_t option, double value) { values_[option].f = value; }
  void set_text(size_t option, const std::string& value) {
    texts_.push_back(value);
    values_[option].s = texts_.back().c_str();
  }
  void set_array(size_t option, std::vector<double> value) {
    arrays_.push_back(std::move(value));
    values_[option].dtype = PP_FLOAT64;
    values_[option].count = static_cast<int64_t>(arrays_.back().size());
    values_[option].data = arrays_.back().data();
  }

  const pp_value* data() const { return values_.data(); }

 private:
  std::vector<pp_value> values_;
  std::deque<std::string> texts_;  // deques: what was pointed to stays where it is
  std::deque<std::vector<double>> arrays_;
};

}  // namespace pp::host
