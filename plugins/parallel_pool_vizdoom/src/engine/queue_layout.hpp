// A Boost.Interprocess message queue as it lies in shared memory, as the engine of the vizdoom
// package (Boost 1.66, x86-64 or 64-bit ARM) expects it, with a script behind it that is ours. For
// both sides: what we load into engines uses nothing of C++'s runtime.
//
// Layout, found in Boost's sources and in a live queue: a state word in 16 bytes, the header below,
// an index of 64 relative pointers, 64 messages of a header of 16 bytes and 136 bytes. All messages
// have one priority, so the queue grows at the front of a ring and is taken from at its end.
#ifndef PARALLEL_POOL_VIZDOOM_ENGINE_QUEUE_LAYOUT_HPP_
#define PARALLEL_POOL_VIZDOOM_ENGINE_QUEUE_LAYOUT_HPP_

#include <pthread.h>

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "script.hpp"

namespace doom {

// The names of what the two sides share, before what they have agreed on.
inline constexpr const char* to_engine_name = "ViZDoomMQDoom";
inline constexpr const char* from_engine_name = "ViZDoomMQCtr";
inline constexpr const char* memory_name = "ViZDoomSM";

enum MessageCode : uint8_t {
  is_done = 11,
  has_closed = 12,
  has_failed = 13,
  do_tic = 21,
  do_update = 22,
  do_tic_and_update = 23,
  do_command = 24
};

struct Message {
  uint8_t code;
  char text[128];
};
static_assert(sizeof(Message) == 129, "as the engine has it");

struct QueueLayout {
  static constexpr size_t slot_count = 64;

  struct Slot {
    uint64_t length;
    uint32_t priority;
    uint32_t unused;
    unsigned char bytes[136];
  };

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

  Script script;

  // Both with the mutex held. The engine does not reorder the index, as all priorities are equal.
  void put(const Message& message) {  // there is room
    first = (first + slot_count - 1) % slot_count;
    ++count;
    Slot& slot = slots[first];
    slot.length = sizeof(Message);
    slot.priority = 0;
    std::memcpy(slot.bytes, &message, sizeof message);
  }
  void take(Message& message) {  // there is one
    --count;
    std::memcpy(&message, slots[(first + count) % slot_count].bytes, sizeof message);
  }
};
static_assert(offsetof(QueueLayout, script) == 208 + QueueLayout::slot_count * (8 + 152) ||
                  sizeof(pthread_mutex_t) != 40,
              "as Boost lays it out");

}  // namespace doom
#endif  // PARALLEL_POOL_VIZDOOM_ENGINE_QUEUE_LAYOUT_HPP_
