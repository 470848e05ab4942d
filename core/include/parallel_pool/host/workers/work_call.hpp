// parallel_pool/host/workers/work_call.hpp: one call of op work: rows of a shard that its worker
// steps and resets, and the rows of the answer.
//
// It may be begun before the pool asks, and its answer given out in parts: the pool's calls of step
// and reset are two, and to the worker they are one. Answers are kept by lane until the pool asks
// for them, so it does not matter which of several runs of a shard asks first: a lane is on its way
// once, in the pool, so its answer is for the run that asks for it, and it has a row of its own in
// the mailbox.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "parallel_pool/abi.h"
#include "parallel_pool/host/plugin/error_sink.hpp"
#include "parallel_pool/host/plugin/spec.hpp"
#include "parallel_pool/host/threads/attention.hpp"
#include "parallel_pool/host/workers/info_store.hpp"
#include "parallel_pool/host/workers/lane_losses.hpp"
#include "parallel_pool/host/workers/mailbox.hpp"
#include "parallel_pool/host/workers/shard_place.hpp"
#include "parallel_pool/host/workers/wire_format.hpp"
#include "parallel_pool/host/workers/worker.hpp"

namespace pp::host::workers {

// Passes on an error of an environment, or a note.
inline void tell(Record kind, uint32_t lane, const char* text) {
  if (kind == Record::note) ErrorSink::set_note(nullptr, lane, text);
  if (kind == Record::error) ErrorSink::set_error(nullptr, lane, text);
}

// Passes on the errors and notes in the answer of a worker.
inline void report(const std::string& text) {
  each_record(text, [](Record kind, uint32_t lane, const char* bytes, size_t size) {
    tell(kind, lane, std::string(bytes, size).c_str());
  });
}

// Used with the worker's mutex held.
class WorkCall {
 public:
  // All of these outlive it.
  WorkCall(const WorkerContext& shared, Worker& worker, const ShardPlace& place, LaneLosses& losses)
      : shared_(shared),
        worker_(worker),
        place_(place),
        losses_(losses),
        next_(place.count, kind_leave),
        asked_(place.count, kind_leave),
        seed_(place.count, 0),
        failed_(place.count, 0),
        handle_(place.count, 0),
        part_(place.count, 0),
        steps_(place.count, 1),
        given_(place.count, 0) {}

  // ---- what is asked ------------------------------------------------------------------------

  // Returns true if the pool's call wants the lane in this row.
  static bool wants(const pp_lanes& lanes, uint32_t row) {
    return lanes.mask == nullptr || lanes.mask[row] != 0;
  }
  // Returns true if the lane was asked, and its row not given out.
  bool has(uint32_t lane) const { return asked_[lane] != kind_leave; }
  // Returns true if that is so for all lanes that the call wants.
  bool has_all(const pp_lanes& lanes) const {
    for (uint32_t i = 0; i < lanes.count; ++i) {
      if (wants(lanes, i) && !has(lanes.first + i)) return false;
    }
    return true;
  }

  // Set what the worker does with a lane in the call that is sent next: a step (false for a lost
  // lane, which does none), or a reset, with the seed `given` or NULL. Other lanes are left alone.
  // `ahead`: of Shard.
  bool choose_step(uint32_t lane, const std::vector<uint32_t>& ahead) {
    if (losses_.lost(lane)) return false;
    next_[lane] = kind_step;
    // If players come and go, only an environment in Python sees that it has to stop.
    const bool stops = shared_.config->handle_field >= 0 || !shared_.spec->multi_player();
    steps_[lane] = ahead.empty() || !stops ? 1 : ahead[lane];
    return true;
  }
  void choose_reset(uint32_t lane, const uint64_t* given) {
    std::optional<uint64_t> seed;
    if (given != nullptr) {
      losses_.set_seed(lane, *given);
      seed = *given;
    } else if (losses_.lost(lane)) {
      seed = losses_.derived_seed(lane);
    }
    next_[lane] = seed ? kind_reset_with_seed : kind_reset;
    seed_[lane] = seed.value_or(0);
  }

  // Sends that, for lanes among these, when nothing else is on its way. `field`: where actions are,
  // if lanes are to be stepped. `arguments`: of resets, by lane.
  void send(uint32_t first, uint32_t count, void* const* field,
            const std::map<uint32_t, std::string>& arguments, bool alone = false) {
    place_.address(worker_, first, count);
    worker_.box.call().alone = alone || shared_.chunk != 0 ? 1 : 0;
    uint32_t most = 1;
    for (uint32_t lane = first; lane < first + count; ++lane) {
      if (next_[lane] == kind_step) most = std::max(most, steps_[lane]);
    }
    for (uint32_t f = 0; f < shared_.n_worker_field && field != nullptr; ++f) {
      const FieldSpec& each = shared_.spec->fields[f];
      if (each.role != PP_ROLE_ACTION || field[f] == nullptr) continue;
      const auto* from = static_cast<const char*>(field[f]);
      for (uint32_t k = 0; k < most; ++k, from += each.row_bytes * shared_.num_envs) {
        std::memcpy(worker_.box.row(f, first, k), from, each.row_bytes * count);
      }
    }
    std::memcpy(worker_.box.steps() + first, steps_.data() + first, count * sizeof(uint32_t));
    std::memcpy(worker_.box.kind() + first, next_.data() + first, count);
    std::memcpy(worker_.box.seed() + first, seed_.data() + first, count * sizeof(uint64_t));
    text_.clear();
    for (const auto& [lane, bytes] : arguments) {
      if (lane < first || lane - first >= count || next_[lane] < kind_reset) continue;
      add_record(text_, Record::reset_options, lane, bytes.data(), bytes.size());
    }
    for (uint32_t lane = first; lane < first + count; ++lane) {
      if (next_[lane] == kind_leave) continue;
      asked_[lane] = std::exchange(next_[lane], kind_leave);
    }
    first_ = first;
    count_ = count;
    worker_.send(Op::work, shared_.config->step_timeout * most, text_);
    begun_ = worker_.begun = true;
  }

