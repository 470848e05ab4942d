#include "actions/player_rows.hpp"

#include <algorithm>

#include "actions/given_arrays.hpp"
#include "base/dtypes.hpp"

namespace pp::python {
namespace {

std::vector<int64_t> integers(const py::object& value, const char* name) {
  const auto refusal = [&] {
    return std::string(name) + " is " + shortened(value) +
           ", expected a one-dimensional array of integers";
  };
  py::array array;
  try {
    array = array_of(value, py::array::c_style);
  } catch (py::error_already_set& error) {
    if (!is_of_value(error)) throw;
    raise_instead(error, PyExc_TypeError, refusal());
  }
  const char kind = array.dtype().kind();
  if ((kind != 'i' && kind != 'u') || array.ndim() != 1) throw py::type_error(refusal());
  const auto wide = py::array_t<int64_t, py::array::c_style | py::array::forcecast>::ensure(array);
  if (!wide) throw py::error_already_set();
  return {wide.data(), wide.data() + wide.size()};
}

std::string name_of(uint32_t env) {
  return "environment " + std::to_string(env);
}

}  // namespace

PlayerNames::PlayerNames(const py::object& env_id, const py::object& id)
    : named(!env_id.is_none()), numbered(!id.is_none()) {
  if (numbered && !named) throw py::value_error("players.id needs players.env_id as well");
  if (named) this->env_id = integers(env_id, "players.env_id");
  if (numbered) this->id = integers(id, "players.id");
  if (numbered && this->id.size() != this->env_id.size()) {
    throw py::value_error("players.id has " + std::to_string(this->id.size()) +
                          " elements and players.env_id " + std::to_string(this->env_id.size()));
  }
}

void PlayerRows::begin(const host::Pool& pool, const PlayerNames* named) {
  pool_ = &pool;
  named_ = named != nullptr && named->named ? named : nullptr;
  numbered_ = false;
}

const std::vector<uint32_t>& PlayerRows::slots(const std::string& label, bool padded,
                                               py::ssize_t rows, const uint32_t* ids, uint32_t n) {
  if (padded && named_ != nullptr) {
    throw py::value_error(label +
                          " has a row for every place of every environment, so it takes no "
                          "players.env_id");
  }
  if (!numbered_) named_ == nullptr ? number(ids, n) : number_named(label, ids, n);
  numbered_ = true;
  if (!padded && static_cast<size_t>(rows) != slots_.size()) {
    if (named_ == nullptr) wrong_count(label, static_cast<size_t>(rows), ids, n);
    throw py::value_error(label + " has " + std::to_string(rows) + " rows, but players.env_id " +
                          std::to_string(slots_.size()));
  }
  return slots_;
}

void PlayerRows::number(const uint32_t* ids, uint32_t n) {
  const host::PlayerTable& players = *pool_->players();
  const uint32_t capacity = players.capacity();
  slots_.clear();
  for (uint32_t i = 0; i < n; ++i) {
    const uint32_t env = ids == nullptr ? i : ids[i];
    const uint8_t* shown = players.shown(env);
    for (uint32_t k = 0; k < capacity; ++k) {
      if (shown[k] != 0) slots_.push_back(env * capacity + k);
    }
  }
}

void PlayerRows::number_named(const std::string& label, const uint32_t* ids, uint32_t n) {
  const host::PlayerTable& players = *pool_->players();
  const uint32_t capacity = players.capacity();
  const uint32_t num_envs = pool_->config().num_envs;
  slots_.clear();
  next_.assign(num_envs, UINT32_MAX);
  given_.assign(size_t{num_envs} * capacity, 0);
  for (uint32_t i = 0; i < n; ++i) next_[ids == nullptr ? i : ids[i]] = 0;
  for (size_t row = 0; row < named_->env_id.size(); ++row) {
    const int64_t said = named_->env_id[row];
    if (said < 0 || said >= num_envs || next_[static_cast<size_t>(said)] == UINT32_MAX) {
      throw py::value_error("players.env_id names environment " + std::to_string(said) +
                            ", which is not among those that are stepped");
    }
    const auto env = static_cast<uint32_t>(said);
    const uint8_t* shown = players.shown(env);
    int64_t player = 0;
    if (named_->numbered) {
      player = named_->id[row];
    } else {
      uint32_t& next = next_[env];
      while (next < capacity && shown[next] == 0) ++next;
      player = next++;
      if (player == capacity) {
        throw py::value_error(label + " has more rows for " + name_of(env) + " than the " +
                              std::to_string(players.count_shown(env)) +
                              " players that it showed last");
      }
    }
    if (player < 0 || player >= capacity || shown[player] == 0) {
      throw py::value_error(name_of(env) + " did not show a player " + std::to_string(player) +
                            " last, so " + label + " cannot have one");
    }
    const uint32_t slot = env * capacity + static_cast<uint32_t>(player);
    if (given_[slot]++ != 0) {
      throw py::value_error("player " + std::to_string(player) + " of " + name_of(env) +
                            " occurs twice in players.id");
    }
    slots_.push_back(slot);
  }
  for (uint32_t i = 0; i < n; ++i) {
    const uint32_t env = ids == nullptr ? i : ids[i];
    const uint8_t* wanted = named_->numbered ? players.acting(env) : players.shown(env);
    for (uint32_t k = 0; k < capacity; ++k) {
      if (wanted[k] == 0 || given_[size_t{env} * capacity + k] != 0) continue;
      throw py::value_error(label + " has no row for player " + std::to_string(k) + " of " +
                            name_of(env));
    }
  }
}

void PlayerRows::wrong_count(const std::string& label, size_t rows, const uint32_t* ids,
                             uint32_t n) const {
  std::string text = label + " has " + std::to_string(rows) + " rows, expected " +
                     std::to_string(slots_.size()) + ", one for each player shown last, in order: ";
  const uint32_t named = std::min(n, 8u);
  for (uint32_t i = 0; i < named; ++i) {
    const uint32_t env = ids == nullptr ? i : ids[i];
    text += (i == 0 ? "" : ", ") + std::to_string(pool_->players()->count_shown(env)) + " of " +
            name_of(env);
  }
  if (named < n) text += ", and so on";
  throw py::value_error(text);
}

}  // namespace pp::python
