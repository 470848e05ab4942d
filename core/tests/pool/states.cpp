// Saving and restoring; damaged bytes.
#include "test_envs.hpp"

namespace pp::test {
namespace {

std::vector<std::string_view> views(const std::vector<std::string>& states) {
  return {states.begin(), states.end()};
}

PP_CASE(states_go_on_exactly) {
  for (const char* name : {"WalkLanes", "WalkLate", "WalkBatch"}) {
    const auto pool = make_pool(name, sizes(20, 20, 4));
    const auto other = make_pool(name, sizes(20, 5, 2));
    play(*pool, 10);
    wait(*pool);
    std::vector<std::string> states;
    {
      const Pool::Hold hold(*pool, nullptr, 20);
      states = pool->get_states(hold);
    }
    {
      const Pool::Hold hold(*other, nullptr, 20);
      other->set_states(hold, views(states));
    }
    Trajectories left(20);
    Trajectories right(20);
    for (uint32_t env = 0; env < 20; ++env) {
      act(*pool, env, policy(env, 3));
      act(*other, env, policy(env, 3));
    }
    ask_all(*pool, Op::step);
    ask_all(*other, Op::step);
    left.add(*pool, *wait(*pool));
    for (uint32_t part = 0; part < 4; ++part) right.add(*other, *wait(*other));
    PP_CHECK(left.hash == right.hash);
  }
}

// Every truncation, and every byte changed: refused, and nothing else happens.
PP_CASE(damaged_states_are_refused) {
  const auto pool = make_pool("Memory", sizes(1, 1, 1));
  ask_all(*pool, Op::reset);
  wait(*pool);
  const Pool::Hold hold(*pool, nullptr, 1);
  const std::string state = pool->get_states(hold)[0];
  for (size_t size = 0; size < state.size(); ++size) {
    // A copy of this size, so that AddressSanitizer sees a read beyond it.
    const std::vector<char> exact(state.begin(), state.begin() + static_cast<ptrdiff_t>(size));
    const std::string_view part(exact.data(), exact.size());
    PP_CHECK(refuses(ErrorKind::state, [&] { pool->set_states(hold, {part}); }));
  }
  for (size_t byte = 0; byte < state.size(); ++byte) {
    for (const int change : {1, 0x80, 0xff}) {
      std::vector<char> damaged(state.begin(), state.end());
      damaged[byte] = static_cast<char>(damaged[byte] ^ change);
      const std::string_view whole(damaged.data(), damaged.size());
      PP_CHECK(refuses(ErrorKind::state, [&] { pool->set_states(hold, {whole}); }));
    }
  }
  // What only a forger does: the plugin's bytes, with a checksum that fits. Anything but a crash.
  uint64_t random = 1;
  for (uint32_t turn = 0; turn < 3000; ++turn) {
    std::vector<char> forged(state.begin(), state.end());
    for (uint32_t k = 0; k < 1 + turn % 4; ++k) {
      random = host::hash_bytes(&turn, sizeof turn, random + k);
      const size_t place =
          sizeof(host::StateHead) + random % (forged.size() - sizeof(host::StateHead));
      forged[place] = static_cast<char>(random >> 56);
    }
    host::StateHead head;
    std::memcpy(&head, forged.data(), sizeof head);
    head.checksum = host::checksum_bytes(forged.data() + host::StateHead::checked,
                                         forged.size() - host::StateHead::checked);
    std::memcpy(forged.data(), &head, sizeof head);
    try {
      pool->set_states(hold, {std::string_view(forged.data(), forged.size())});
    } catch (const host::Error& error) {
      PP_CHECK(error.kind() == ErrorKind::state);
    }
  }
  pool->set_states(hold, {state});
}

}  // namespace
}  // namespace pp::test
