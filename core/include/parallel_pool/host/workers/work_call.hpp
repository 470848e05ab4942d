// parallel_pool/host/workers/work_call.hpp: one call of op work: rows of a shard that its worker
// steps and resets, and the rows of the answer.
//
// It may be begun before the pool asks, and its answer given out in parts: the pool's calls of step
// and reset are two, and to the worker they are one.
#ifndef PARALLEL_POOL_HOST_WORKERS_WORK_CALL_HPP_
#define PARALLEL_POOL_HOST_WORKERS_WORK_CALL_HPP_

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "parallel_pool/abi.h"
#include "parallel_pool/ext/reset_options.h"
#include "parallel_pool/host/plugin/error_sink.hpp"
#include "parallel_pool/host/plugin/spec.hpp"
#include "parallel_pool/host/workers/info_store.hpp"
#include "parallel_pool/host/workers/lane_losses.hpp"
#include "parallel_pool/host/workers/mailbox.hpp"
#include "parallel_pool/host/workers/wire_format.hpp"
#include "parallel_pool/host/workers/worker.hpp"
#include "parallel_pool/host/workers/worker_config.hpp"

namespace pp::host::workers {

// What shards of one pool have in common.
struct SharedByShards {
  const WorkerConfig* config;
  InfoStore* infos;
  const EnvSpec* spec;      // as isolated_spec() gives it
  uint32_t n_worker_field;  // the first of them are the worker's, the others ours
  uint32_t truncated_field;
  uint32_t crashed_field;
  int discount_field;                               // -1: none
  const pp_reset_options* reset_options = nullptr;  // NULL: they take none
};

// Which shard it is, to the worker.
struct ShardPlace {
  uint32_t number;
  uint32_t env0;
  uint32_t count;

  // Names some of its lanes in the call that is made next.
  void address(Worker& worker, uint32_t first, uint32_t n) const {
    Call& call = worker.box.call();
    call.shard = number;
    call.env0 = env0;
    call.first = first;
    call.count = n;
    call.offset = 0;
  }
};

// Passes on what environments of a worker said.
inline void report(Worker& worker, const std::string& text) {
  each_record(text, [&worker](Record kind, uint32_t lane, const char* bytes, size_t size) {
    if (kind == Record::advice) worker.advise({bytes, size});
    if (kind == Record::dropped) worker.dropped({bytes, size});
    const std::string text(bytes, size);
    if (kind == Record::note) ErrorSink::set_note(nullptr, lane, text.c_str());
    if (kind == Record::error) ErrorSink::set_error(nullptr, lane, text.c_str());
  });
}

// Used with the worker's mutex held.
class WorkCall {
 public:
  // All of these outlive it.
  WorkCall(const SharedByShards& shared, Worker& worker, const ShardPlace& place,
           LaneLosses& losses)
      : shared_(shared),
        worker_(worker),
        place_(place),
        losses_(losses),
        wanted_(place.count, 0),
        kind_(place.count, 0),
        fresh_(place.count, 0),
        part_(place.count, 0) {}

  // Whether it was sent, and not all of its rows were given out.
  bool begun() const { return begun_; }

  // ---- what is asked ------------------------------------------------------------------------

  // Whom the pool asks for.
  void want(const pp_lanes& lanes) {
    for (uint32_t i = 0; i < lanes.count; ++i) {
      wanted_[i] = lanes.mask == nullptr || lanes.mask[i] != 0 ? 1 : 0;
    }
  }
  bool wants(uint32_t row) const { return wanted_[row] != 0; }

  // What the worker is to do with the lane in this row: nothing, step (whether it will: lost lanes
  // do not), or reset, with the seed `given` or NULL.
  void leave(uint32_t row) { kind_[row] = kind_leave; }
  bool choose_step(uint32_t row, uint32_t lane) {
    kind_[row] = losses_.lost(lane) ? kind_leave : kind_step;
    return kind_[row] == kind_step;
  }
  void choose_reset(uint32_t row, uint32_t lane, const uint64_t* given) {
    if (given != nullptr) {
      losses_.set_seed(lane, *given);
      fresh_[row] = *given;
    } else if (losses_.lost(lane)) {
      fresh_[row] = losses_.derived_seed(lane);
    } else {
      kind_[row] = kind_reset;
      return;
    }
    kind_[row] = kind_reset_with_seed;
  }

  // Sends what kind_ says. `field`: where actions are, if rows are to be stepped.
  // `arguments`: of resets, by lane.
  void send(uint32_t first, uint32_t count, void* const* field,
            const std::map<uint32_t, std::string>& arguments, bool alone = false) {
    place_.address(worker_, first, count);
    worker_.box.call().alone = alone ? 1 : 0;
    first_ = first;
    for (uint32_t f = 0; f < shared_.n_worker_field && field != nullptr; ++f) {
      const FieldSpec& each = shared_.spec->fields[f];
      if (each.role != PP_ROLE_ACTION || field[f] == nullptr) continue;
      std::memcpy(worker_.box.rows(f), field[f], each.row_bytes * count);
    }
    std::memcpy(worker_.box.kind(), kind_.data(), count);
    std::memcpy(worker_.box.seed(), fresh_.data(), count * sizeof(uint64_t));
    left_ = count - static_cast<uint32_t>(std::count(kind_.begin(), kind_.begin() + count, 0));
    asked_.clear();
    for (const auto& [lane, bytes] : arguments) {
      if (lane < first || lane - first >= count || kind_[lane - first] < kind_reset) continue;
      add_record(asked_, Record::reset_options, lane, bytes.data(), bytes.size());
    }
    worker_.send(Op::work, shared_.config->step_timeout, asked_);
    begun_ = worker_.begun = true;
    reported_ = false;
    handle_ = 0;
  }

