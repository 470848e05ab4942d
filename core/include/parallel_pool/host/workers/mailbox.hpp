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
//   arrays   shard, first                         text: the list that workers/wire_format.hpp
//   describes peek     shard, first, item                   text: the elements of that array poke
//   shard, first, item, text: elements   status ask      shard, first, text: the question     text:
//   the answer (Python environments only)
//
// The text of work is a list of records too: arguments of single resets, for their lanes.
//
// Rows, kinds and seeds lie in one column each, by lane, `capacity` of them: a call touches those
// of its own lanes only, so answers of earlier ones may stay where they are. The *text* of a call
// is any bytes: it goes through `text`, in parts where it is longer than that. A text after work,
// load, create and hello, and after every call with a status other than 0, is a list of records
// {uint32 kind, uint32 lane, uint32 length, bytes}: an error (kind 0, the lane may be PP_ALL_LANES)
// advice for the pool's owner (kind 3), what of a lane could not be sent (kind 4), or the infos of
// lanes (kind 1, Python environments only; one record, because many small pickles take several
// times as long as one): uint32 count, that many lanes, and the pickle of them all.
#ifndef PARALLEL_POOL_HOST_WORKERS_MAILBOX_HPP_
#define PARALLEL_POOL_HOST_WORKERS_MAILBOX_HPP_

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "parallel_pool/abi.h"
#include "parallel_pool/host/base/error.hpp"
#include "parallel_pool/host/plugin/spec.hpp"
#include "parallel_pool/host/workers/futex.hpp"

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

// What to do with a lane: one byte per lane of `work`. Steps go first.
enum Kind : uint8_t { kind_leave, kind_step, kind_reset, kind_reset_with_seed };

struct Call {
  Op op;
  uint32_t shard;
  uint32_t env0;  // the first environment of the shard
  uint32_t first;
  uint32_t count;
  int32_t status;
  uint32_t
      alone;  // work: not 0: the plugin must not touch rows that are to be left, see UpcomingWork
  uint32_t item;  // peek and poke: which array
  uint64_t offset;
  uint64_t size;  // of the text
};

// One field's column.
struct Place {
  uint64_t offset;  // in the shared memory
  uint64_t row_bytes;
  uint32_t role;
  uint32_t reserved;
};

struct Head {
  static constexpr uint64_t magic_value = 0x584f424c49414d50u;  // "PMAILBOX", little-endian
  static constexpr uint32_t protocol_value = 3;

  uint64_t magic;
  uint32_t protocol;
  uint32_t worker;
  uint64_t bytes;     // of the whole
  uint32_t capacity;  // lanes of the largest shard
  uint32_t n_field;
  int32_t parent;         // the pool's process
  uint32_t worker_spins;  // looks at `request` before the worker sleeps
  uint64_t places_at;     // Place[n_field]
  uint64_t kind_at;       // uint8[capacity]
  uint64_t seed_at;       // uint64[capacity]
  uint64_t text_at;
  uint64_t text_bytes;
  Signal request;
  Signal answer;
  alignas(64) Call call;
};

enum class Record : uint32_t { error, info, reset_options, advice, dropped, note };

// The memory, mapped. Unmapped and closed at the end.
class Mailbox {
 public:
  static constexpr uint64_t text_room = uint64_t{1} << 20;  // untouched pages cost nothing

