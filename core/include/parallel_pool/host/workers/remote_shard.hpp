// parallel_pool/host/workers/remote_shard.hpp: a shard whose lanes are in a worker.
//
// To the pool it is a plugin object like any other. When its worker dies all its lanes are *lost*:
// a lost lane that is stepped gives zeros with `truncated` and `worker_crashed`; a reset or a
// restored state brings it back, in a new worker. A lane that comes back without a seed of its own
// gets one derived from its last and from how often it was lost, so that runs can be repeated.
#ifndef PARALLEL_POOL_HOST_WORKERS_REMOTE_SHARD_HPP_
#define PARALLEL_POOL_HOST_WORKERS_REMOTE_SHARD_HPP_

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "parallel_pool/abi.h"
#include "parallel_pool/host/plugin/shard.hpp"
#include "parallel_pool/host/plugin/spec.hpp"
#include "parallel_pool/host/run/backend.hpp"
#include "parallel_pool/host/workers/info_store.hpp"
#include "parallel_pool/host/workers/isolated_spec.hpp"
#include "parallel_pool/host/workers/wire_format.hpp"
#include "parallel_pool/host/workers/worker.hpp"
#include "parallel_pool/rng/seed_sequence.hpp"

namespace pp::host::workers {

class RemoteShard {
 public:
  // What shards of one pool have in common.
  struct Shared {
    const WorkerConfig* config;
    InfoStore* infos;
    const EnvSpec* spec;      // as isolated_spec() gives it
    uint32_t n_worker_field;  // the first of them are the worker's, the others ours
    uint32_t truncated_field;
    uint32_t crashed_field;
    int discount_field;                               // -1: none
    const pp_reset_options* reset_options = nullptr;  // NULL: they take none
  };

  RemoteShard(const Shared& shared, Worker& worker, uint32_t number, uint32_t env0, uint32_t count)
      : shared_(shared), worker_(worker), number_(number), env0_(env0), count_(count) {
    lost_.assign(count, 0);
    losses_.assign(count, 0);
    seed_.assign(count, 0);
    wanted_.assign(count, 0);
    kind_.assign(count, 0);
    part_.assign(count, 0);
    fresh_.assign(count, 0);
  }

  // Makes the lanes in the worker; false after set_error.
  bool build() {
    const std::lock_guard<std::mutex> lock(worker_.mutex);
    worker_.holds(env0_, count_);
    std::string why;
    if (ensure(&why)) return true;
    ErrorSink::set_error(nullptr, PP_ALL_LANES, why.c_str());
    return false;
  }

  ~RemoteShard() {
    const std::lock_guard<std::mutex> lock(worker_.mutex);
    if (begun_) receive();  // nobody wants it any more
    if (!worker_.alive() || generation_ != worker_.generation()) return;
    address(0, count_);
    worker_.call(Op::destroy);
  }
  RemoteShard(const RemoteShard&) = delete;
  RemoteShard& operator=(const RemoteShard&) = delete;

  // Begins what the next calls will ask, if that can be done without waiting.
  void begin(const Ahead& ahead) {
    const std::unique_lock<std::mutex> lock(worker_.mutex, std::try_to_lock);
    if (!lock || begun_ || worker_.begun) return;  // another run of this shard goes first
    notice_loss();
    if (!built_ || !worker_.alive()) return;
    bool any = false;
    for (uint32_t i = 0; i < ahead.count; ++i) {
      const uint32_t lane = ahead.first + i;
      if (ahead.reset_mask[i] != 0) {
        choose_reset(i, lane, ahead.seed_mask[i] != 0 ? &ahead.seed[i] : nullptr);
      } else {
        kind_[i] = ahead.step_mask[i] != 0 && lost_[lane] == 0 ? kind_step : kind_leave;
      }
      any = any || kind_[i] != kind_leave;
    }
    if (any) send(ahead.first, ahead.count, ahead.field, ahead.alone);
  }

