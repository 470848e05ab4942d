// parallel_pool/host/workers/remote_shard.hpp: a shard that has its lanes in a worker.
//
// To the pool it is a plugin object like any other. When its worker dies all its lanes are *lost*:
// a lost lane that is stepped gives zeros with `truncated` and `worker_crashed`; a reset or a
// restored state brings it back, in a new worker.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "parallel_pool/abi.h"
#include "parallel_pool/host/batch/rows.hpp"
#include "parallel_pool/host/plugin/error_sink.hpp"
#include "parallel_pool/host/step/lane_call.hpp"
#include "parallel_pool/host/workers/array_list.hpp"
#include "parallel_pool/host/workers/lane_losses.hpp"
#include "parallel_pool/host/workers/shard_place.hpp"
#include "parallel_pool/host/workers/wire_format.hpp"
#include "parallel_pool/host/workers/work_call.hpp"
#include "parallel_pool/host/workers/worker.hpp"

namespace pp::host::workers {

class RemoteShard {
 public:
  // `shared` and `worker` outlive it.
  RemoteShard(const WorkerContext& shared, Worker& worker, const ShardPlace& place)
      : shared_(shared),
        worker_(worker),
        place_(place),
        losses_(place.count, shared.config->seed_bits,
                shared.config->handle_field < 0 ? std::optional<uint64_t>(0) : std::nullopt),
        work_(shared, worker, place, losses_) {}

  // Makes the lanes in the worker; false after set_error.
  bool build() {
    const std::lock_guard<std::mutex> lock(worker_.mutex);
    worker_.holds(place_.env0, place_.count);
    std::string why;
    if (ensure(&why)) return true;
    ErrorSink::set_error(nullptr, PP_ALL_LANES, why.c_str());
    return false;
  }

  ~RemoteShard() {
    const std::lock_guard<std::mutex> lock(worker_.mutex);
    work_.receive();  // no caller wants it any more
    worker_.settle();
    if (!worker_.alive() || generation_ != worker_.generation()) return;
    place_.address(worker_, 0, place_.count);
    worker_.call(Op::destroy, 0);
  }
  RemoteShard(const RemoteShard&) = delete;
  RemoteShard& operator=(const RemoteShard&) = delete;

  // Begins what the next calls will ask of these rows, as Stepper::prepare has set it in their
  // shard, if that can be done without waiting. `seed`: one for each row. `alone`: rows that are
  // neither stepped nor reset must not even be overwritten.
  void begin(const Rows& rows, const uint64_t* seed, bool alone) {
    const Shard& shard = *rows.shard;
    const std::unique_lock<std::mutex> lock(worker_.mutex, std::try_to_lock);
    if (!lock || worker_.begun || worker_.unsettled()) return;
    notice_loss();
    if (!built_ || !worker_.alive()) return;
    bool any = false;
    for (uint32_t i = 0; i < rows.count; ++i) {
      const uint32_t lane = rows.first + i;
      if (shard.reset_mask[i] != 0) {
        work_.choose_reset(lane, shard.seed_mask[i] != 0 ? &seed[i] : nullptr);
        any = true;
      } else if (shard.step_mask[i] != 0) {
        any |= work_.choose_step(lane, shard.ahead);
      }
    }
    if (any) work_.send(rows.first, rows.count, shard.fields.data(), arguments_, alone);
  }

  int32_t step(const pp_lanes& lanes) {
    const std::lock_guard<std::mutex> lock(worker_.mutex);
    collect();
    bool any = false;
    for (uint32_t i = 0; i < lanes.count; ++i) {
      const uint32_t lane = lanes.first + i;
      if (work_.wants(lanes, i) && !work_.has(lane)) {
        any |= work_.choose_step(lane, LaneCall::shard_of(lanes).ahead);
      }
    }
    if (any) {
      work_.send(lanes.first, lanes.count, lanes.field, arguments_);
      collect();
    }
    const int32_t status = work_.deliver(lanes);
    work_.give_up_lost(lanes);
    return status;
  }

