// Columns that are written into memory of the caller's, as those of compiled JAX programs.
#include <algorithm>
#include <chrono>
#include <thread>

#include "test_envs.hpp"

namespace pp::test {
namespace {

// Memory for every column, aligned as XLA aligns, with bytes after it that may not be written.
class Elsewhere {
 public:
  Elsewhere(const Pool& pool, uint32_t rows) {
    size_t bytes = 0;
    for (const host::Column& column : pool.layout().columns()) {
      begins_.push_back(bytes);
      sizes_.push_back(column.row_bytes * rows);
      bytes += (sizes_.back() + 2 * alignment) / alignment * alignment;
    }
    memory_.assign(bytes + alignment, untouched);
    const auto address = reinterpret_cast<uintptr_t>(memory_.data());
    char* begin = memory_.data() + (alignment - address % alignment) % alignment;
    for (const size_t each : begins_) places_.push_back(begin + each);
  }

  const std::vector<char*>& places() const { return places_; }
  bool written(size_t column) const {
    const char* begin = places_[column];
    return !std::all_of(begin, begin + sizes_[column], [](char c) { return c == untouched; });
  }
  bool overrun() const {
    for (size_t c = 0; c < places_.size(); ++c) {
      for (size_t i = 0; i < alignment; ++i) {
        if (places_[c][sizes_[c] + i] != untouched) return true;
      }
    }
    return false;
  }

 private:
  static constexpr size_t alignment = 64;
  static constexpr char untouched = 0x5a;
  std::vector<size_t> begins_;
  std::vector<size_t> sizes_;
  std::vector<char> memory_;
  std::vector<char*> places_;
};

void ask_there(Pool& pool, Op op, const Elsewhere& elsewhere) {
  pool.submit(pool.admit(nullptr, pool.config().num_envs, op, true), &elsewhere.places());
}

PP_CASE(placed_rows_are_those_of_others) {
  for (const char* name : {"Walk", "WalkLanes", "WalkLate", "WalkExclusive", "WalkBatch"}) {
    const auto pool = make_pool(name, sizes(130, 130, 3));
    const auto twin = make_pool(name, sizes(130, 130, 1));
    const Elsewhere elsewhere(*pool, 130);
    for (uint32_t step = 0; step < 60; ++step) {
      for (Pool* each : {pool.get(), twin.get()}) {
        for (uint32_t env = 0; env < 130; ++env) act(*each, env, policy(env, step));
      }
      ask_there(*pool, step == 0 ? Op::reset : Op::step, elsewhere);
      ask_all(*twin, step == 0 ? Op::reset : Op::step);
      const Held ours = wait(*pool);
      const Held theirs = wait(*twin);
      const size_t obs =
          pool->layout().column_of_field(static_cast<size_t>(pool->spec().find(PP_ROLE_OBS)));
      PP_CHECK(pool->layout().bytes(ours.get(), obs, 0) == elsewhere.places()[obs]);
      PP_CHECK(elsewhere.written(obs) && !elsewhere.overrun());
      BatchStore::bring_home(ours.get());
      PP_CHECK(pool->layout().bytes(ours.get(), obs, 0) != elsewhere.places()[obs]);
      Trajectories mine(130);
      Trajectories others(130);
      mine.add(*pool, *ours);
      others.add(*twin, *theirs);
      PP_CHECK(mine.hash == others.hash);
    }
    ask_all(*pool, Op::step);  // the same batches, in memory of their own again
    const Held batch = wait(*pool);
    PP_CHECK(batch->columns[0] == batch->data);
  }
}

PP_CASE(placed_rows_are_for_one_thread) {
  const auto pool = started_pool("Sleepy", sizes(4, 4, 2));
  PP_CHECK(pool->places_columns());
  const Elsewhere elsewhere(*pool, 4);
  for (uint32_t env = 0; env < 4; ++env) act(*pool, env, 20);
  ask_there(*pool, Op::step, elsewhere);
  std::thread([&] {  // a thief
    PP_CHECK(refuses(ErrorKind::busy, [&] { wait(*pool); }));
    PP_CHECK(refuses(ErrorKind::busy, [&] { pool->poll(); }));
  })
      .join();
  PP_CHECK(wait(*pool)->rows == 4);
}

PP_CASE(placed_rows_are_not_written_after_close) {
  for (uint32_t turn = 0; turn < 20; ++turn) {
    const auto pool = started_pool("Sleepy", sizes(8, 8, 3));
    std::thread program([&] {
      const Elsewhere elsewhere(*pool, 8);
      for (uint32_t env = 0; env < 8; ++env) act(*pool, env, 10);
      try {
        ask_there(*pool, Op::step, elsewhere);
        wait(*pool);
      } catch (const host::Error& error) {
        PP_CHECK(error.kind() == ErrorKind::closed);
        pool->settle();
      }
    });
    std::this_thread::sleep_for(std::chrono::milliseconds(turn));
    pool->close();
    program.join();
  }
}

}  // namespace
}  // namespace pp::test
