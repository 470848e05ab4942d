#include "xla/call_tokens.hpp"

#include <string>
#include <vector>

#include "parallel_pool/host/base/error.hpp"
#include "parallel_pool/per_process.hpp"
#include "xla/signature.hpp"

namespace pp::xla {
namespace {

using host::ErrorKind;

struct Registry {
  struct Place {
    uint32_t generation = 0;
    std::weak_ptr<CallSequence> sequence;
    bool taken = false;
  };
  std::mutex mutex;
  std::vector<Place> places;
};

Registry& registry() {
  static PerProcess<Registry> all;
  return all.get();
}

uint64_t number_of(const Handle& handle) {
  return handle[2] | uint64_t{handle[3]} << 32U;
}

void put_number(Handle& handle, uint64_t number) {
  handle[2] = static_cast<uint32_t>(number);
  handle[3] = static_cast<uint32_t>(number >> 32U);
}

[[noreturn]] void gone() {
  throw host::Error(ErrorKind::closed,
                    "the pool of this handle is gone: it was garbage collected, or the handle is "
                    "of another process. Keep the pool, and take the handle of xla() again");
}

std::shared_ptr<CallSequence> find(const Handle& handle) {
  Registry& all = registry();
  const std::lock_guard<std::mutex> lock(all.mutex);
  if (handle[0] >= all.places.size()) gone();
  const Registry::Place& place = all.places[handle[0]];
  if (!place.taken || place.generation != handle[1]) gone();
  std::shared_ptr<CallSequence> sequence = place.sequence.lock();
  if (!sequence) gone();
  return sequence;
}

}  // namespace

PoolCalls& CallSequence::enter(uint64_t number) {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (calls_ == nullptr) gone();
  if (inside_ || number != next_) {
    throw host::Error(
        ErrorKind::busy,
        "this handle is for call " + std::to_string(number) + " of the pool, " +
            (inside_ ? "which is still in call " : "whose next call is ") + std::to_string(next_) +
            ": give each call the handle that the call before returned, and use it once. xla() "
            "gives the current one. On a GPU, XLA can make a call twice by itself, which "
            "XLA_FLAGS=--xla_gpu_enable_dynamic_slice_fusion=false prevents");
  }
  inside_ = true;
  return *calls_;
}

void CallSequence::leave(bool done) {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (done) ++next_;
  inside_ = false;
  left_.notify_all();
}

uint64_t CallSequence::next() {
  const std::lock_guard<std::mutex> lock(mutex_);
  return next_;
}

void CallSequence::end() {
  std::unique_lock<std::mutex> lock(mutex_);
  calls_ = nullptr;
  left_.wait(lock, [this] { return !inside_; });
}

Registration::Registration(PoolCalls& calls, std::string signature)
    : sequence_(std::make_shared<CallSequence>(calls, std::move(signature))),
      place_(0),
      generation_(0) {
  Registry& all = registry();
  const std::lock_guard<std::mutex> lock(all.mutex);
  while (place_ < all.places.size() && all.places[place_].taken) ++place_;
  if (place_ == all.places.size()) all.places.emplace_back();
  Registry::Place& place = all.places[place_];
  place.sequence = sequence_;
  place.taken = true;
  generation_ = ++place.generation;
}

void Registration::end() {
  {
    Registry& all = registry();
    const std::lock_guard<std::mutex> lock(all.mutex);
    Registry::Place& place = all.places[place_];
    if (place.generation == generation_) place.taken = false;
  }
  sequence_->end();
}

Handle Registration::handle() const {
  Handle handle{place_, generation_, 0, 0};
  put_number(handle, sequence_->next());
  return handle;
}

CallToken::CallToken(const Handle& handle, std::string_view signature)
    : handle_(handle), sequence_(find(handle)) {
  expect_same_signature(signature, sequence_->signature());
  calls_ = &sequence_->enter(number_of(handle));
}

Handle CallToken::next() const {
  Handle handle = handle_;
  put_number(handle, number_of(handle) + 1);
  return handle;
}

}  // namespace pp::xla
