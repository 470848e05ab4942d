// Damaged bytes. That states go on exactly: many_threads.cpp.
#include "test_envs.hpp"

namespace pp::test {
namespace {

// Every truncation, and every byte changed: refused, and nothing else happens.
PP_CASE(damaged_states_are_refused) {
  const auto pool = started_pool("Memory", sizes(1, 1, 1));
  const Pool::Hold hold(*pool, nullptr, 1);
  const std::string state = pool->get_states(hold)[0];
  // Bytes in a vector, so that AddressSanitizer sees a read beyond them.
  const auto refused = [&](const std::vector<char>& bytes) {
    const std::string_view all(bytes.data(), bytes.size());
    return refuses(ErrorKind::state, [&] { pool->set_states(hold, {all}); });
  };
  for (size_t size = 0; size < state.size(); ++size) {
    PP_CHECK(refused({state.begin(), state.begin() + static_cast<ptrdiff_t>(size)}));
  }
  for (size_t byte = 0; byte < state.size(); ++byte) {
    for (const int change : {1, 0x80, 0xff}) {
      std::vector<char> damaged(state.begin(), state.end());
      damaged[byte] = static_cast<char>(damaged[byte] ^ change);
      PP_CHECK(refused(damaged));
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
