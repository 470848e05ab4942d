// parallel_pool/host/workers/mailbox.hpp: the shared memory between a pool and one worker.
//
// The protocol. One mailbox per worker, which is another process or a thread of this one; one call
// at a time in it. The pool's thread writes a Call and its input, raises `request` and waits for
// `answer`; the worker does the work, writes outputs and raises `answer`. Both sides are of one
// build (the worker refuses another `protocol`), so nothing here is ABI.
//
//   op       in                                   out
//   hello    -                                    status; the worker has started
//   create   shard, env0, count                   status; makes lanes for envs env0 .. + count - 1
//   destroy  shard                                -
//   work     shard, first, count, kinds, seeds,   output rows, status
//            actions
//   save     shard, first (the lane)              text: the state
//   load     shard, first, text: the state        status
//   read     offset                               text: the last text, from there on
//   write    offset, size, text                   -; a part of the text of the next call
//   leave    -                                    the worker ends itself
//   draw     shard, first                         text: uint32 height, width, then the pixels
//   arrays   shard, first                         text: a list (workers/wire_format.hpp)
//   peek     shard, first, item                   text: the elements of that array
//   poke     shard, first, item, text: elements   status
//   ask      shard, first, text: the question     text: the answer (Python environments only)
//
// The text of work is a list of records too: arguments of single resets, for their lanes.
//
// A chunk of actions is several steps of a lane in one call, at most `steps` of them: none after
// an end of its episode that it knows of or a failure, nor where its players change. Then `steps`
// is how many it made. Step k has plane k of each column; observations and infos have as many
// planes as are looked at, round and round.
//
// Rows, kinds and seeds lie in one column each, by lane, `capacity` of them: a call touches those
// of its own lanes only, so answers of earlier ones may stay where they are. The *text* of a call
// is any bytes: it goes through `text`, in parts where it is longer than that. A text after work,
// load, create and hello, and after every call with a status other than 0, is a list of records
// {uint32 kind, uint32 lane, uint32 length, bytes}: an error (kind 0, the lane may be PP_ALL_LANES)
// advice for the pool's owner (kind 3), what of a lane could not be sent (kind 4), or the infos of
// lanes (kind 1, Python environments only; one record, because many small pickles take several
// times as long as one): uint32 count, that many lanes, and the pickle of them all.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "parallel_pool/abi.h"
#include "parallel_pool/host/base/error.hpp"
#include "parallel_pool/host/plugin/spec.hpp"
#include "parallel_pool/host/workers/futex.hpp"
#include "parallel_pool/host/workers/shared_memory.hpp"

namespace pp::host::workers {

enum class Op : uint32_t {
  hello,
  create,
  destroy,
  work,
  save,
  load,
  read,
  write,
  leave,
  draw,
  arrays,
  peek,
  poke,
  ask,
};

// The work of a lane: one byte per lane of `work`. Steps go first.
enum Kind : uint8_t { kind_leave, kind_step, kind_reset, kind_reset_with_seed };

struct Call {
  Op op;
  uint32_t shard;
  uint32_t env0;  // the first environment of the shard
  uint32_t first;
  uint32_t count;
  int32_t status;
  uint32_t alone;  // work: not 0: rows that are to be left must not even be overwritten
  uint32_t item;   // peek and poke: which array
  uint64_t offset;
  uint64_t size;  // size of the text
};

// One field's column.
struct Place {
  uint64_t offset;  // in the shared memory
  uint64_t row_bytes;
  uint32_t role;
  uint32_t planes;  // rows of `capacity` lanes each; see below
};

struct Head {
  static constexpr uint64_t magic_value = 0x584f424c49414d50u;  // "PMAILBOX", little-endian
  static constexpr uint32_t protocol_value = 4;

  uint64_t magic;
  uint32_t protocol;
  uint32_t worker;
  uint64_t bytes;     // size of the whole
  uint32_t capacity;  // lanes of the largest shard
  uint32_t n_field;
  uint32_t worker_spins;  // looks at `request` before the worker sleeps
  uint32_t chunk;         // the most steps of a lane in one call
  uint64_t places_at;     // Place[n_field]
  uint64_t kind_at;       // uint8[capacity]
  uint64_t seed_at;       // uint64[capacity]
  uint64_t steps_at;      // uint32[capacity]
  uint64_t text_at;
  uint64_t text_bytes;
  Signal request;
  Signal answer;
  alignas(64) Call call;
};

enum class Record : uint32_t { error, info, reset_options, advice, dropped, note };

class Mailbox {
 public:
  static constexpr uint64_t text_room = uint64_t{1} << 20;  // untouched pages cost nothing