  // ---- the answer ---------------------------------------------------------------------------

  // Waits for the answer to what was sent, if that is on its way, and keeps it. False if the worker
  // died of it.
  bool receive() {
    if (!begun_) return true;
    bool answered = worker_.receive();
    begun_ = worker_.begun = false;
    if (!answered) return false;
    const int32_t status = worker_.box.call().status;
    text_.clear();
    if (worker_.box.call().size > 0) {
      const Attention none(nullptr);  // it is there, so no caller is called away from it
      answered = worker_.fetch(&text_);
    }
    if (answered) keep(status);
    return answered;
  }

  // The worker that gave the answers is no more, and the environments with it.
  void forget() {
    begun_ = false;
    std::fill(asked_.begin(), asked_.end(), kind_leave);
    std::fill(failed_.begin(), failed_.end(), 0);
    said_.clear();
    std::fill(handle_.begin(), handle_.end(), 0);
    std::fill(given_.begin(), given_.end(), 0);
  }

  // Gives out the rows of those that the call wants and that have an answer.
  int32_t deliver(const pp_lanes& lanes) {
    int32_t status = 0;
    uint32_t n = 0;
    for (uint32_t i = 0; i < lanes.count; ++i) {
      const uint32_t lane = lanes.first + i;
      part_[i] = wants(lanes, i) && has(lane) ? 1 : 0;
      if (part_[i] == 0) continue;
      ++n;
      if (is_last(lane)) status |= failed_[lane];
      if (asked_[lane] != kind_step) losses_.restore(lane);
    }
    if (n == 0) return 0;
    copy_rows(lanes, n == lanes.count);
    give_out_infos(lanes);
    if (!said_.empty()) pass_on(lanes);
    for (uint32_t i = 0; i < lanes.count; ++i) {
      if (part_[i] == 0) continue;
      const uint32_t lane = lanes.first + i;
      const bool last = is_last(lane);
      given_[lane] = last ? 0 : given_[lane] + 1;
      if (!last) continue;
      asked_[lane] = kind_leave;
      failed_[lane] = 0;
    }
    return status;
  }

  // Forgets steps of a chunk that the pool has no use for, before these lanes are reset.
  void drop_steps(const pp_lanes& lanes) {
    if (shared_.chunk == 0) return;
    for (uint32_t i = 0; i < lanes.count; ++i) {
      const uint32_t lane = lanes.first + i;
      if (!wants(lanes, i) || asked_[lane] != kind_step) continue;
      asked_[lane] = kind_leave;
      failed_[lane] = 0;
      given_[lane] = 0;
    }
  }

  // The rows of lanes that were to be stepped and are lost.
  void give_up_lost(const pp_lanes& lanes) {
    for (uint32_t i = 0; i < lanes.count; ++i) {
      if (!wants(lanes, i) || !losses_.lost(lanes.first + i)) continue;
      lanes.claim_rows(&lanes);
      for (uint32_t f = 0; f < shared_.spec->fields.size(); ++f) {
        const FieldSpec& field = shared_.spec->fields[f];
        auto* to = static_cast<char*>(lanes.field[f]);
        if (field.role == PP_ROLE_ACTION || to == nullptr) continue;
        const bool flag = f == shared_.truncated_field || f == shared_.crashed_field;
        std::memset(to + i * field.row_bytes, flag ? 1 : 0, field.row_bytes);
        if (static_cast<int>(f) == shared_.discount_field) {
          const double one = 1.0;  // one per player, maybe
          for (size_t at = 0; at < field.row_bytes; at += sizeof one) {
            std::memcpy(to + i * field.row_bytes + at, &one, sizeof one);
          }
        }
      }
    }
  }

 private:
  // The messages about a lane.
  struct LaneMessages {
    Record kind;
    uint32_t lane;
    std::string text;
  };

  // The row that is given out next is the last of the lane's answer.
  bool is_last(uint32_t lane) const { return given_[lane] + 1 >= steps_[lane]; }

