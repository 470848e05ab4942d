// parallel_pool/host/plugin/spec.hpp: the host's own copy of what an environment looks like.
//
// Copied out of the plugin at once and checked, so that nothing later depends on the plugin's
// memory or on its honesty about its own description.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "parallel_pool/abi.h"
#include "parallel_pool/dtypes.hpp"
#include "parallel_pool/host/base/error.hpp"
#include "parallel_pool/host/base/text.hpp"
#include "parallel_pool/host/plugin/bounds.hpp"

namespace pp::host {

struct FieldSpec {
  uint32_t role = 0;
  std::string name;
  uint32_t kind = 0;
  uint32_t dtype = 0;
  bool per_player = false;
  std::vector<int64_t> shape;
  std::vector<unsigned char> low;  // elements of dtype: none, one, or one per element
  std::vector<unsigned char> high;
  size_t elements = 1;   // elements of one player
  size_t row_bytes = 0;  // bytes of all players

  // Returns true if both are written and read alike. Outputs may have other bounds, actions may
  // not.
  bool same_layout(const FieldSpec& other) const {
    return role == other.role && name == other.name && kind == other.kind && dtype == other.dtype &&
           per_player == other.per_player && shape == other.shape &&
           (role != PP_ROLE_ACTION || (low == other.low && high == other.high));
  }
};

struct EnvSpec {
  std::vector<FieldSpec> fields;
  uint32_t max_players = 1;
  int64_t max_episode_steps = 0;
  double reward_threshold = 0;