  // The pool's side: new memory for shards of up to `capacity` lanes with these fields.
  Mailbox(const std::vector<FieldSpec>& fields, uint32_t capacity, uint32_t worker) {
    Head head{};
    head.magic = Head::magic_value;
    head.protocol = Head::protocol_value;
    head.worker = worker;
    head.capacity = capacity;
    head.n_field = static_cast<uint32_t>(fields.size());
    head.parent = static_cast<int32_t>(getpid());
    uint64_t end = sizeof(Head);
    const auto place = [&end](uint64_t bytes) {
      const uint64_t at = (end + 63) / 64 * 64;
      end = at + bytes;
      return at;
    };
    head.places_at = place(fields.size() * sizeof(Place));
    head.kind_at = place(capacity);
    head.seed_at = place(uint64_t{capacity} * sizeof(uint64_t));
    std::vector<Place> places;
    for (const FieldSpec& field : fields) {
      places.push_back({place(field.row_bytes * capacity), field.row_bytes, field.role, 0});
    }
    head.text_at = place(text_room);
    head.text_bytes = text_room;
    head.bytes = end;
    fd_ = above_streams(memfd_create("parallel_pool", MFD_CLOEXEC));
    if (fd_ < 0 || ftruncate(fd_, static_cast<off_t>(end)) != 0) {
      const std::string reason = std::strerror(errno);
      release();
      throw Error(ErrorKind::environment,
                  "no shared memory of " + std::to_string(end) + " bytes: " + reason);
    }
    map(end);
    std::memcpy(data_, &head, sizeof head);
    if (!places.empty()) {
      std::memcpy(data_ + head.places_at, places.data(), places.size() * sizeof(Place));
    }
  }

  // The worker's side. Takes over the descriptor.
  explicit Mailbox(int fd) : fd_(fd) {
    struct stat file{};
    if (fstat(fd_, &file) != 0 || file.st_size < static_cast<off_t>(sizeof(Head))) {
      throw Error(ErrorKind::value, "descriptor " + std::to_string(fd) + " is no mailbox");
    }
    map(static_cast<uint64_t>(file.st_size));
    if (head().magic != Head::magic_value || head().protocol != Head::protocol_value ||
        head().bytes != bytes_) {
      release();
      throw Error(ErrorKind::value,
                  "the worker is of another version of parallel-pool than its pool; "
                  "restart the program, its installation was changed while it ran");
    }
  }

  ~Mailbox() { release(); }
  Mailbox(const Mailbox&) = delete;
  Mailbox& operator=(const Mailbox&) = delete;

  int fd() const { return fd_; }
  char* data() const { return data_; }
  uint64_t bytes() const { return bytes_; }
  Head& head() const { return *reinterpret_cast<Head*>(data_); }
  Call& call() const { return head().call; }
  const Place& place(uint32_t field) const {
    return reinterpret_cast<const Place*>(data_ + head().places_at)[field];
  }
  char* rows(uint32_t field) const { return data_ + place(field).offset; }
  char* row(uint32_t field, uint32_t lane) const {
    return rows(field) + lane * place(field).row_bytes;
  }
  uint8_t* kind() const { return reinterpret_cast<uint8_t*>(data_ + head().kind_at); }
  uint64_t* seed() const { return reinterpret_cast<uint64_t*>(data_ + head().seed_at); }
  char* text() const { return data_ + head().text_at; }
  uint64_t text_bytes() const { return head().text_bytes; }

 private:
  // The same under a number that is no standard stream's, where those are closed: what a library
  // prints would go into the memory.
  static int above_streams(int fd) {
    if (fd < 0 || fd > 2) return fd;
    const int other = fcntl(fd, F_DUPFD_CLOEXEC, 3);
    close(fd);
    return other;
  }
  void map(uint64_t bytes) {
    void* memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd_, 0);
    if (memory == MAP_FAILED) {
      const std::string reason = std::strerror(errno);
      release();
      throw Error(ErrorKind::environment, "the shared memory cannot be mapped: " + reason);
    }
    data_ = static_cast<char*>(memory);
    bytes_ = bytes;
  }
  void release() {
    if (data_ != nullptr) munmap(data_, bytes_);
    if (fd_ >= 0) close(fd_);
    data_ = nullptr;
    fd_ = -1;
  }

  int fd_ = -1;
  char* data_ = nullptr;
  uint64_t bytes_ = 0;
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
#endif  // PARALLEL_POOL_HOST_WORKERS_MAILBOX_HPP_
