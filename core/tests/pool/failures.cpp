// Environments that throw, calls that are wrong, and pools that end with work on its way.
#include "test_envs.hpp"

namespace pp::test {
namespace {

PP_CASE(failures_reach_the_receiver) {
  for (const uint32_t batch_size : {4u, 16u}) {
    const auto pool = make_pool("Faulty", sizes(16, batch_size, 4));
    ask_all(*pool, Op::reset);
    size_t failures = 0;
    for (uint32_t turn = 0; turn < 200; ++turn) {
      const Held batch = wait(*pool);
      std::vector<uint32_t> well;
      std::vector<uint32_t> ill;
      for (const host::EnvFailure& failure : batch->failures) ill.push_back(failure.env);
      failures += ill.size();
      for (uint32_t r = 0; r < batch->rows; ++r) {
        const auto env = static_cast<uint32_t>(ids_of(*pool, *batch)[r]);
        if (std::find(ill.begin(), ill.end(), env) == ill.end()) well.push_back(env);
      }
      for (const uint32_t env : well) act(*pool, env, static_cast<int32_t>((env + turn) % 5));
      if (!ill.empty()) {
        PP_CHECK(refuses(ErrorKind::reset_needed, [&] { ask(*pool, ill, Op::step); }));
        // One question in two parts would be two answers of a synchronous pool.
        ask(*pool, ill, Op::reset);
        if (pool->synchronous()) wait(*pool);
      }
      if (!well.empty()) ask(*pool, well, Op::step);
      if (well.empty() && pool->synchronous()) ask_all(*pool, Op::reset);
    }
    PP_CHECK(failures > 20);
  }
}

PP_CASE(wrong_calls_change_nothing) {
  const auto pool = make_pool("Walk", sizes(8, 8, 2));
  PP_CHECK(refuses(ErrorKind::nothing_pending, [&] { wait(*pool); }));
  PP_CHECK(refuses(ErrorKind::reset_needed, [&] { ask_all(*pool, Op::step); }));
  PP_CHECK(refuses(ErrorKind::index, [&] { ask(*pool, {8}, Op::reset); }));
  PP_CHECK(refuses(ErrorKind::value, [&] { ask(*pool, {3, 1, 3}, Op::reset); }));
  ask(*pool, {1, 3}, Op::reset);
  PP_CHECK(refuses(ErrorKind::busy, [&] { ask_all(*pool, Op::reset); }));
  PP_CHECK(refuses(ErrorKind::busy, [&] { ask(*pool, {0, 3}, Op::reset); }));
  PP_CHECK(wait(*pool)->rows == 2);
  ask_all(*pool, Op::reset);
  PP_CHECK(wait(*pool)->rows == 8);
  pool->close();
  PP_CHECK(refuses(ErrorKind::closed, [&] { ask_all(*pool, Op::reset); }));
  PP_CHECK(refuses(ErrorKind::closed, [&] { wait(*pool); }));
}

PP_CASE(dropped_calls_change_nothing) {
  for (const uint32_t batch_size : {4u, 8u}) {
    const auto pool = started_pool("Walk", sizes(8, batch_size, 2));
    const std::vector<uint32_t> some = {1, 2, 5, 6};
    const std::vector<uint32_t> rest = {0, 3, 4, 7};
    const size_t batches = pool->layout().store()->allocated();
    for (uint32_t turn = 0; turn < 3; ++turn) {
      host::AdmittedCall call = pool->admit(some.data(), 4, Op::step);
      // As long as it lives, its environments are taken; and so is a pool that must be idle.
      PP_CHECK(refuses(ErrorKind::busy, [&] { ask(*pool, {0, 5}, Op::step); }));
      PP_CHECK(refuses(ErrorKind::busy, [&] { ask_all(*pool, Op::reset); }));
      const uint32_t other = 3;
      PP_CHECK(refuses(ErrorKind::busy, [&] { pool->admit(&other, 1, Op::step, true); }));
      PP_CHECK(refuses(ErrorKind::busy, [&] { Pool::Hold(*pool, some.data(), 1); }));
      // Another call may be admitted meanwhile, and either may be dropped.
      const host::AdmittedCall second = pool->admit(rest.data(), 4, Op::step);
      const host::AdmittedCall moved = std::move(call);
    }
    PP_CHECK(refuses(ErrorKind::nothing_pending, [&] { wait(*pool); }));
    PP_CHECK(pool->layout().store()->allocated() <= batches + 2);
    ask(*pool, some, Op::step);
    PP_CHECK(wait(*pool)->rows == 4);
    // In any order, and interleaved with one that is dropped.
    host::AdmittedCall first = pool->admit(some.data(), 4, Op::step);
    host::AdmittedCall second = pool->admit(rest.data(), 4, Op::step);
    pool->submit(std::move(second));
    pool->submit(std::move(first));
    PP_CHECK(wait(*pool)->rows == 4);
    PP_CHECK(wait(*pool)->rows == 4);
    const Pool::Hold hold(*pool, nullptr, 8);
    PP_CHECK(refuses(ErrorKind::busy, [&] { pool->admit(nullptr, 8, Op::step); }));
  }
}

PP_CASE(close_with_work_in_every_stage) {
  for (uint32_t turn = 0; turn < 60; ++turn) {
    const auto pool = make_pool("Walk", sizes(64, turn % 2 == 0 ? 64 : 16, 4));
    ask_all(*pool, Op::reset);
    if (turn % 3 == 0) wait(*pool);
    if (turn % 5 == 0) std::this_thread::yield();
  }
}

PP_CASE(batches_outlive_their_pool) {
  std::vector<Held> kept;
  {
    const auto pool = make_pool("Walk", sizes(8, 8, 2));
    for (uint32_t turn = 0; turn < 20; ++turn) {
      ask_all(*pool, Op::reset);
      kept.push_back(wait(*pool));
    }
  }
  std::thread([&] { kept.clear(); }).join();
}

}  // namespace
}  // namespace pp::test