  int32_t reset(const pp_lanes& lanes) {
    const std::lock_guard<std::mutex> lock(worker_.mutex);
    const bool begun = work_.has_all(lanes);
    collect();
    work_.drop_steps(lanes);
    if (work_.has_all(lanes)) return work_.deliver(lanes);
    std::string why;
    for (uint32_t attempt = begun ? 1 : 0; attempt < attempts; ++attempt) {
      const uint64_t before = worker_.generation();
      if (!ensure(&why)) {
        if (worker_.generation() == before) break;  // it lives, and says that it cannot
        notice_loss();
        continue;
      }
      for (uint32_t i = 0; i < lanes.count; ++i) {
        const uint64_t* seed = lanes.seed != nullptr ? &lanes.seed[i] : nullptr;
        const uint32_t lane = lanes.first + i;
        if (work_.wants(lanes, i) && !work_.has(lane)) work_.choose_reset(lane, seed);
      }
      work_.send(lanes.first, lanes.count, nullptr, arguments_);
      if (collect()) return work_.deliver(lanes);
      why = worker_.name() + " " + worker_.exit_reason();
    }
    notice_loss();
    for (uint32_t i = 0; i < lanes.count; ++i) {
      if (work_.wants(lanes, i)) ErrorSink::set_error(nullptr, lanes.first + i, why.c_str());
    }
    return 1;
  }

  // ---- pp.state/1 ---------------------------------------------------------------------------

  // Fetches the state; the bytes of it, or negative after set_error.
  int64_t size(uint32_t lane) {
    return ask(Op::save, lane, {}, &state_) ? static_cast<int64_t>(state_.size()) : -1;
  }
  int64_t save(uint32_t, void* bytes, uint64_t capacity) {
    const size_t size = std::min(state_.size(), static_cast<size_t>(capacity));
    std::memcpy(bytes, state_.data(), size);
    return static_cast<int64_t>(size);
  }
  int32_t load(uint32_t lane, const void* bytes, uint64_t size) {
    const std::lock_guard<std::mutex> lock(worker_.mutex);
    collect();
    std::string why;
    if (!ensure(&why)) {
      ErrorSink::set_error(nullptr, lane, why.c_str());
      return 1;
    }
    place_.address(worker_, lane, 1);
    const std::string_view text(static_cast<const char*>(bytes), static_cast<size_t>(size));
    std::string said;
    const bool called = worker_.call(Op::load, shared_.config->step_timeout, text);
    const int32_t status = worker_.box.call().status;
    if (!called || !worker_.fetch(&said)) {
      died(lane);
      return 1;
    }
    report(said);
    if (status == 0) losses_.restore(lane);
    return status;
  }

  // ---- pp.render/1, pp.arrays/1, pp.reset_options/1 -----------------------------------------

  // Fetches the picture, which draw() then copies.
  int32_t frame_size(uint32_t lane, uint32_t* height, uint32_t* width) {
    if (!ask(Op::draw, lane, {}, &picture_)) return 1;
    ByteReader in(picture_);
    *height = in.read<uint32_t>();
    *width = in.read<uint32_t>();
    return 0;
  }
  int32_t draw(uint32_t, uint8_t* rgb) {
    constexpr size_t head = 2 * sizeof(uint32_t);
    std::memcpy(rgb, picture_.data() + head, picture_.size() - head);
    return 0;
  }

  int64_t count_arrays(uint32_t lane) {
    std::string list;
    if (!ask(Op::arrays, lane, {}, &list)) return -1;
    arrays_.read(lane, list);
    return static_cast<int64_t>(arrays_.size());
  }
  int32_t describe_array(uint32_t lane, uint32_t array, pp_array* out) {
    if (!knows_array(lane, array)) return 1;
    *out = arrays_[array];
    return 0;
  }
  int32_t read_array(uint32_t lane, uint32_t array, void* elements) {
    std::string bytes;
    if (!ask(Op::peek, lane, {}, &bytes, array)) return 1;
    std::memcpy(elements, bytes.data(), bytes.size());
    return 0;
  }
  int32_t write_array(uint32_t lane, uint32_t array, const void* elements) {
    if (!knows_array(lane, array)) return 1;
    std::string said;
    const std::string_view bytes(static_cast<const char*>(elements),
                                 static_cast<size_t>(bytes_of(arrays_[array])));
    return ask(Op::poke, lane, bytes, &said, array) ? 0 : 1;
  }