  // ---- the answer ---------------------------------------------------------------------------

  // Waits for the answer; false if there is none to come or the worker died of it.
  bool receive() {
    if (!begun_) return false;
    if (!worker_.begun) return true;  // received already
    const bool answered = worker_.receive();
    worker_.begun = false;
    if (answered) {
      answered_ = worker_.box.call().status;
      said_ = worker_.box.call().size > 0;
      if (!said_ || worker_.fetch(&text_)) return true;
    }
    begun_ = false;
    left_ = 0;
    return false;
  }

  // Gives out the rows that the answer has for these lanes, which may be some of those that were
  // sent.
  int32_t deliver(const pp_lanes& lanes) {
    if (!begun_) return 0;
    if (said_ && !reported_) report(worker_, text_);
    reported_ = true;
    uint32_t n = 0;
    const uint8_t* kind = kind_.data() + (lanes.first - first_);
    for (uint32_t i = 0; i < lanes.count; ++i) {
      part_[i] = wanted_[i] != 0 && kind[i] != kind_leave ? 1 : 0;
      n += part_[i];
      if (part_[i] != 0 && kind[i] != kind_step) losses_.restore(lanes.first + i);
    }
    copy_rows(lanes, n == lanes.count);
    copy_infos(lanes);
    left_ -= n;
    if (left_ == 0) begun_ = false;
    return answered_;
  }

  // The rows of lanes that were to be stepped and are lost.
  void give_up_lost(const pp_lanes& lanes) {
    for (uint32_t i = 0; i < lanes.count; ++i) {
      if (wanted_[i] == 0 || !losses_.lost(lanes.first + i)) continue;
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
  // The output rows of the lanes in part_, from the mailbox to where the pool wants them.
  void copy_rows(const pp_lanes& lanes, bool all) {
    lanes.claim_rows(&lanes);
    for (uint32_t f = 0; f < shared_.spec->fields.size(); ++f) {
      const FieldSpec& field = shared_.spec->fields[f];
      auto* to = static_cast<char*>(lanes.field[f]);
      if (field.role == PP_ROLE_ACTION || to == nullptr) continue;
      const size_t bytes = field.row_bytes;
      const char* from = f < shared_.n_worker_field
                             ? worker_.box.rows(f) + (lanes.first - first_) * bytes
                             : nullptr;
      if (all && from != nullptr) {
        std::memcpy(to, from, bytes * lanes.count);
        continue;
      }
      for (uint32_t i = 0; i < lanes.count; ++i) {
        if (part_[i] == 0) continue;
        if (from != nullptr) {
          std::memcpy(to + i * bytes, from + i * bytes, bytes);
        } else {
          std::memset(to + i * bytes, 0, bytes);
        }
      }
    }
  }

  // Tickets for the infos that came with the answer, one for all of them.
  void copy_infos(const pp_lanes& lanes) {
    const int field = shared_.config->handle_field;
    if (!said_ || field < 0 || lanes.field[field] == nullptr) return;
    auto* to = static_cast<int64_t*>(lanes.field[field]);
    each_record(text_, [&](Record kind, uint32_t, const char* bytes, size_t size) {
      if (kind != Record::info) return;
      ByteReader in({bytes, size});
      const auto count = in.read<uint32_t>();
      const std::string_view named = in.text(count * sizeof(uint32_t));
      const std::string_view pickle = in.text(size);
      for (ByteReader each(named); !each.done();) {
        const uint32_t row = each.read<uint32_t>() - lanes.first;
        if (row >= lanes.count || part_[row] == 0) continue;
        if (handle_ == 0) handle_ = shared_.infos->keep(pickle.data(), pickle.size());
        to[row] = handle_;
      }
    });
  }

  const SharedByShards& shared_;
  Worker& worker_;
  const ShardPlace place_;
  LaneLosses& losses_;
  int32_t answered_ = 0;
  // By row.
  std::vector<uint8_t> wanted_;
  std::vector<uint8_t> kind_;    // what the worker was asked
  std::vector<uint64_t> fresh_;  // seeds
  std::vector<uint8_t> part_;    // whose rows are given out now
  uint32_t first_ = 0;           // the lane of its first row
  bool begun_ = false;
  uint32_t left_ = 0;      // rows of it that were not given out
  bool said_ = false;      // text_ came with the answer
  bool reported_ = false;  // its errors were passed on
  int64_t handle_ = 0;     // of its infos, once some were given out
  std::string text_;
  std::string asked_;  // the text of work
};

}  // namespace pp::host::workers
#endif  // PARALLEL_POOL_HOST_WORKERS_WORK_CALL_HPP_
