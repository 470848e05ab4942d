// Loaded into each engine of one player in front of the C library (LD_PRELOAD), where it stands
// between the engine and the two things that the engine does to be told what to do: it maps its
// queue and its state, and waits for messages. It is no part of the plugin's library.
//
// When the engine is about to wait while a script is under way, what the script says next is put
// into the queue, as if we had answered at once. Neither the engine nor we sleep between two tics.
#include <dlfcn.h>
#include <linux/futex.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "colours.hpp"
#include "crash.hpp"
#include "given_files.hpp"
#include "queue_layout.hpp"
#include "shared_state.hpp"

namespace {

using Wait = int (*)(pthread_cond_t*, pthread_mutex_t*);

doom::QueueLayout* queue = nullptr;
const doom::SharedState* state = nullptr;
Wait wait_as_ever = nullptr;

void ask(doom::MessageCode code) {
  doom::Message message;
  std::memset(&message, 0, sizeof message);
  message.code = code;
  queue->put(message);
}

void end(doom::Script& script) {
  __atomic_store_n(&script.under_way, 0u, __ATOMIC_SEQ_CST);
  if (__atomic_load_n(&script.is_awaited, __ATOMIC_SEQ_CST) == 0) return;
  syscall(SYS_futex, &script.under_way, FUTEX_WAKE, 1, nullptr, nullptr, 0);
}

// Returns true if there is something to be done now. The queue's mutex is held.
bool goes_on() {
  doom::Script& script = queue->script;
  if (__atomic_load_n(&script.under_way, __ATOMIC_RELAXED) == 0 || state == nullptr) return false;
  doom::Tics& tics = script.tics;
  if (tics.count == 0) {
    end(script);
    return false;
  }
  if (tics.ended(*state)) {
    tics.count = 0;
    if (!tics.with_pictures) {
      end(script);
      return false;
    }
    ask(doom::do_update);
    return true;
  }
  script.last_tic = state->map_tic + 1;
  --tics.count;
  ask(tics.count == 0 && tics.with_pictures ? doom::do_tic_and_update : doom::do_tic);
  return true;
}

}  // namespace

extern "C" {

__attribute__((visibility("default"))) void* mmap(void* address, size_t size, int protection,
                                                  int flags, int file, off_t offset) noexcept {
  // The C library's system call sets errno.
  auto* const memory = reinterpret_cast<void*>(  // NOLINT(performance-no-int-to-ptr)
      syscall(SYS_mmap, address, size, protection, flags, file, offset));
  if (file < 0 || (flags & MAP_SHARED) == 0 || memory == MAP_FAILED) return memory;
  if (size >= sizeof(doom::QueueLayout) && doom::is_named(file, doom::to_engine_name)) {
    queue = static_cast<doom::QueueLayout*>(memory);
  } else if (size >= sizeof(doom::SharedState) && doom::is_named(file, doom::memory_name)) {
    state = static_cast<const doom::SharedState*>(memory);
  }
  return memory;
}

__attribute__((visibility("default"))) int pthread_cond_wait(pthread_cond_t* condition,
                                                             pthread_mutex_t* mutex) {
  if (queue != nullptr && condition == &queue->may_receive && goes_on()) return 0;
  if (wait_as_ever == nullptr) {
    wait_as_ever = reinterpret_cast<Wait>(dlsym(RTLD_NEXT, "pthread_cond_wait"));
  }
  return wait_as_ever(condition, mutex);
}

}  // extern "C"
