// Put before all else: counts what the pool writes to cache lines that other threads write too.
#define PP_COUNTS_WRITES
#include <atomic>
#include <cstdint>

namespace pp::host {

template <class Name>
inline std::atomic<uint64_t> written{0};

// Not counted: what sets it back, and a claim that another thread forestalled.
template <class T, class Name>
struct Shared : std::atomic<T> {
  using Base = std::atomic<T>;
  using Base::Base;
  static bool count(bool one) {  // relaxed, so that races stay visible
    written<Name>.fetch_add(one ? 1 : 0, std::memory_order_relaxed);
    return one;
  }
  void store(T value, std::memory_order order) { count(value != T{}), Base::store(value, order); }
  T fetch_add(T more) { return count(true), Base::fetch_add(more); }
  template <class... Order>
  bool compare_exchange_weak(T& seen, T value, Order... order) {
    return count(Base::compare_exchange_weak(seen, value, order...));
  }
};

}  // namespace pp::host