  // They go along with the reset.
  int32_t set_reset_options(uint32_t lane, const pp_value* value) {
    const std::lock_guard<std::mutex> lock(worker_.mutex);
    if (value == nullptr) {
      arguments_.erase(lane);
      return 0;
    }
    std::string bytes = pack(*shared_.reset_options, value);
    if (bytes.size() + record_head > worker_.box.text_bytes() / place_.count) {
      const std::string reason = "options of reset of " + std::to_string(bytes.size()) +
                                 " bytes are too long for a " + worker_.kind() + " of " +
                                 std::to_string(place_.count) + " environments";
      ErrorSink::set_error(nullptr, lane, reason.c_str());
      return 1;
    }
    arguments_[lane] = std::move(bytes);
    return 0;
  }

  // A question about one lane; *out is the answer. False after set_error.
  bool ask(Op op, uint32_t lane, std::string_view in, std::string* out, uint32_t item = 0) {
    const std::lock_guard<std::mutex> lock(worker_.mutex);
    collect();  // ends what others in this shard have begun
    if (losses_.lost(lane)) {
      ErrorSink::set_error(nullptr, lane,
                           ("its " + worker_.kind() + " died; reset it first").c_str());
      return false;
    }
    place_.address(worker_, lane, 1);
    worker_.box.call().item = item;
    if (!worker_.call(op, shared_.config->step_timeout, in)) return died(lane);
    const int32_t status = worker_.box.call().status;
    if (!worker_.fetch(out)) return died(lane);
    if (status != 0) report(*out);
    return status == 0;
  }

 private:
  static constexpr uint32_t attempts = 3;  // at a reset that kills its worker

  // Sees to it that nothing is on its way: answers are kept for the calls that ask for them. False
  // if the worker died of it.
  bool collect() {
    const bool answered = work_.receive();
    notice_loss();
    return answered;
  }

  // Lanes of a worker that died, in this call or since the last one.
  void notice_loss() {
    worker_.settle();
    if (generation_ == worker_.generation()) return;
    generation_ = worker_.generation();
    built_ = false;
    losses_.lose_all();
    work_.forget();
  }

  // Sees to it that the worker runs and has this shard.
  bool ensure(std::string* why) {
    if (!worker_.ready(why)) return false;
    if (built_) return true;
    place_.address(worker_, 0, place_.count);
    if (!worker_.call(Op::create, Worker::start_seconds * place_.count)) {
      *why = worker_.name() + " " + worker_.exit_reason() + " while building it";
      return false;
    }
    std::string text;
    const int32_t status = worker_.box.call().status;
    if (!worker_.fetch(&text)) return false;
    built_ = status == 0;
    generation_ = worker_.generation();
    if (built_) return true;
    why->clear();
    each_record(text, [why](Record, uint32_t, const char* bytes, size_t size) {
      why->append(why->empty() ? "" : "; ").append(bytes, size);
    });
    return false;
  }

  // Gives false.
  bool died(uint32_t lane) {
    notice_loss();
    ErrorSink::set_error(nullptr, lane,
                         ("its " + worker_.kind() + " " + worker_.exit_reason()).c_str());
    return false;
  }
  bool knows_array(uint32_t lane, uint32_t array) {
    return (arrays_.of(lane) || count_arrays(lane) >= 0) && array < arrays_.size();
  }

  const WorkerContext& shared_;
  Worker& worker_;
  const ShardPlace place_;
  uint64_t generation_ = 0;
  bool built_ = false;
  LaneLosses losses_;
  WorkCall work_;
  std::string state_;
  std::string picture_;
  ArrayList arrays_;
  std::map<uint32_t, std::string> arguments_;  // for the next reset, by lane
};

}  // namespace pp::host::workers
