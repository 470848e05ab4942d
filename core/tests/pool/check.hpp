// The smallest of test frameworks: named cases, checks that throw, one process per case by ctest.
#ifndef PARALLEL_POOL_TESTS_POOL_CHECK_HPP_
#define PARALLEL_POOL_TESTS_POOL_CHECK_HPP_

#include <map>
#include <stdexcept>
#include <string>

#include "parallel_pool/host/base/error.hpp"

namespace pp::test {

inline std::map<std::string, void (*)()>& cases() {
  static std::map<std::string, void (*)()> all;
  return all;
}

struct Case {
  Case(const char* name, void (*run)()) { cases()[name] = run; }
};

inline void check(bool fine, const char* what, const char* file, int line) {
  if (fine) return;
  throw std::logic_error(std::string(file) + ":" + std::to_string(line) + ": " + what);
}

// Whether `work` is refused with an error of this kind.
template <class Work>
bool refuses(host::ErrorKind kind, Work&& work) {
  try {
    work();
  } catch (const host::Error& error) {
    return error.kind() == kind;
  }
  return false;
}

}  // namespace pp::test

#define PP_CASE(name)                                \
  static void name();                                \
  static const pp::test::Case name##_(#name, &name); \
  static void name()

#define PP_CHECK(condition) pp::test::check(condition, #condition, __FILE__, __LINE__)

#endif  // PARALLEL_POOL_TESTS_POOL_CHECK_HPP_