  int32_t step(const pp_lanes& lanes) {
    const std::lock_guard<std::mutex> lock(worker_.mutex);
    want(lanes);
    if (!begun_) {
      notice_loss();
      bool any = false;
      for (uint32_t i = 0; i < lanes.count; ++i) {
        kind_[i] = wanted_[i] != 0 && lost_[lanes.first + i] == 0 ? kind_step : kind_leave;
        any = any || kind_[i] != kind_leave;
      }
      if (any) send(lanes.first, lanes.count, lanes.field);
    }
    receive();
    const int32_t status = deliver(lanes);
    notice_loss();
    give_up_lost(lanes);
    return status;
  }

  int32_t reset(const pp_lanes& lanes) {
    const std::lock_guard<std::mutex> lock(worker_.mutex);
    want(lanes);
    std::string why;
    for (uint32_t attempt = 0; attempt < attempts; ++attempt) {
      if (!begun_) {
        notice_loss();
        const uint64_t before = worker_.generation();
        if (!ensure(&why)) {
          if (worker_.generation() == before) break;  // it lives, and says that it cannot
          continue;
        }
        for (uint32_t i = 0; i < lanes.count; ++i) {
          const bool given = attempt == 0 && lanes.seed != nullptr;
          kind_[i] = kind_leave;
          if (wanted_[i] != 0) choose_reset(i, lanes.first + i, given ? &lanes.seed[i] : nullptr);
        }
        send(lanes.first, lanes.count, nullptr);
      }
      if (receive()) return deliver(lanes);
      why = worker_.name() + " " + worker_.exit_reason();
    }
    notice_loss();
    for (uint32_t i = 0; i < lanes.count; ++i) {
      if (wanted_[i] != 0) ErrorSink::set_error(nullptr, lanes.first + i, why.c_str());
    }
    return 1;
  }

  // ---- pp.state/1 ---------------------------------------------------------------------------

