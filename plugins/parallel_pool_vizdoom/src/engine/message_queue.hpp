// One of the two queues between us and an engine: a Boost.Interprocess message queue, laid out in
// shared memory as the engine of the vizdoom package (Boost 1.66, x86-64 or 64-bit ARM) expects it.
// We make both queues and the engine opens them by name; the names can be taken away once it has.
//
// Layout, found in Boost's sources and in a live queue: a state word in 16 bytes, the header below,
// an index of 64 relative pointers, 64 messages of a header of 16 bytes and 136 bytes. All messages
// have one priority, so the queue grows at the front of a ring and is taken from at its end.
#ifndef PARALLEL_POOL_VIZDOOM_ENGINE_MESSAGE_QUEUE_HPP_
#define PARALLEL_POOL_VIZDOOM_ENGINE_MESSAGE_QUEUE_HPP_

#include <fcntl.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <ctime>
#include <stdexcept>
#include <string>
#include <utility>

namespace doom {

struct Message {
  uint8_t code;
  char text[128];
};
static_assert(sizeof(Message) == 129, "as the engine has it");

// A time on the clock that pthread's timed functions look at, so many milliseconds from now.
inline timespec from_now(int64_t milliseconds) {
  timespec at{};
  clock_gettime(CLOCK_REALTIME, &at);
  const int64_t nanoseconds = at.tv_nsec + (milliseconds % 1000) * 1000000;
  at.tv_sec += milliseconds / 1000 + nanoseconds / 1000000000;
  at.tv_nsec = nanoseconds % 1000000000;
  return at;
}

class MessageQueue {
 public:
  // Makes the queue. Throws std::runtime_error where there is no room in /dev/shm.
  explicit MessageQueue(std::string name) : name_("/" + std::move(name)) {
    const int file = shm_open(name_.c_str(), O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, 0600);
    if (file < 0) fail("shm_open", errno);
    const int full = posix_fallocate(file, 0, sizeof(Shared));
    void* memory = full != 0
                       ? MAP_FAILED
                       : mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    const int error = full != 0 ? full : errno;
    ::close(file);
    if (memory == MAP_FAILED) {
      unlink();
      fail("making shared memory", error);
    }
    shared_ = static_cast<Shared*>(memory);
    lay_out();
  }
  ~MessageQueue() {
    unlink();
    munmap(shared_, sizeof(Shared));
  }
  MessageQueue(const MessageQueue&) = delete;
  MessageQueue& operator=(const MessageQueue&) = delete;

  // Nobody else finds it from now on; who has opened it keeps it.
  void unlink() {
    if (!name_.empty()) shm_unlink(name_.c_str());
    name_.clear();
  }

  // False: there was no room, or the other side held the lock, for all of that time.
  bool send(uint8_t code, const std::string& text, int64_t milliseconds) {
    const timespec deadline = from_now(milliseconds);
    if (pthread_mutex_timedlock(&shared_->mutex, &deadline) != 0) return false;
    bool waiting = true;
    ++shared_->blocked_senders;
    while (shared_->count == slot_count && waiting) {
      waiting = pthread_cond_timedwait(&shared_->may_send, &shared_->mutex, &deadline) == 0;
    }
    --shared_->blocked_senders;
    const bool room = shared_->count < slot_count;
    bool wake = false;
    if (room) {
      shared_->first = (shared_->first + slot_count - 1) % slot_count;
      ++shared_->count;
      Slot& slot = slot_at(shared_->first);
      slot.length = sizeof(Message);
      slot.priority = 0;
      Message message{code, {}};
      std::memcpy(message.text, text.data(), text.size());  // Engine::command checks the size
      std::memcpy(slot.bytes, &message, sizeof message);
      wake = shared_->blocked_receivers != 0;
    }
    pthread_mutex_unlock(&shared_->mutex);
    if (wake) pthread_cond_signal(&shared_->may_receive);
    return room;
  }

  // Whether receive() need not wait. Costs nothing.
  bool has_message() const { return __atomic_load_n(&shared_->count, __ATOMIC_RELAXED) != 0; }
  // False: nothing came in that time.
  bool receive(Message& message, int64_t milliseconds) {
    const timespec deadline = from_now(milliseconds);
    if (pthread_mutex_timedlock(&shared_->mutex, &deadline) != 0) return false;
    bool waiting = true;
    ++shared_->blocked_receivers;
    while (shared_->count == 0 && waiting) {
      waiting = pthread_cond_timedwait(&shared_->may_receive, &shared_->mutex, &deadline) == 0;
    }
    --shared_->blocked_receivers;
    const bool came = shared_->count != 0;
    bool wake = false;
    if (came) {
      --shared_->count;
      std::memcpy(&message, slot_at((shared_->first + shared_->count) % slot_count).bytes,
                  sizeof message);
      wake = shared_->blocked_senders != 0;
    }
    pthread_mutex_unlock(&shared_->mutex);
    if (wake) pthread_cond_signal(&shared_->may_send);
    return came;
  }

 private:
  static constexpr size_t slot_count = 64;

  struct Slot {
    uint64_t length;
    uint32_t priority;
    uint32_t unused;
    unsigned char bytes[136];
  };
  struct Shared {
    uint32_t state;  // 2: ready
    uint32_t unused[3];
    int64_t index_offset;  // pointers are distances from themselves
    uint64_t capacity;
    uint64_t message_size;
    uint64_t count;
    pthread_mutex_t mutex;
    pthread_cond_t may_receive;
    pthread_cond_t may_send;
    uint64_t first;
    uint64_t blocked_senders;
    uint64_t blocked_receivers;
    int64_t index[slot_count];
    Slot slots[slot_count];
  };
  static_assert(sizeof(Shared) == 208 + slot_count * (8 + 152) || sizeof(pthread_mutex_t) != 40,
                "as Boost lays it out");

  void lay_out() {
    shared_->index_offset = distance(&shared_->index_offset, shared_->index);
    shared_->capacity = slot_count;
    shared_->message_size = sizeof(Message);
    pthread_mutexattr_t mutex_kind;
    pthread_mutexattr_init(&mutex_kind);
    pthread_mutexattr_setpshared(&mutex_kind, PTHREAD_PROCESS_SHARED);
    pthread_mutex_init(&shared_->mutex, &mutex_kind);
    pthread_mutexattr_destroy(&mutex_kind);
    pthread_condattr_t condition_kind;
    pthread_condattr_init(&condition_kind);
    pthread_condattr_setpshared(&condition_kind, PTHREAD_PROCESS_SHARED);
    pthread_cond_init(&shared_->may_receive, &condition_kind);
    pthread_cond_init(&shared_->may_send, &condition_kind);
    pthread_condattr_destroy(&condition_kind);
    for (size_t i = 0; i < slot_count; ++i) {
      shared_->index[i] = distance(&shared_->index[i], &shared_->slots[i]);
    }
    __atomic_store_n(&shared_->state, 2u, __ATOMIC_SEQ_CST);
  }
  static int64_t distance(const void* from, const void* to) {
    return static_cast<const char*>(to) - static_cast<const char*>(from);
  }
  // The engine does not reorder the index, as all priorities are equal.
  Slot& slot_at(uint64_t position) { return shared_->slots[position]; }

  [[noreturn]] static void fail(const char* what, int error) {
    throw std::runtime_error(std::string("no queue to the engine could be made in /dev/shm: ") +
                             what + ": " + std::strerror(error));
  }

  std::string name_;
  Shared* shared_ = nullptr;
};

}  // namespace doom
#endif  // PARALLEL_POOL_VIZDOOM_ENGINE_MESSAGE_QUEUE_HPP_