  // The pool's side: new memory for shards of up to `capacity` lanes with these fields.
  // `chunk`, `trail`: action_chunk and chunk_trail of PoolConfig.
  Mailbox(const std::vector<FieldSpec>& fields, uint32_t capacity, uint32_t worker, uint32_t chunk,
          uint32_t trail) {
    Head head{};
    head.chunk = std::max(chunk, 1u);
    head.magic = Head::magic_value;
    head.protocol = Head::protocol_value;
    head.worker = worker;
    head.capacity = capacity;
    head.n_field = static_cast<uint32_t>(fields.size());
    uint64_t end = sizeof(Head);
    const auto place = [&end](uint64_t bytes) {
      const uint64_t at = (end + 63) / 64 * 64;
      end = at + bytes;
      return at;
    };
    head.places_at = place(fields.size() * sizeof(Place));
    head.kind_at = place(capacity);
    head.seed_at = place(uint64_t{capacity} * sizeof(uint64_t));
    head.steps_at = place(uint64_t{capacity} * sizeof(uint32_t));
    std::vector<Place> places;
    for (const FieldSpec& field : fields) {
      const bool shown = field.role == PP_ROLE_OBS || field.role == PP_ROLE_INFO;
      const uint32_t planes = shown ? trail + 1 : head.chunk;
      places.push_back(
          {place(field.row_bytes * capacity * planes), field.row_bytes, field.role, planes});
    }
    head.text_at = place(text_room);
    head.text_bytes = text_room;
    head.bytes = end;
    memory_ = std::make_shared<SharedMemory>(end);
    data_ = memory_->data();
    std::memcpy(data_, &head, sizeof head);
    if (!places.empty()) {
      std::memcpy(data_ + head.places_at, places.data(), places.size() * sizeof(Place));
    }
  }

  // The worker's side.
  explicit Mailbox(std::shared_ptr<SharedMemory> memory)
      : memory_(std::move(memory)), data_(memory_->data()) {
    if (memory_->bytes() < sizeof(Head)) {
      throw Error(ErrorKind::value, "the worker's descriptor is no mailbox");
    }
    if (head().magic != Head::magic_value || head().protocol != Head::protocol_value ||
        head().bytes > memory_->bytes()) {
      throw Error(ErrorKind::value,
                  "the worker is of another version of parallel-pool than its pool; "
                  "restart the program, its installation was changed while it ran");
    }
  }

  const std::shared_ptr<SharedMemory>& memory() const { return memory_; }
  char* data() const { return data_; }
  uint64_t bytes() const { return head().bytes; }
  Head& head() const { return *reinterpret_cast<Head*>(data_); }
  Call& call() const { return head().call; }
  const Place& place(size_t field) const {
    return reinterpret_cast<const Place*>(data_ + head().places_at)[field];
  }
  char* rows(uint32_t field) const { return data_ + place(field).offset; }
  char* row(uint32_t field, uint32_t lane, uint32_t step = 0) const {
    const Place& of = place(field);
    const uint64_t number = uint64_t{step % of.planes} * head().capacity + lane;
    return rows(field) + number * of.row_bytes;
  }
  uint8_t* kind() const { return reinterpret_cast<uint8_t*>(data_ + head().kind_at); }
  uint64_t* seed() const { return reinterpret_cast<uint64_t*>(data_ + head().seed_at); }
  uint32_t* steps() const { return reinterpret_cast<uint32_t*>(data_ + head().steps_at); }
  char* text() const { return data_ + head().text_at; }
  uint64_t text_bytes() const { return head().text_bytes; }

 private:
  std::shared_ptr<SharedMemory> memory_;
  char* data_ = nullptr;
};

inline constexpr size_t record_head = 3 * sizeof(uint32_t);

// Adds one record to a text.
inline void add_record(std::string& text, Record kind, uint32_t lane, const char* bytes,
                       size_t size) {
  const uint32_t head[3] = {static_cast<uint32_t>(kind), lane, static_cast<uint32_t>(size)};
  text.append(reinterpret_cast<const char*>(head), sizeof head);
  text.append(bytes, size);
}

// Calls see(kind, lane, bytes, size) for each record of a text.
template <class See>
void each_record(const std::string& text, See&& see) {
  for (size_t at = 0; at + record_head <= text.size();) {
    uint32_t head[3];
    std::memcpy(head, text.data() + at, sizeof head);
    at += sizeof head;
    const size_t size = std::min<size_t>(head[2], text.size() - at);
    see(static_cast<Record>(head[0]), head[1], text.data() + at, size);
    at += size;
  }
}

}  // namespace pp::host::workers
