#include "conformance/shard_player.hpp"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <iterator>
#include <utility>

#include "conformance/field_label.hpp"
#include "conformance/memory_fill.hpp"
#include "parallel_pool/ext/render.h"
#include "parallel_pool/ext/state.h"
#include "parallel_pool/host/plugin/error_sink.hpp"
#include "parallel_pool/host/plugin/extension.hpp"
#include "plugin/env_spec.hpp"
#include "plugin/option_values.hpp"

namespace pp::python {
namespace {

uint64_t digest(uint64_t hash, const unsigned char* from, size_t bytes) {
  for (; bytes >= 8; from += 8, bytes -= 8) {
    uint64_t word = 0;
    std::memcpy(&word, from, 8);
    hash = (hash ^ word) * 0x9E3779B97F4A7C15u;
    hash ^= hash >> 29;
  }
  for (; bytes > 0; ++from, --bytes) hash = (hash ^ *from) * 0x100000001B3u;
  return hash;
}

}  // namespace

ShardPlayer::ShardPlayer(const Plugin& plugin, const std::string& env_id, const py::dict& options,
                         const std::vector<py::array>& actions, PlayMode mode)
    : env_(plugin.library().env(env_id)),
      values_(parse_options(env_, options)),
      spec_(describe_env(env_, *values_)),
      how_(std::move(mode)),
      lanes_(static_cast<uint32_t>(how_.roles.size())),
      late_((env_.flags & PP_ENV_LATE_ROWS) != 0u),
      actions_(spec_.fields.size()),
      pointers_(spec_.fields.size()),
      elapsed_(lanes_) {
  size_t next = 0;
  for (size_t f = 0; f < spec_.fields.size(); ++f) {
    const host::FieldSpec& field = spec_.fields[f];
    const size_t held = (how_.one_by_one || late_ ? 1 : lanes_) * field.row_bytes;
    for (std::vector<std::vector<unsigned char>>& batch : batches_) {
      batch.emplace_back(2 * far + held, how_.fill);
    }
    if (field.role != PP_ROLE_ACTION) continue;
    const py::array& given = actions.at(next++);
    period_ = static_cast<size_t>(given.shape(0));
    roles_ = static_cast<uint32_t>(given.shape(1));
    actions_[f] = static_cast<const unsigned char*>(given.data());
  }
  for (const uint32_t role : how_.roles) {
    if (role >= roles_) throw py::value_error("there are no actions of such a role");
  }
}

ShardPlayer::~ShardPlayer() {
  destroy(self_);
  destroy(other_);
}

void ShardPlayer::run() {
  self_ = create();
  for (size_t time = 0; self_ != nullptr && time < how_.times && findings_.empty(); ++time) {
    record_.clear();
    play();
  }
  for (size_t f = 0; f < actions_.size() && findings_.empty(); ++f) {
    for (const auto& batch : batches_) {
      const auto other = [this](unsigned char byte) { return byte != how_.fill; };
      if (std::any_of(batch[f].begin(), batch[f].begin() + (far - near), other) ||
          std::any_of(batch[f].end() - (far - near), batch[f].end(), other)) {
        find("a step or a reset writes far outside of the row of " + field_label(spec_.fields[f]));
      }
    }
  }
}

py::array_t<uint64_t> ShardPlayer::record() const {
  const size_t row = lanes_ * spec_.fields.size();
  py::array_t<uint64_t> array(
      {record_.size() / std::max<size_t>(row, 1), size_t{lanes_}, spec_.fields.size()});
  std::copy(record_.begin(), record_.end(), array.mutable_data());
  return array;
}

void ShardPlayer::play() {
  const auto start = std::chrono::steady_clock::now();
  std::vector<uint64_t> seeds;
  for (const uint32_t role : how_.roles) seeds.push_back(2000 + role);
  std::vector<uint8_t> mask(lanes_, 1);
  std::fill(elapsed_.begin(), elapsed_.end(), 0);
  record_.resize(record_.size() + lanes_ * actions_.size());
  if (!call(false, mask.data(), seeds.data(), 0)) return;
  for (size_t step = 0; step < how_.calls; ++step) {
    if (how_.seconds > 0 &&
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count() >
            how_.seconds) {
      break;
    }
    if (how_.cut > 0 && step > 0 && step % how_.cut == 0 && !move()) return;
    if (how_.look > 0 && step % how_.look == 0 && !draw()) return;
    record_.resize(record_.size() + lanes_ * actions_.size());
    over_.assign(lanes_, 0);
    if (!call(true, nullptr, nullptr, step)) return;
    bool any = false;
    for (uint32_t lane = 0; lane < lanes_; ++lane) {
      ++elapsed_[lane];
      // Half of the environments are also reset in the middle of long episodes.
      const bool is_short = how_.roles[lane] % 2 == 1 && elapsed_[lane] >= 211;
      mask[lane] = static_cast<uint8_t>(over_[lane] != 0 || is_short ||
                                        (how_.limit > 0 && elapsed_[lane] >= how_.limit));
      if (mask[lane] != 0) elapsed_[lane] = 0;
      any = any || mask[lane] != 0;
    }
    if (any && !call(false, mask.data(), nullptr, 0)) return;
  }
}

bool ShardPlayer::call(bool step, const uint8_t* mask, const uint64_t* seeds, size_t number) {
  if (!how_.one_by_one && !late_) return call_once(step, 0, lanes_, mask, seeds, number);
  for (uint32_t lane = 0; lane < lanes_; ++lane) {
    if (mask != nullptr && mask[lane] == 0) continue;
    const uint64_t* seed = seeds == nullptr ? nullptr : seeds + lane;
    if (!call_once(step, lane, 1, nullptr, seed, number)) return false;
  }
  return true;
}

void ShardPlayer::point(bool outputs) {
  for (size_t f = 0; f < actions_.size(); ++f) {
    const bool there = spec_.fields[f].role == PP_ROLE_ACTION ? stepping_ : outputs;
    pointers_[f] = there ? rows(f) : nullptr;
  }
}

bool ShardPlayer::call_once(bool step, uint32_t first, uint32_t count, const uint8_t* mask,
                            const uint64_t* seeds, size_t number) {
  stepping_ = step;
  turn_ = (turn_ + 1) % std::size(batches_);  // an environment's rows are never where they were
  for (size_t f = 0; f < actions_.size(); ++f) {
    const size_t bytes = spec_.fields[f].row_bytes;
    for (auto& batch : batches_) {
      std::fill(batch[f].begin() + (far - near), batch[f].end() - (far - near), how_.fill);
    }
    if (actions_[f] == nullptr) continue;
    for (uint32_t i = 0; i < count && bytes > 0; ++i) {
      const size_t place = number % period_ * roles_ + how_.roles[first + i];
      std::memcpy(rows(f) + i * bytes, actions_[f] + place * bytes, bytes);
    }
  }
  point(!late_);
  const pp_lanes lanes{sizeof(pp_lanes), first,  count, 0u,      mask,   seeds,
                       pointers_.data(), &claim, this,  nullptr, nullptr};
  const host::ErrorSink sink;
  if (how_.stack >= 0) fill_stack(static_cast<uint8_t>(how_.stack));
  const int32_t status = step ? env_.step(self_, &lanes) : env_.reset(self_, &lanes);
  const std::string name = step ? "step" : "reset";
  if (status != 0 || !sink.empty()) {
    find(name + " fails with valid actions, " + std::to_string(number) +
         " steps into play: " + sink.text());
    return false;
  }
  return take(name, first, count, mask, number);
}

bool ShardPlayer::take(const std::string& name, uint32_t first, uint32_t count, const uint8_t* mask,
                       size_t number) {
  uint64_t* const now = record_.data() + record_.size() - lanes_ * actions_.size();
  for (size_t f = 0; f < actions_.size(); ++f) {
    const host::FieldSpec& field = spec_.fields[f];
    if (actions_[f] != nullptr) continue;
    const auto other = [this](unsigned char byte) { return byte != how_.fill; };
    const unsigned char* const all = rows(f);
    const unsigned char* const end = all + count * field.row_bytes;
    const bool before = std::any_of(all - near, all, other);
    if (before || std::any_of(end, end + near, other)) {
      find(name + " writes " + (before ? "before" : "behind") + " the row of " +
           field_label(spec_.fields[f]) + ", " + std::to_string(number + 1) +
           " steps into play and " + std::to_string(elapsed_[first] + 1) +
           " into its episode: an index is out of its range there; check the one with which " +
           name + "() writes");
      return false;
    }
    if (!stepping_ && !host::is_of_resets(field.role)) continue;
    for (uint32_t i = 0; i < count; ++i) {
      if (mask != nullptr && mask[i] == 0) continue;
      const unsigned char* const row = all + i * field.row_bytes;
      uint64_t& told = now[(first + i) * actions_.size() + f];
      told = written(field, f, row, i, told);
      if (field.role != PP_ROLE_TERMINATED && field.role != PP_ROLE_TRUNCATED) continue;
      // Several flags: over for all players, or as good as over.
      const auto out = [](auto flag) { return flag != 0 && flag != PP_PLAYS_ON; };
      if (stepping_ && std::any_of(row, row + field.row_bytes, out)) {
        over_[first + i] = 1;
      }
    }
  }
  return true;
}

uint64_t ShardPlayer::written(const host::FieldSpec& field, size_t f, const unsigned char* row,
                              uint32_t i, uint64_t hash) {
  const int players = spec_.find(PP_ROLE_PLAYERS);
  const bool varies = players >= 0 && field.per_player && static_cast<size_t>(players) != f;
  if (!varies) return digest(hash, row, field.row_bytes);
  const host::FieldSpec& about = spec_.fields[static_cast<size_t>(players)];
  const unsigned char* present = rows(static_cast<size_t>(players)) + i * about.row_bytes;
  const size_t each = field.row_bytes / spec_.max_players;
  for (uint32_t k = 0; k < spec_.max_players; ++k) {
    int32_t number = 0;
    std::memcpy(&number, present + (about.per_player ? k * sizeof number : 0), sizeof number);
    const bool there = about.per_player ? number != 0 : static_cast<int32_t>(k) < number;
    if (there) hash = digest(hash, row + k * each, each);
  }
  return hash;
}

bool ShardPlayer::move() {
  const auto* states = host::find_extension<pp_state>(env_, PP_EXT_STATE);
  if (states == nullptr) return false;
  const host::ErrorSink sink;
  fresh_ = !fresh_;
  if (fresh_) {
    destroy(other_);
    other_ = create();
    if (other_ == nullptr) return false;
  }
  for (uint32_t lane = 0; lane < lanes_; ++lane) {
    std::vector<unsigned char> bytes(
        static_cast<size_t>(std::max<int64_t>(0, states->size(self_, lane))));
    const int64_t size = states->save(self_, lane, bytes.data(), bytes.size());
    if (size < 0 || states->load(other_, lane, bytes.data(), static_cast<uint64_t>(size)) != 0) {
      find("a state that was saved " + std::to_string(elapsed_[lane]) +
           " steps into its episode cannot be restored: " + sink.text());
      return false;
    }
  }
  std::swap(self_, other_);
  return true;
}

bool ShardPlayer::draw() {
  const auto* pictures = host::find_extension<pp_render>(env_, PP_EXT_RENDER);
  if (pictures == nullptr) return false;
  for (uint32_t lane = 0; lane < lanes_; ++lane) {
    uint32_t size[2] = {0, 0};
    const host::ErrorSink sink;
    if (pictures->size(self_, lane, &size[0], &size[1]) != 0) return false;
    std::vector<uint8_t> drawn[2];
    for (const uint8_t fill : {0x11, 0x77}) {
      std::vector<uint8_t>& rgb = drawn[fill == 0x77];
      rgb.assign(size_t{3} * size[0] * size[1], fill);
      if (how_.stack >= 0) fill_stack(fill);
      if (pictures->draw(self_, lane, rgb.data()) != 0) return false;
    }
    if (drawn[0] != drawn[1]) {
      find("one state is drawn in two ways, " + std::to_string(elapsed_[lane]) +
           " steps into its episode: draw() has to write every byte of the picture, and takes no "
           "random numbers, no time of day and no static variables");
      return false;
    }
  }
  return true;
}

void* ShardPlayer::create() {
  const std::vector<const pp_value*> values(lanes_, values_->data());
  const pp_shard shard{sizeof(pp_shard), lanes_, values.data()};
  const host::ErrorSink sink;
  if (how_.stack >= 0) fill_stack(static_cast<uint8_t>(how_.stack));
  void* made = create_below(env_, shard);
  if (made == nullptr) find("create fails: " + sink.text());
  return made;
}

void ShardPlayer::destroy(void*& shard) {
  if (shard != nullptr) env_.destroy(shard);
  shard = nullptr;
}

void ShardPlayer::find(const std::string& what) {
  if (findings_.empty()) findings_.push_back(what);
}

}  // namespace pp::python
