// rollouts LIBRARY FILE ID [ID ...]: plays environments of a plugin by a fixed policy and writes
// their rows, as tests/golden/hashing.py hashes them, so that machines can be compared.
//
// A row is observations, reward (float64), terminated, truncated, elapsed steps (int32). Of each id
// FILE has the rows of environment 0, then of 1 and so on, once for each autoreset mode. For each a
// line goes to standard output: id, mode, bytes of a row.
#include <cstdio>
#include <cstring>
#include <exception>
#include <fstream>
#include <string>
#include <vector>

#include "../pool/test_envs.hpp"
#include "parallel_pool/dtypes.hpp"

namespace pp::test {
namespace {

constexpr uint32_t num_envs = 36;
constexpr uint32_t num_steps = 80;

double number(const unsigned char* bytes, uint32_t dtype) {
  return dtypes::visit(dtype, [bytes](auto element) {
    typename decltype(element)::Stored value;
    std::memcpy(&value, bytes, sizeof value);
    return static_cast<double>(value);
  });
}

void write(char* row, uint32_t dtype, double value) {
  dtypes::visit(dtype, [row, value](auto element) {
    const auto number = static_cast<typename decltype(element)::Stored>(value);
    std::memcpy(row, &number, sizeof number);
  });
}

// One of the values that the field takes: of a box, of 17 that lie evenly within its bounds.
void choose(Pool& pool, uint32_t env, uint32_t step) {
  const auto& fields = pool.spec().fields;
  for (size_t f = 0; f < fields.size(); ++f) {
    if (fields[f].role != PP_ROLE_ACTION) continue;
    char* row = static_cast<char*>(pool.action_row(f, env));
    const size_t size = dtypes::item_size(fields[f].dtype);
    for (size_t i = 0; i * size < fields[f].row_bytes; ++i) {
      const auto bound = [&](const std::vector<unsigned char>& from, double otherwise) {
        if (from.empty()) return otherwise;
        const size_t at = from.size() == size ? 0 : i % fields[f].elements * size;
        return number(from.data() + at, fields[f].dtype);
      };
      const double low = bound(fields[f].low, -1);
      const double high = bound(fields[f].high, 1);
      const bool box = fields[f].kind == PP_KIND_BOX;
      const auto count = box ? 17 : static_cast<uint32_t>(high - low) + 1;
      const auto choice = policy(env, step + static_cast<uint32_t>(i), count);
      write(row + i * size, fields[f].dtype, box ? low + (high - low) * choice / 16 : low + choice);
    }
  }
}

std::string row_of(const Pool& pool, const Batch& batch, uint32_t r) {
  std::string row;
  const auto append = [&](const host::Column& from) {
    row.append(reinterpret_cast<const char*>(batch.data) + from.offset + r * from.row_bytes,
               from.row_bytes);
  };
  const auto& fields = pool.spec().fields;
  for (const uint32_t role : {PP_ROLE_OBS, PP_ROLE_REWARD}) {
    for (size_t f = 0; f < fields.size(); ++f) {
      if (fields[f].role == role) append(pool.layout().column(pool.layout().column_of_field(f)));
    }
  }
  for (const auto which :
       {host::column_terminated, host::column_truncated, host::column_elapsed_step}) {
    append(pool.layout().column(pool.layout().column_of(which)));
  }
  return row;
}

void record(host::Library& library, const std::string& id, host::Autoreset mode,
            std::ostream& file) {
  PoolConfig config = sizes(num_envs, num_envs, 2);
  config.autoreset = mode;
  const auto pool = pool_of(library, id, std::move(config));
  std::vector<std::string> rows(num_envs);
  ask_all(*pool, Op::reset);
  for (uint32_t step = 0;; ++step) {
    const Held batch = wait(*pool);
    for (uint32_t r = 0; r < batch->rows; ++r) {
      rows[static_cast<size_t>(ids_of(*pool, *batch)[r])] += row_of(*pool, *batch, r);
    }
    if (step == num_steps) break;
    for (uint32_t env = 0; env < num_envs; ++env) choose(*pool, env, step);
    ask_all(*pool, Op::step);
  }
  for (const std::string& each : rows) file << each;
  std::printf("%s %s %zu\n", id.c_str(),
              mode == host::Autoreset::next_step ? "NextStep" : "SameStep",
              rows[0].size() / (num_steps + 1));
}

}  // namespace
}  // namespace pp::test

int main(int argc, char** argv) {
  if (argc < 4) return std::fprintf(stderr, "usage: rollouts LIBRARY FILE ID [ID ...]\n"), 2;
  try {
    pp::host::Library library(argv[1]);
    std::ofstream file(argv[2], std::ios::binary);
    for (int i = 3; i < argc; ++i) {
      for (const auto mode : {pp::host::Autoreset::next_step, pp::host::Autoreset::same_step}) {
        pp::test::record(library, argv[i], mode, file);
      }
    }
  } catch (const std::exception& error) {
    return std::fprintf(stderr, "rollouts: %s\n", error.what()), 1;
  }
  return 0;
}
