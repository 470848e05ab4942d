// What an action is, as the options say: a float64 for each button, a zero or one for each, or the
// number of a combination.
#ifndef PARALLEL_POOL_VIZDOOM_ACTION_HPP_
#define PARALLEL_POOL_VIZDOOM_ACTION_HPP_

#include <cstddef>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

#include "engine/shared_state.hpp"
#include "options.hpp"

namespace doom {

// The space: one field, whose elements describe() decides.
struct ActionSpace {
  static constexpr size_t n_field = 1;
  using Value = const void*;
  using Ref = pp::ElementsRef<double>;
  static void describe(pp::Spec& spec, uint32_t role, const std::string& name) {
    spec.add(role, name, PP_KIND_BOX, PP_FLOAT64, {pp::dynamic});
  }
  static Ref ref(const pp::detail::Row& row, size_t field) { return Ref(row, field); }
  static Value read(const pp::detail::Row& row, size_t field) { return row.input(field); }
};

class ActionReader {
 public:
  static void describe(pp::Field& field, const DoomOptions& options) {
    const auto count = static_cast<int64_t>(options.buttons.size());
    switch (form_of(options)) {
      case Form::values:
        describe_values(field, options);
        return;
      case Form::bits:
        field.kind = PP_KIND_MULTI_BINARY;
        field.dtype = PP_INT8;
        field.shaped({count}).bounds(0, 1);
        return;
      case Form::combination:
        field.dtype = PP_INT32;
        field.discrete(static_cast<int64_t>(combinations(options).size()));
        return;
    }
  }

  explicit ActionReader(const DoomOptions& options)
      : form_(form_of(options)), value_(options.buttons.size()) {
    if (form_ == Form::combination) combinations_ = combinations(options);
  }

  // A value for each button.
  const double* read(const void* action) {
    switch (form_) {
      case Form::values:
        return static_cast<const double*>(action);
      case Form::bits:
        for (size_t i = 0; i < value_.size(); ++i) {
          value_[i] = static_cast<const int8_t*>(action)[i];
        }
        break;
      case Form::combination: {
        const uint64_t pressed =
            combinations_[static_cast<size_t>(*static_cast<const int32_t*>(action))];
        for (size_t i = 0; i < value_.size(); ++i) {
          value_[i] = static_cast<double>(pressed >> (value_.size() - 1 - i) & 1);
        }
        break;
      }
    }
    return value_.data();
  }

 private:
  enum class Form { values, bits, combination };

  static Form form_of(const DoomOptions& options) {
    if (options.actions == ActionForm::box) {
      if (options.max_buttons_pressed > 0) {
        throw std::invalid_argument("max_buttons_pressed is for actions='binary'");
      }
      return Form::values;
    }
    for (const double button : options.buttons) {
      if (button >= kBinaryButtons) {
        throw std::invalid_argument(
            "the scenario has buttons that take any number (..._DELTA): use actions='box', or "
            "leave them out with config={'available_buttons': [...]}");
      }
    }
    return options.max_buttons_pressed > 0 ? Form::combination : Form::bits;
  }
  static void describe_values(pp::Field& field, const DoomOptions& options) {
    constexpr double unlimited = std::numeric_limits<double>::infinity();
    std::vector<double> low;
    std::vector<double> high;
    for (const double button : options.buttons) {
      const bool delta = button >= kBinaryButtons;
      low.push_back(delta ? -unlimited : 0);
      high.push_back(delta ? unlimited : 1);
    }
    field.shaped({static_cast<int64_t>(options.buttons.size())}).bounds(low, high);
  }
  // Bits, the first button's the highest: all numbers with few enough ones, ascending. ViZDoom's
  // Gymnasium environments count them so.
  static std::vector<uint64_t> combinations(const DoomOptions& options) {
    constexpr size_t most = 20;
    if (options.buttons.size() > most) {
      throw std::invalid_argument("max_buttons_pressed is for scenarios of at most 20 buttons");
    }
    std::vector<uint64_t> found;
    for (uint64_t bits = 0; bits < uint64_t{1} << options.buttons.size(); ++bits) {
      if (__builtin_popcountll(bits) <= options.max_buttons_pressed) found.push_back(bits);
    }
    return found;
  }

  const Form form_;
  std::vector<double> value_;
  std::vector<uint64_t> combinations_;
};

}  // namespace doom
#endif  // PARALLEL_POOL_VIZDOOM_ACTION_HPP_