  // An answer with this status, and text_.
  void keep(int32_t status) {
    for (uint32_t lane = first_; lane < first_ + count_; ++lane) {
      if (!has(lane) || given_[lane] != 0) continue;
      steps_[lane] = asked_[lane] == kind_step ? worker_.box.steps()[lane] : 1;
    }
    bool blamed = false;  // an environment was blamed for that status
    each_record(text_, [&](Record kind, uint32_t lane, const char* bytes, size_t size) {
      if (kind == Record::advice) worker_.advise({bytes, size});
      if (kind == Record::dropped) worker_.dropped(place_.env0 + lane, {bytes, size});
      if (kind == Record::info) keep_infos({bytes, size});
      if (kind != Record::error && kind != Record::note) return;
      blamed = blamed || kind == Record::error;
      const bool one = lane >= first_ && lane - first_ < count_ && has(lane);
      if (kind == Record::note && !one) return;
      for (uint32_t each = first_; each < first_ + count_; ++each) {
        if (!has(each) || (one && each != lane)) continue;
        said_.push_back({kind, each, std::string(bytes, size)});
        if (kind == Record::error && status != 0) failed_[each] = 1;
      }
    });
    for (uint32_t lane = first_; lane < first_ + count_ && status != 0 && !blamed; ++lane) {
      if (has(lane)) failed_[lane] = 1;
    }
  }

  // One ticket for the infos of all lanes.
  void keep_infos(std::string_view record) {
    if (shared_.config->handle_field < 0) return;
    ByteReader in(record);
    const auto count = in.read<uint32_t>();
    const std::string_view named = in.text(count * sizeof(uint32_t));
    const std::string_view pickle = in.text(record.size());
    const int64_t handle = shared_.infos->keep(pickle.data(), pickle.size());
    for (ByteReader each(named); !each.done();) {
      const auto lane = each.read<uint32_t>();
      if (lane < handle_.size() && has(lane)) handle_[lane] = handle;
    }
  }

  // Passes on the messages about the lanes in part_.
  void pass_on(const pp_lanes& lanes) {
    const auto theirs = [&](const LaneMessages& said) {
      const uint32_t row = said.lane - lanes.first;
      if (row >= lanes.count || part_[row] == 0 || !is_last(said.lane)) return false;
      tell(said.kind, said.lane, said.text.c_str());
      return true;
    };
    said_.erase(std::remove_if(said_.begin(), said_.end(), theirs), said_.end());
  }

  // The output rows of the lanes in part_, from the mailbox to where the pool wants them.
  void copy_rows(const pp_lanes& lanes, bool all) {
    lanes.claim_rows(&lanes);
    for (uint32_t f = 0; f < shared_.spec->fields.size(); ++f) {
      const FieldSpec& field = shared_.spec->fields[f];
      auto* to = static_cast<char*>(lanes.field[f]);
      if (field.role == PP_ROLE_ACTION || to == nullptr) continue;
      const size_t bytes = field.row_bytes;
      const char* from = f < shared_.n_worker_field ? worker_.box.row(f, lanes.first) : nullptr;
      if (all && from != nullptr && shared_.chunk == 0) {
        std::memcpy(to, from, bytes * lanes.count);
        continue;
      }
      for (uint32_t i = 0; i < lanes.count; ++i) {
        if (part_[i] == 0) continue;
        if (from != nullptr) {
          const uint32_t lane = lanes.first + i;
          // Observations and infos are only those of the last steps.
          if (given_[lane] + worker_.box.place(f).planes < steps_[lane]) continue;
          std::memcpy(to + i * bytes, worker_.box.row(f, lane, given_[lane]), bytes);
        } else {
          std::memset(to + i * bytes, 0, bytes);
        }
      }
    }
  }
  void give_out_infos(const pp_lanes& lanes) {
    const int field = shared_.config->handle_field;
    if (field < 0) return;
    auto* to = static_cast<int64_t*>(lanes.field[field]);
    for (uint32_t i = 0; i < lanes.count; ++i) {
      if (part_[i] == 0 || !is_last(lanes.first + i)) continue;
      const int64_t handle = std::exchange(handle_[lanes.first + i], 0);
      if (handle != 0 && to != nullptr) to[i] = handle;
    }
  }

  const WorkerContext& shared_;
  Worker& worker_;
  const ShardPlace place_;
  LaneLosses& losses_;
  bool begun_ = false;  // a call was sent and not received, of these lanes:
  uint32_t first_ = 0;
  uint32_t count_ = 0;
  std::string text_;  // the text of a call or an answer
  // These are by lane.
  std::vector<uint8_t> next_;    // the work that is sent next
  std::vector<uint8_t> asked_;   // the work that was sent, until the row is given out
  std::vector<uint64_t> seed_;   // for the next reset
  std::vector<uint8_t> failed_;  // the status of the answer
  std::vector<int64_t> handle_;  // handles of the infos in it; 0: none
  // The messages about all lanes with an answer.
  std::vector<LaneMessages> said_;
  std::vector<uint8_t> part_;    // by row: those that are given out now
  std::vector<uint32_t> steps_;  // by lane: of its work that is sent, or that was made
  std::vector<uint32_t> given_;  // rows of those that were given out
};

}  // namespace pp::host::workers