  // Fetches the state; the bytes of it, or negative after set_error.
  int64_t size(uint32_t lane) {
    return ask(Op::save, lane, {}, &state_) ? static_cast<int64_t>(state_.size()) : -1;
  }
  int64_t save(void* bytes, uint64_t capacity) const {
    const size_t size = std::min(state_.size(), static_cast<size_t>(capacity));
    std::memcpy(bytes, state_.data(), size);
    return static_cast<int64_t>(size);
  }
  int32_t load(uint32_t lane, const void* bytes, uint64_t size) {
    const std::lock_guard<std::mutex> lock(worker_.mutex);
    receive();
    notice_loss();
    std::string why;
    if (!ensure(&why)) {
      ErrorSink::set_error(nullptr, lane, why.c_str());
      return 1;
    }
    address(lane, 1);
    const std::string_view text(static_cast<const char*>(bytes), static_cast<size_t>(size));
    std::string said;
    if (!worker_.call_with(Op::load, text)) {
      died(lane);
      return 1;
    }
    const int32_t status = worker_.box.call().status;
    if (!worker_.fetch(&said)) {
      died(lane);
      return 1;
    }
    report(said);
    if (status == 0) lost_[lane] = 0;
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
  int32_t draw(uint8_t* rgb) const {
    constexpr size_t head = 2 * sizeof(uint32_t);
    std::memcpy(rgb, picture_.data() + head, picture_.size() - head);
    return 0;
  }

  int64_t count_arrays(uint32_t lane) {
    std::string list;
    if (!ask(Op::arrays, lane, {}, &list)) return -1;
    arrays_.clear();
    arrays_of_ = lane;
    for (ByteReader in(list); !in.done();) {
      const auto head = in.read<ArrayHead>();
      pp_array array{};
      array.struct_size = sizeof array;
      array.flags = head.flags;
      array.dtype = head.dtype;
      array.ndim = head.ndim;
      std::copy(std::begin(head.shape), std::end(head.shape), array.shape);
      const std::string_view name = in.text(head.name_bytes);
      // Names live as long as the shard.
      if (!name.empty())
        array.name = names_.emplace(name.substr(0, name.size() - 1)).first->c_str();
      arrays_.push_back(array);
    }
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
    constexpr uint64_t record_head = 3 * sizeof(uint32_t);
    if (bytes.size() + record_head > worker_.box.text_bytes() / count_) {
      const std::string reason = "options of reset of " + std::to_string(bytes.size()) +
                                 " bytes are too long for a " + worker_.kind() + " of " +
                                 std::to_string(count_) + " environments";
      ErrorSink::set_error(nullptr, lane, reason.c_str());
      return 1;
    }
    arguments_[lane] = std::move(bytes);
    return 0;
  }

  // A question about one lane; *out is the answer. False after set_error.
  bool ask(Op op, uint32_t lane, std::string_view in, std::string* out, uint32_t item = 0) {
    const std::lock_guard<std::mutex> lock(worker_.mutex);
    receive();  // what others in this shard have begun
    notice_loss();
    if (lost_[lane] != 0) {
      ErrorSink::set_error(nullptr, lane,
                           ("its " + worker_.kind() + " died; reset it first").c_str());
      return false;
    }
    address(lane, 1);
    worker_.box.call().item = item;
    if (!worker_.call_with(op, in)) return died(lane);
    const int32_t status = worker_.box.call().status;
    if (!worker_.fetch(out)) return died(lane);
    if (status != 0) report(*out);
    return status == 0;
  }

 private:
  static constexpr uint32_t attempts = 3;  // at a reset that kills its worker

  // Lanes of a worker that died, in this call or since the last one.
  void notice_loss() {
    if (generation_ == worker_.generation()) return;
    generation_ = worker_.generation();
    built_ = false;
    for (uint32_t i = 0; i < count_; ++i) {
      if (lost_[i] == 0) ++losses_[i];
      lost_[i] = 1;
    }
  }

  // Sees to it that the worker runs and has this shard.
  bool ensure(std::string* why) {
    if (!worker_.ready(why)) return false;
    if (built_) return true;
    address(0, count_);
    if (!worker_.call(Op::create)) {
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

  // ---- the call in progress -----------------------------------------------------------------

  void want(const pp_lanes& lanes) {
    for (uint32_t i = 0; i < lanes.count; ++i) {
      wanted_[i] = lanes.mask == nullptr || lanes.mask[i] != 0 ? 1 : 0;
    }
  }

  // How the lane in this row is to be reset. `given`: its new seed, or NULL.
  void choose_reset(uint32_t row, uint32_t lane, const uint64_t* given) {
    if (given != nullptr) {
      seed_[lane] = *given;
      fresh_[row] = *given;
    } else if (lost_[lane] != 0) {
      fresh_[row] = derived_seed(lane);
    } else {
      kind_[row] = kind_reset;
      return;
    }
    kind_[row] = kind_reset_with_seed;
  }

  // Sends what kind_ says. `field`: where actions are, if rows are to be stepped.
  void send(uint32_t first, uint32_t count, void* const* field, bool alone = false) {
    address(first, count);
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
    for (const auto& [lane, bytes] : arguments_) {
      if (lane < first || lane - first >= count || kind_[lane - first] < kind_reset) continue;
      add_record(asked_, Record::reset_options, lane, bytes.data(), bytes.size());
    }
    worker_.send(Op::work, shared_.config->step_timeout, asked_);
    begun_ = worker_.begun = true;
    reported_ = false;
    ticket_ = 0;
  }

  // Waits for the answer; false if there is none to come or the worker died of it.
  bool receive() {
    if (!begun_) return false;
    if (!worker_.begun) return true;  // received already
    worker_.begun = false;
    if (worker_.receive()) {
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
    if (said_ && !reported_) report(text_);
    reported_ = true;
    uint32_t n = 0;
    const uint8_t* kind = kind_.data() + (lanes.first - first_);
    for (uint32_t i = 0; i < lanes.count; ++i) {
      part_[i] = wanted_[i] != 0 && kind[i] != kind_leave ? 1 : 0;
      n += part_[i];
      if (part_[i] != 0 && kind[i] != kind_step) lost_[lanes.first + i] = 0;
    }
    copy_rows(lanes, n == lanes.count);
    copy_infos(lanes);
    left_ -= n;
    if (left_ == 0) begun_ = false;
    return answered_;
  }

  uint64_t derived_seed(uint32_t lane) const {
    uint64_t seed = 0;
    SeedSequence(seed_[lane], &losses_[lane], 1).generate_state(&seed, 1);
    return seed >> (64 - shared_.config->seed_bits);
  }

  void address(uint32_t first, uint32_t count) {
    Call& call = worker_.box.call();
    call.shard = number_;
    call.env0 = env0_;
    call.first = first;
    call.count = count;
    call.offset = 0;
  }

  // Passes on what the environments said.
  void report(const std::string& text) {
    each_record(text, [this](Record kind, uint32_t lane, const char* bytes, size_t size) {
      if (kind == Record::advice) worker_.advise({bytes, size});
      if (kind != Record::error) return;
      ErrorSink::set_error(nullptr, lane, std::string(bytes, size).c_str());
    });
  }
  // Gives false.
  bool died(uint32_t lane) {
    notice_loss();
    ErrorSink::set_error(nullptr, lane,
                         ("its " + worker_.kind() + " " + worker_.exit_reason()).c_str());
    return false;
  }
  bool knows_array(uint32_t lane, uint32_t array) {
    return (arrays_of_ == lane || count_arrays(lane) >= 0) && array < arrays_.size();
  }

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
    const int field = shared_.config->ticket_field;
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
        if (ticket_ == 0) ticket_ = shared_.infos->keep(pickle.data(), pickle.size());
        to[row] = ticket_;
      }
    });
  }

