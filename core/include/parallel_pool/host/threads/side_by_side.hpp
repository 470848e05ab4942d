// parallel_pool/host/threads/side_by_side.hpp: a few things that wait, done at the same time. For
// what is asked now and then: it starts threads.
#pragma once

#include <cstdint>
#include <exception>
#include <thread>
#include <vector>

#include "parallel_pool/host/threads/attention.hpp"

namespace pp::host {

// Calls work(0) .. work(count - 1), each in a thread of its own but the first, which is the
// caller's, and waits for all. Throws what the first of them in this order has thrown.
template <class Work>
void side_by_side(uint32_t count, Work&& work) {
  std::vector<std::exception_ptr> errors(count);
  const Attention::Flag* const attention = Attention::current();
  const auto run = [&](uint32_t number) {
    try {
      const Attention same(attention);
      work(number);
    } catch (...) {
      errors[number] = std::current_exception();
    }
  };
  std::vector<std::thread> threads;
  threads.reserve(count);
  for (uint32_t number = 1; number < count; ++number) {
    try {
      threads.emplace_back(run, number);
    } catch (const std::exception&) {  // too many, or no memory for one: one after the other
      run(number);
    }
  }
  if (count > 0) run(0);
  for (std::thread& each : threads) each.join();
  for (const std::exception_ptr& error : errors) {
    if (error != nullptr) std::rethrow_exception(error);
  }
}

}  // namespace pp::host
