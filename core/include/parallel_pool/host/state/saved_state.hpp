// parallel_pool/host/state/saved_state.hpp: the bytes of a saved environment.
//
// StateHead, then one hash per option, the environment's id, the plugin's version, what the host
// keeps of its players (state/player_table.hpp; nothing for one player), and what the plugin's
// extension "pp.state/1" wrote. Read back only into the same environment of the same plugin version
// with the same options; every refusal names what differs. The checksum finds damage, not malice:
// of what the host keeps (state/host_state.hpp) each number has a range as well.
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "parallel_pool/abi.h"
#include "parallel_pool/ext/state.h"
#include "parallel_pool/host/base/error.hpp"
#include "parallel_pool/host/base/text.hpp"
#include "parallel_pool/host/state/host_state.hpp"

namespace pp::host {

[[gnu::always_inline]] inline uint64_t word_at(const char* byte) {
  uint64_t word = 0;
  std::memcpy(&word, byte, sizeof word);
  return word;
}

[[gnu::always_inline]] inline void mix(uint64_t& hash, uint64_t word) {
  hash = (hash ^ word) * 0xff51afd7ed558ccdu;
  hash ^= hash >> 32;
}

// A 64-bit hash, a word at a time. Each word goes in by steps that can be undone, so two inputs of
// one length that differ in one word never agree.
inline uint64_t hash_bytes(const void* data, size_t size, uint64_t hash = 0x9e3779b97f4a7c15u) {
  const char* byte = static_cast<const char*>(data);
  for (; size >= 8; byte += 8, size -= 8) mix(hash, word_at(byte));
  uint64_t rest = 0;
  if (size > 0) std::memcpy(&rest, byte, size);
  mix(hash, rest);
  mix(hash, size);
  return hash;
}

// Hashes many bytes: four hashes side by side, a word to each in turn, because one alone waits for
// its multiplications.
inline uint64_t checksum_bytes(const void* data, size_t size) {
  const uint64_t whole = size;
  uint64_t lane[] = {1, 2, 3, 4};
  const char* byte = static_cast<const char*>(data);
  for (; size >= sizeof lane; byte += sizeof lane, size -= sizeof lane) {
    mix(lane[0], word_at(byte));
    mix(lane[1], word_at(byte + 8));
    mix(lane[2], word_at(byte + 16));
    mix(lane[3], word_at(byte + 24));
  }
  return hash_bytes(byte, size, hash_bytes(lane, sizeof lane, whole));
}

inline uint64_t hash_value(const pp_value& value) {
  const uint64_t kind = hash_bytes(&value.kind, sizeof value.kind);
  switch (value.kind) {
    case PP_OPTION_FLOAT: {
      const double number = value.f == 0.0 ? 0.0 : value.f;  // -0.0 is equal to it
      return hash_bytes(&number, sizeof number, kind);
    }
    case PP_OPTION_STRING:
      return value.s == nullptr ? kind : hash_bytes(value.s, std::strlen(value.s), kind);
    case PP_OPTION_ARRAY:
      return hash_bytes(value.data, static_cast<size_t>(value.count) * sizeof(double), kind);
    default:
      return hash_bytes(&value.i, sizeof value.i, kind);
  }
}

// The bounds of one environment's identity: what a state must agree with.
struct StateIdentity {
  std::string_view id;
  std::string_view version;             // the plugin's
  const std::vector<uint64_t>* option;  // hashes; 0: any value will do
};

struct StateHead {
  static constexpr uint32_t magic_value = 0x54535050u;  // "PPST" read as a little-endian word
  static constexpr uint32_t format_value = 3;

  uint32_t magic = magic_value;
  uint32_t format = format_value;
  uint64_t checksum = 0;  // covers everything after it
  HostState host;
  uint32_t n_option = 0;
  uint32_t id_bytes = 0;
  uint32_t version_bytes = 0;
  uint32_t player_bytes = 0;
  uint64_t plugin_bytes = 0;