  // The field with a role that occurs at most once; -1 if there is none.
  int find(uint32_t role) const {
    for (size_t f = 0; f < fields.size(); ++f) {
      if (fields[f].role == role) return static_cast<int>(f);
    }
    return -1;
  }
  // Returns true if a field has a part for each player. Otherwise max_players means nothing.
  bool multi_player() const {
    for (const FieldSpec& field : fields) {
      if (field.per_player) return true;
    }
    return false;
  }
  // Lanes of one shard, and environments of one pool, must agree in everything but the time limit
  // and the bounds of what they show.
  bool same_layout(const EnvSpec& other) const {
    return max_players == other.max_players && fields.size() == other.fields.size() &&
           std::equal(fields.begin(), fields.end(), other.fields.begin(),
                      [](const FieldSpec& a, const FieldSpec& b) { return a.same_layout(b); });
  }
};

inline constexpr uint32_t last_role = PP_ROLE_CONTINUES;

inline const char* role_name(uint32_t role) {
  static const char* const names[] = {"",        "obs",        "info",      "action",
                                      "reward",  "terminated", "truncated", "discount",
                                      "players", "score",      "continues"};
  return role <= last_role ? names[role] : "";
}

// Returns true if a reset has to write such a field.
inline bool is_of_resets(uint32_t role) {
  return role == PP_ROLE_OBS || role == PP_ROLE_INFO || role == PP_ROLE_SCORE ||
         role == PP_ROLE_CONTINUES;
}

inline constexpr size_t max_elements = size_t{1} << 40;

// Names are paths in a tree: no two fields at one place, and none both a leaf and a branch.
template <class Refuse>
void check_name(const std::vector<FieldSpec>& before, const FieldSpec& field,
                const std::string& label, const Refuse& refuse) {
  if (field.role == PP_ROLE_INFO && field.name.empty())
    refuse(label + "needs a name: info is a dict");
  const std::string path = "/" + field.name + "/";
  if (!field.name.empty() && path.find("//") != std::string::npos)
    refuse(label + "has a name with an empty part");
  const auto leads_to = [](const std::string& branch, const std::string& path) {
    return branch.empty() || path.compare(0, branch.size() + 1, branch + "/") == 0;
  };
  for (const FieldSpec& other : before) {
    if (other.role != field.role || field.role >= PP_ROLE_REWARD) continue;
    if (other.name == field.name || leads_to(other.name, field.name) ||
        leads_to(field.name, other.name)) {
      refuse(label + "and " +
             (other.name.empty() ? "the one without a name" : "field '" + other.name + "'") +
             " have one place in the tree of names");
    }
  }
}

// Names that the host itself gives, beside the environment's own info; with a "_" before them,
// their masks. "worker_crashed" is one in worker processes only, see workers/isolated_spec.hpp.
inline constexpr const char* info_names[] = {
    "env_id",      "elapsed_step",    "players", "final_obs",
    "final_info",  "final_obs_dense", "episode", "TimeLimit.truncated",
    "chunk_steps", "chunk_rewards"};

// Names that the host itself gives, beside the players' own info: first its columns, in the order
// of PlayerColumn (batch/player_layout.hpp), then names that views make.
inline constexpr const char* player_names[] = {"env_id",         "id",        "present", "acting",
                                               "terminated",     "truncated", "ended",   "final",
                                               "episode_return", "final_info"};

// An own info of such a name would stand in the place of the host's.
template <class Refuse>
void check_info_name(const FieldSpec& field, const Refuse& refuse) {
  if (field.role != PP_ROLE_INFO || field.per_player) return;
  const std::string top = field.name.substr(0, field.name.find('/'));
  for (const char* taken : info_names) {
    if (top != taken && top != std::string("_") + taken) continue;
    refuse("info field '" + field.name +
           "' has a name that the host gives itself: call it otherwise");
  }
}

template <class Refuse>
void check_players(const EnvSpec& spec, const Refuse& refuse) {
  const auto per_player = [&spec](uint32_t role) {
    const int field = spec.find(role);
    return field >= 0 && spec.fields[static_cast<size_t>(field)].per_player;
  };
  if (per_player(PP_ROLE_DISCOUNT) && !per_player(PP_ROLE_REWARD)) {
    refuse("discounts are per player, but there is one reward for all");
  }
  for (const FieldSpec& field : spec.fields) {
    if (field.role != PP_ROLE_INFO || !field.per_player) continue;
    for (const char* taken : player_names) {
      if (field.name == taken) {
        refuse("info field '" + field.name + "' per player has a name that the host gives itself");
      }
    }
  }
}

template <class Refuse>
void check_score(const EnvSpec& spec, const Refuse& refuse) {
  const bool score = spec.find(PP_ROLE_SCORE) >= 0;
  if (score != (spec.find(PP_ROLE_CONTINUES) >= 0)) refuse("score and continues come together");
  if (!score) return;
  if (spec.multi_player()) refuse("it has several players, and a score is of one");
  for (const FieldSpec& field : spec.fields) {
    if (field.role == PP_ROLE_INFO && field.name == "score") {
      refuse("info field 'score' has the name under which the score is shown");
    }
  }
}

// Copies and checks; `env_id` is for the messages.
inline EnvSpec copy_spec(const pp_spec& spec, const std::string& env_id) {
  const auto refuse = [&env_id](const std::string& what) {
    throw Error(ErrorKind::plugin, env_id + " describes itself wrongly: " + what);
  };
  if (spec.struct_size < offsetof(pp_spec, reward_threshold) + sizeof(double))
    refuse("its struct_size is wrong");
  if (spec.n_field > 0 && spec.field == nullptr) refuse("it counts fields that are not there");
  EnvSpec copy;
  copy.max_players = spec.max_players;
  copy.max_episode_steps = spec.max_episode_steps;
  copy.reward_threshold = spec.reward_threshold;
  if (copy.max_players == 0 || copy.max_players > 65536) refuse("max_players is not in 1 .. 65536");
  if (copy.max_episode_steps < 0) refuse("max_episode_steps is negative");
  uint32_t seen[last_role + 1] = {};
  for (uint32_t f = 0; f < spec.n_field; ++f) {
    if (spec.field[f] == nullptr ||
        spec.field[f]->struct_size < offsetof(pp_field, n_high) + sizeof(uint32_t)) {
      refuse("field " + std::to_string(f) + " is NULL or its struct_size is wrong");
    }
    const pp_field& from = *spec.field[f];
    if (from.name != nullptr && *from.name != 0 && !is_name(from.name)) {
      refuse("field " + std::to_string(f) + " has a name that is no text in UTF-8");
    }
    FieldSpec field;
    field.role = from.role;
    field.name = from.name == nullptr ? "" : from.name;
    field.kind = from.kind;
    field.dtype = from.dtype;
    field.per_player = (from.flags & PP_FIELD_PER_PLAYER) != 0u;
    if (field.role < PP_ROLE_OBS || field.role > last_role) {
      refuse("field '" + field.name + "' has an unknown role");
    }
    const std::string role = role_name(field.role);
    const std::string label =
        field.name.empty() ? "the " + role + " field " : role + " field '" + field.name + "' ";
    if (field.kind < PP_KIND_BOX || field.kind > PP_KIND_TEXT)
      refuse(label + "has an unknown kind");
    const size_t item = dtypes::item_size(field.dtype);
    if (item == 0) refuse(label + "has an unknown dtype");
    if (from.ndim > PP_MAX_DIMS) refuse(label + "has more than 8 dimensions");
    for (uint32_t d = 0; d < from.ndim; ++d) {
      if (from.shape[d] < 0) refuse(label + "has a negative dimension");
      field.shape.push_back(from.shape[d]);
      if (from.shape[d] > 0 && field.elements > max_elements / static_cast<size_t>(from.shape[d])) {
        refuse(label + "has more than 2^40 elements");
      }
      field.elements *= static_cast<size_t>(from.shape[d]);
    }
    field.row_bytes = field.elements * item * (field.per_player ? copy.max_players : 1);
    for (const uint32_t n : {from.n_low, from.n_high}) {
      if (n > 1 && n != field.elements) {
        refuse(label + "has " + std::to_string(n) + " bounds and " +
               std::to_string(field.elements) +
               " elements: there are none, one for all or one for each");
      }
    }
    if ((from.n_low > 0 && from.low == nullptr) || (from.n_high > 0 && from.high == nullptr)) {
      refuse(label + "counts bounds that are not there");
    }
    const auto* low = static_cast<const unsigned char*>(from.low);
    const auto* high = static_cast<const unsigned char*>(from.high);
    if (from.n_low > 0) field.low.assign(low, low + from.n_low * item);
    if (from.n_high > 0) field.high.assign(high, high + from.n_high * item);
    const bool integral = !dtypes::is_floating(field.dtype);
    if (field.kind == PP_KIND_DISCRETE &&
        (!integral || field.elements != 1 || from.n_low != 1 || from.n_high != 1)) {
      refuse(label + "is discrete, so it needs an integer dtype, one element and both bounds");
    }
    if (field.kind == PP_KIND_MULTI_DISCRETE &&
        (!integral || from.n_low == 0 || from.n_high == 0)) {
      refuse(label + "is multi-discrete, so it needs an integer dtype and both bounds");
    }
    if (field.kind == PP_KIND_MULTI_BINARY && !integral) {
      refuse(label + "is multi-binary, so it needs an integer dtype or bool");
    }
    if (field.kind == PP_KIND_TEXT &&
        (field.dtype != PP_UINT8 || from.ndim != 1 || field.per_player ||
         (field.role != PP_ROLE_OBS && field.role != PP_ROLE_INFO))) {
      refuse(label +
             "is text, so it needs the dtype uint8, one dimension and no flag, in observations or "
             "info");
    }
    if (const char* wrong = wrong_bounds(field.kind, field.dtype, field.low, field.high)) {
      refuse(label + wrong);
    }
    check_name(copy.fields, field, label, refuse);
    check_info_name(field, refuse);
    if (field.role >= PP_ROLE_REWARD) {
      if (++seen[field.role] > 1) refuse(label + "is a second one; this role may occur once");
      const bool number = field.role == PP_ROLE_REWARD || field.role == PP_ROLE_DISCOUNT ||
                          field.role == PP_ROLE_SCORE;
      const uint32_t wanted = number                          ? PP_FLOAT64
                              : field.role == PP_ROLE_PLAYERS ? PP_INT32
                                                              : PP_BOOL;
      if (field.dtype != wanted) {
        refuse(
            label +
            "has the wrong dtype: rewards, discounts and scores are float64, flags bool, players "
            "int32");
      }
      if (field.elements != 1) {
        refuse(label + "has more than one element; per player it is flagged PP_FIELD_PER_PLAYER");
      }
    }
    copy.fields.push_back(std::move(field));
  }
  check_players(copy, refuse);
  check_score(copy, refuse);
  if (copy.find(PP_ROLE_REWARD) < 0) refuse("there is no reward field");
  if (copy.find(PP_ROLE_TERMINATED) < 0) refuse("there is no terminated field");
  if (copy.find(PP_ROLE_OBS) < 0) refuse("there is no observation field");
  if (copy.find(PP_ROLE_ACTION) < 0) refuse("there is no action field");
  return copy;
}

}  // namespace pp::host
