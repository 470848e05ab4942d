// One of the two queues between us and an engine. We make both, and the engine opens them by name.
#ifndef PARALLEL_POOL_VIZDOOM_ENGINE_MESSAGE_QUEUE_HPP_
#define PARALLEL_POOL_VIZDOOM_ENGINE_MESSAGE_QUEUE_HPP_

#include <fcntl.h>
#include <linux/futex.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <ctime>
#include <string>

#include "queue_layout.hpp"
#include "shared_file.hpp"

namespace doom {

// Returns a time on the clock of pthread's timed functions, `milliseconds` from now.
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
  // Makes the queue in `file`, which is needed only until the engine is started. Throws
  // std::runtime_error.
  explicit MessageQueue(const SharedFile& file) {
    const int error = posix_fallocate(file.number(), 0, sizeof(QueueLayout));
    if (error != 0) SharedFile::fail(error);
    void* memory =
        mmap(nullptr, sizeof(QueueLayout), PROT_READ | PROT_WRITE, MAP_SHARED, file.number(), 0);
    if (memory == MAP_FAILED) SharedFile::fail(errno);
    shared_ = static_cast<QueueLayout*>(memory);
    lay_out();
  }
  ~MessageQueue() { munmap(shared_, sizeof(QueueLayout)); }
  MessageQueue(const MessageQueue&) = delete;
  MessageQueue& operator=(const MessageQueue&) = delete;

  // False: there was no room, or the other side held the lock, for all of that time; or it died
  // while it held it.
  bool send(uint8_t code, const std::string& text, int64_t milliseconds) {
    Message message{code, {}};
    std::memcpy(message.text, text.data(), text.size());  // Engine::command checks the size
    return send(message, milliseconds, [] {});
  }
  // The first of these tics is asked for, and the others follow without us.
  bool send(const Tics& tics, uint32_t first_tic, int64_t milliseconds) {
    const bool single = tics.count == 1 && tics.with_pictures;
    return send(Message{single ? do_tic_and_update : do_tic, {}}, milliseconds, [&] {
      Script& script = shared_->script;
      script.tics = tics;
      --script.tics.count;
      script.last_tic = first_tic;
      script.is_awaited = 0;
      // With the message: whoever waits for one while this is set has done what was asked before.
      __atomic_store_n(&script.under_way, 1u, __ATOMIC_RELEASE);
    });
  }
  const Script& script() const { return shared_->script; }
  bool is_under_way() const {
    return __atomic_load_n(&shared_->script.under_way, __ATOMIC_ACQUIRE) != 0;
  }
  // Sleeps until it no longer is, or for that time.
  void wait_for_script(int64_t milliseconds) {
    Script& script = shared_->script;
    const timespec time{milliseconds / 1000, milliseconds % 1000 * 1000000};
    __atomic_store_n(&script.is_awaited, 1u, __ATOMIC_SEQ_CST);
    syscall(SYS_futex, &script.under_way, FUTEX_WAIT, 1, &time, nullptr, 0);
  }

  // Returns true if receive() need not wait. Costs nothing.
  bool has_message() const { return __atomic_load_n(&shared_->count, __ATOMIC_RELAXED) != 0; }
  // False: nothing came in that time.
  bool receive(Message& message, int64_t milliseconds) {
    const timespec deadline = from_now(milliseconds);
    if (!lock(deadline)) return false;
    wait_while(shared_->may_receive, shared_->blocked_receivers, deadline,
               [&] { return shared_->count == 0; });
    const bool came = shared_->count != 0;
    bool wake = false;
    if (came) {
      shared_->take(message);
      wake = shared_->blocked_senders != 0;
    }
    pthread_mutex_unlock(&shared_->mutex);
    if (wake) pthread_cond_signal(&shared_->may_send);
    return came;
  }

 private:
  // Calls `with` before another thread can see that there is one more.
  template <class With>
  bool send(const Message& message, int64_t milliseconds, With&& with) {
    const timespec deadline = from_now(milliseconds);
    if (!lock(deadline)) return false;
    wait_while(shared_->may_send, shared_->blocked_senders, deadline,
               [&] { return shared_->count == QueueLayout::slot_count; });
    const bool room = shared_->count < QueueLayout::slot_count;
    bool wake = false;
    if (room) {
      shared_->put(message);
      with();
      wake = shared_->blocked_receivers != 0;
    }
    pthread_mutex_unlock(&shared_->mutex);
    if (wake) pthread_cond_signal(&shared_->may_receive);
    return room;
  }

  bool lock(const timespec& deadline) {
    const int error = pthread_mutex_timedlock(&shared_->mutex, &deadline);
    if (error != EOWNERDEAD) return error == 0;
    give_up_owner();
    pthread_mutex_unlock(&shared_->mutex);
    return false;
  }
  // An engine that was killed within its few instructions here would be waited for without end.
  void give_up_owner() { pthread_mutex_consistent(&shared_->mutex); }
  // Waits until the deadline. Called with the lock.
  template <class Blocked, class Condition>
  void wait_while(pthread_cond_t& changed, Blocked& blocked, const timespec& deadline,
                  Condition&& condition) {
    int error = 0;
    ++blocked;
    while (condition() && error == 0) {
      error = pthread_cond_timedwait(&changed, &shared_->mutex, &deadline);
    }
    if (error == EOWNERDEAD) give_up_owner();
    --blocked;
  }

  void lay_out() {
    shared_->index_offset = distance(&shared_->index_offset, shared_->index);
    shared_->capacity = QueueLayout::slot_count;
    shared_->message_size = sizeof(Message);
    pthread_mutexattr_t mutex_kind;
    pthread_mutexattr_init(&mutex_kind);
    pthread_mutexattr_setpshared(&mutex_kind, PTHREAD_PROCESS_SHARED);
    pthread_mutexattr_setrobust(&mutex_kind, PTHREAD_MUTEX_ROBUST);
    pthread_mutex_init(&shared_->mutex, &mutex_kind);
    pthread_mutexattr_destroy(&mutex_kind);
    pthread_condattr_t condition_kind;
    pthread_condattr_init(&condition_kind);
    pthread_condattr_setpshared(&condition_kind, PTHREAD_PROCESS_SHARED);
    pthread_cond_init(&shared_->may_receive, &condition_kind);
    pthread_cond_init(&shared_->may_send, &condition_kind);
    pthread_condattr_destroy(&condition_kind);
    for (size_t i = 0; i < QueueLayout::slot_count; ++i) {
      shared_->index[i] = distance(&shared_->index[i], &shared_->slots[i]);
    }
    __atomic_store_n(&shared_->state, 2u, __ATOMIC_SEQ_CST);
  }
  static int64_t distance(const void* from, const void* to) {
    return static_cast<const char*>(to) - static_cast<const char*>(from);
  }

  QueueLayout* shared_ = nullptr;
};

}  // namespace doom
#endif  // PARALLEL_POOL_VIZDOOM_ENGINE_MESSAGE_QUEUE_HPP_