  static constexpr size_t checked = 16;  // the checksum covers the bytes from here on
};
static_assert(sizeof(StateHead) == 96 && std::is_trivially_copyable_v<StateHead>, "no padding");

// A state with room for `plugin_bytes`; *plugin is where they go. seal() finishes it.
inline std::string make_state(const StateIdentity& identity, const HostState& host,
                              std::string_view players, uint64_t plugin_bytes, char** plugin) {
  StateHead head;
  head.host = host;
  head.n_option = static_cast<uint32_t>(identity.option->size());
  head.id_bytes = static_cast<uint32_t>(identity.id.size());
  head.version_bytes = static_cast<uint32_t>(identity.version.size());
  head.player_bytes = static_cast<uint32_t>(players.size());
  std::string state;
  const size_t front = sizeof head + identity.option->size() * sizeof(uint64_t) +
                       identity.id.size() + identity.version.size() + players.size();
  state.reserve(front + plugin_bytes);
  state.append(reinterpret_cast<const char*>(&head), sizeof head);
  state.append(reinterpret_cast<const char*>(identity.option->data()),
               identity.option->size() * sizeof(uint64_t));
  state.append(identity.id).append(identity.version).append(players);
  state.resize(front + plugin_bytes);
  *plugin = &state[front];
  return state;
}

inline void seal_state(std::string& state, uint64_t room, uint64_t plugin_bytes) {
  state.resize(state.size() - static_cast<size_t>(room - plugin_bytes));
  StateHead head;
  std::memcpy(&head, state.data(), sizeof head);
  head.plugin_bytes = plugin_bytes;
  std::memcpy(&state[0], &head, sizeof head);
  head.checksum =
      checksum_bytes(state.data() + StateHead::checked, state.size() - StateHead::checked);
  std::memcpy(&state[0], &head, sizeof head);
}

// A state taken apart; points into the bytes it was read from.
class StateView {
 public:
  // Throws unless the bytes are a whole and undamaged state.
  explicit StateView(std::string_view bytes) {
    const auto refuse = [](const std::string& what) { throw Error(ErrorKind::state, what); };
    const auto truncated = [&](size_t wanted) {
      refuse("the state is truncated: it has " + std::to_string(bytes.size()) + " bytes of " +
             std::to_string(wanted));
    };
    uint32_t magic = 0;
    if (bytes.size() < sizeof magic) truncated(sizeof head_);
    std::memcpy(&magic, bytes.data(), sizeof magic);
    if (magic == 0x50505354u) {
      refuse("the state is from a machine of the other byte order; it cannot be restored here");
    }
    if (magic != StateHead::magic_value) refuse("these bytes are not a state of an environment");
    if (bytes.size() < sizeof head_) truncated(sizeof head_);
    std::memcpy(&head_, bytes.data(), sizeof head_);
    if (head_.format != StateHead::format_value) {
      refuse("the state has format " + std::to_string(head_.format) +
             ", and this parallel-pool reads " + std::to_string(StateHead::format_value) +
             ": restore it with the version of parallel-pool that saved it");
    }
    const uint64_t front = sizeof head_ + uint64_t{head_.n_option} * sizeof(uint64_t) +
                           head_.id_bytes + head_.version_bytes + head_.player_bytes;
    // A made up size may be so large that their sum is small again.
    const bool sums_up = front <= bytes.size() && head_.plugin_bytes == bytes.size() - front;
    // A damaged length is as likely as any other damage, so the sizes are only believed together
    // with the checksum.
    const bool intact = head_.checksum == checksum_bytes(bytes.data() + StateHead::checked,
                                                         bytes.size() - StateHead::checked);
    if (!intact && head_.plugin_bytes < max_bytes && front + head_.plugin_bytes > bytes.size()) {
      truncated(static_cast<size_t>(front + head_.plugin_bytes));
    }
    if (!intact || !sums_up) {
      refuse("the state is corrupt: its checksum does not match its bytes");
    }
    option_.resize(head_.n_option);
    if (!option_.empty()) {
      std::memcpy(option_.data(), bytes.data() + sizeof head_, option_.size() * sizeof(uint64_t));
    }
    const size_t text = sizeof head_ + option_.size() * sizeof(uint64_t);
    id_ = bytes.substr(text, head_.id_bytes);
    version_ = bytes.substr(text + head_.id_bytes, head_.version_bytes);
    players_ = bytes.substr(text + head_.id_bytes + head_.version_bytes, head_.player_bytes);
    plugin_ = bytes.substr(static_cast<size_t>(front));
  }

  const HostState& host() const { return head_.host; }
  std::string_view players() const { return players_; }
  std::string_view plugin() const { return plugin_; }

  // Throws unless the state is of this environment.
  void check(const StateIdentity& here, const pp_env& env, size_t player_bytes,
             const std::string& where) const {
    const auto refuse = [&where](const std::string& what) {
      throw Error(ErrorKind::state, "the state does not fit " + where + ": " + what);
    };
    // A state may be made up, and its text not be UTF-8.
    const auto shown = [](std::string_view text) { return readable(std::string(text).c_str()); };
    const auto quoted = [&shown](std::string_view text) { return "'" + shown(text) + "'"; };
    if (id_ != here.id) {
      refuse("it is of the environment " + quoted(id_) + ", not of " + quoted(here.id));
    }
    if (version_ != here.version) {
      refuse("it was saved by version " + shown(version_) + " of the plugin, and this is " +
             std::string(here.version));
    }
    if (option_.size() != here.option->size()) {
      refuse("it was saved with " + std::to_string(option_.size()) + " options, and there are " +
             std::to_string(here.option->size()));
    }
    std::string different;
    for (size_t i = 0; i < option_.size(); ++i) {
      if (option_[i] == (*here.option)[i]) continue;
      different += (different.empty() ? "" : ", ") + quoted(env.option[i]->name);
    }
    if (!different.empty()) {
      refuse("it was saved with other options; these differ: " + different);
    }
    if (players_.size() != player_bytes) refuse("it has another number of players");
    const std::string out_of_range = find_out_of_range(head_.host);
    if (!out_of_range.empty()) refuse(out_of_range);
  }

 private:
  static constexpr uint64_t max_bytes = uint64_t{1} << 48;

  StateHead head_;
  std::vector<uint64_t> option_;
  std::string_view id_;
  std::string_view version_;
  std::string_view players_;
  std::string_view plugin_;
};

// The hashes of one lane's options.
inline std::vector<uint64_t> hash_options(const pp_env& env, const pp_value* value,
                                          const pp_state& extension) {
  std::vector<uint64_t> hashes;
  for (uint32_t i = 0; i < env.n_option; ++i) {
    bool local = false;
    for (uint32_t k = 0; k < extension.n_local_option; ++k) {
      local = local || std::strcmp(extension.local_option[k], env.option[i]->name) == 0;
    }
    hashes.push_back(local ? 0 : hash_value(value[i]));
  }
  return hashes;
}

}  // namespace pp::host