  // The rows of lanes that were to be stepped and are lost.
  void give_up_lost(const pp_lanes& lanes) {
    for (uint32_t i = 0; i < lanes.count; ++i) {
      if (wanted_[i] == 0 || lost_[lanes.first + i] == 0) continue;
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

  const Shared& shared_;
  Worker& worker_;
  const uint32_t number_;
  const uint32_t env0_;
  const uint32_t count_;
  uint64_t generation_ = 0;
  bool built_ = false;
  int32_t answered_ = 0;
  std::vector<uint8_t> lost_;
  std::vector<uint32_t> losses_;
  std::vector<uint64_t> seed_;  // the last one that each lane was given
  // Of the call in progress, by row.
  std::vector<uint8_t> wanted_;  // whom the pool asks for
  std::vector<uint8_t> kind_;    // what the worker was asked
  std::vector<uint64_t> fresh_;  // seeds
  std::vector<uint8_t> part_;    // whose rows are given out now
  uint32_t first_ = 0;           // the lane of its first row
  bool begun_ = false;           // it was sent, and not all of its rows were given out
  uint32_t left_ = 0;            // rows of it that were not given out
  bool said_ = false;            // text_ came with the answer
  bool reported_ = false;        // its errors were passed on
  int64_t ticket_ = 0;           // of its infos, once some were given out
  std::string text_;
  std::string asked_;  // the text of work
  std::string state_;
  std::string picture_;
  std::vector<pp_array> arrays_;  // of lane arrays_of_
  uint32_t arrays_of_ = UINT32_MAX;
  std::set<std::string> names_;                // of arrays
  std::map<uint32_t, std::string> arguments_;  // of the next reset, by lane
};

}  // namespace pp::host::workers
#endif  // PARALLEL_POOL_HOST_WORKERS_REMOTE_SHARD_HPP_
