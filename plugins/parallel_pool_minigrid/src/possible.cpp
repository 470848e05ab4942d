#include "possible.hpp"

#include <exception>
#include <stdexcept>
#include <string>
#include <utility>

namespace minigrid {
namespace {

// The value nearest to the option's at which there are levels, between it and `good`, where there
// are some.
int64_t nearest(const TaskKind& kind, const CommonOptions& options, int64_t& value, int64_t good) {
  const int64_t given = value;
  int64_t bad = given;
  while (good - bad > 1 || bad - good > 1) {
    value = bad + (good - bad) / 2;
    (has_levels(kind, options) ? good : bad) = value;
  }
  value = given;
  return good;
}

// Tells whether there are levels where one option has another value.
bool would_do(const TaskKind& kind, const CommonOptions& options, int64_t& value, int64_t other) {
  const int64_t given = std::exchange(value, other);
  const bool does = has_levels(kind, options, patience_at_ends);
  value = given;
  return does;
}

}  // namespace

bool has_levels(const TaskKind& kind, const CommonOptions& options, int tries) {
  try {
    const std::unique_ptr<Task> level = kind.make(options);
    level->most_tries = tries;
    pp::Rng rng(0);
    level->renew(rng);
    return true;
  } catch (const std::exception&) {
    return false;
  }
}

void refuse_options(const TaskKind& kind, const CommonOptions& options,
                    const std::vector<Size>& sizes) {
  std::string values, advice;
  for (const Size& size : sizes) {
    const std::string name = size.told.name;
    values += (values.empty() ? "" : ", ") + name + "=" + std::to_string(*size.value);
    for (const double end : {size.told.low, size.told.high}) {
      const auto good = static_cast<int64_t>(end);
      if (!would_do(kind, options, *size.value, good)) continue;
      advice += (advice.empty() ? "" : ", or ") + name +
                (end == size.told.low ? " at most " : " at least ") +
                std::to_string(nearest(kind, options, *size.value, good));
    }
  }
  throw std::invalid_argument("no level was found in " + std::to_string(patience) + " tries with " +
                              values + (advice.empty() ? "" : "; make ") + advice);
}

}  // namespace minigrid
