// pool_tests LIBRARY [CASE ...]: runs cases, all if none is named; --list names them.
#include <cstdio>
#include <cstring>
#include <exception>
#include <string>
#include <vector>

#include "check.hpp"
#include "test_envs.hpp"

int main(int argc, char** argv) {
  if (argc < 2) return std::fprintf(stderr, "usage: pool_tests LIBRARY [CASE ...]\n"), 2;
  if (std::strcmp(argv[1], "--list") == 0) {
    for (const auto& [name, run] : pp::test::cases()) std::puts(name.c_str());
    return 0;
  }
  pp::test::library_path() = argv[1];
  std::vector<std::string> names(argv + 2, argv + argc);
  if (names.empty()) {
    for (const auto& [name, run] : pp::test::cases()) names.push_back(name);
  }
  int failed = 0;
  for (const std::string& name : names) {
    std::printf("%s ... ", name.c_str());
    std::fflush(stdout);
    try {
      pp::test::cases().at(name)();
      std::puts("passed");
    } catch (const std::exception& error) {
      std::printf("FAILED: %s\n", error.what());
      failed = 1;
    }
  }
  return failed;
}
