#include "actions/pool_actions.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "actions/given_arrays.hpp"

namespace pp::python {

template <class Stage>
void PoolActions::each_leaf(Stage&& stage) {
  unfit_.clear();
  for (size_t l = 0; l < checker_.leaves().size(); ++l) stage(checker_.leaves()[l], l);
  for (size_t i = unfit_.size(); i-- > 0;) {  // so that the first thing said about one stays
    pool_.refuse_step(unfit_[i].env, std::move(unfit_[i].why), unfit_[i].action);
  }
}

void PoolActions::stage(const std::vector<py::array>& arrays, const uint32_t* ids, uint32_t n,
                        PlayerRows* players) {
  each_leaf([&](const ActionChecker::Leaf& leaf, size_t l) {
    if (players != nullptr && leaf.spec.per_player) {
      stage_players(leaf, arrays[l], ids, n, *players);
    } else {
      stage_rows(leaf, raw_of(arrays[l]), ids, n);
    }
  });
}

void PoolActions::stage(const std::vector<RawArray>& arrays, const uint32_t* ids, uint32_t n) {
  each_leaf(
      [&](const ActionChecker::Leaf& leaf, size_t l) { stage_rows(leaf, arrays[l], ids, n); });
}

void PoolActions::stage_rows(const ActionChecker::Leaf& leaf, const RawArray& array,
                             const uint32_t* ids, uint32_t n) {
  ActionJob job{leaf.spec,         leaf.label, ids, n, pool_.action_row(leaf.field, 0),
                checker_.policy(), unfit_};
  job.chunk = checker_.chunk();
  job.apart = job.chunk == 0 ? 0 : pool_.config().num_envs;
  put_actions(job, array);
}

void PoolActions::stage_players(const ActionChecker::Leaf& leaf, const py::array& array,
                                const uint32_t* ids, uint32_t n, PlayerRows& players) {
  const host::FieldSpec& field = leaf.spec;
  const uint32_t capacity = pool_.spec().max_players;
  const bool padded = static_cast<size_t>(array.ndim()) == leaf.shape.size() + 2;
  char* rows = pool_.action_row(leaf.field, 0);
  const std::vector<uint32_t>& slots = players.slots(leaf.label, padded, array.shape(0), ids, n);
  const auto count = static_cast<uint32_t>(slots.size());
  // The action of a player that does not act, or is not there, is zeros, not what was here before.
  const size_t bytes = field.row_bytes / capacity;
  const uint32_t chunk = checker_.chunk();
  const size_t apart = pool_.config().num_envs;
  const auto clear = [&] {
    for (uint32_t i = 0; i < n; ++i) {
      const uint32_t env = ids == nullptr ? i : ids[i];
      const uint8_t* acting = pool_.players()->acting(env);
      if (std::memchr(acting, 0, capacity) == nullptr) continue;
      for (uint32_t a = 0; a < std::max(chunk, 1u); ++a) {
        char* row = rows + (env + a * apart) * field.row_bytes;
        for (uint32_t k = 0; k < capacity; ++k) {
          if (acting[k] == 0) std::memset(row + k * bytes, 0, bytes);
        }
      }
    }
  };
  ActionJob job{field, leaf.label, slots.data(), count, rows, checker_.policy(), unfit_, capacity};
  job.chunk = chunk;
  job.apart = chunk == 0 ? 0 : apart * capacity;
  if (!padded || count == n * capacity) {
    put_actions(job, raw_of(array));
    return clear();
  }
  // The rows of players that are shown, closed up.
  const size_t width = field.elements * std::max(chunk, 1u) * static_cast<size_t>(array.itemsize());
  players.buffer.resize(count * width);
  char* to = players.buffer.data();
  const auto* from = static_cast<const char*>(array.data());
  for (uint32_t i = 0; i < n; ++i) {
    const uint8_t* shown = pool_.players()->shown(ids == nullptr ? i : ids[i]);
    for (uint32_t k = 0; k < capacity; ++k) {
      if (shown[k] == 0) continue;
      std::memcpy(to, from + (size_t{i} * capacity + k) * width, width);
      to += width;
    }
  }
  put_actions(job, {raw_of(array).dtype, players.buffer.data()});
  clear();
}

}  // namespace pp::python
