// SPDX-License-Identifier: GPL-2.0-only
// Stands in for ALE's src/ale/emucore/Random.cxx, which is left out of the build
// (cmake/BuildAle.cmake). The numbers are the same.
//
// ALE keeps a std::mt19937 and saves it as decimal text, which was most of the time that saving and
// restoring a game took.

#include "ale_random.hpp"

#include <cstring>
#include <stdexcept>
#include <string>

#include "ale/emucore/Deserializer.hxx"
#include "ale/emucore/Serializer.hxx"

// Without a seed the numbers are those of std::mt19937 without one.
class ale::stella::Random::Impl {
 public:
  Impl() { twister.seed(5489); }
  pp::Mt19937 twister;
};

namespace pp::atari {
namespace {

// An explicit instantiation may name a private member: see ale_private.hpp.
Mt19937& twister(const ale::stella::Random& random);
template <auto Member>
struct Export {
  friend Mt19937& twister(const ale::stella::Random& random) { return (random.*Member)->twister; }
};
template struct Export<&ale::stella::Random::m_pimpl>;

}  // namespace

Mt19937& state_of(const ale::stella::Random& random) {
  return twister(random);
}

}  // namespace pp::atari

namespace ale::stella {

using pp::Mt19937;

Random::Random() : m_pimpl(new Impl) {}
Random::~Random() {
  delete m_pimpl;
}

void Random::seed(uint32_t value) {
  m_pimpl->twister.seed(value);
}
uint32_t Random::next() {
  return m_pimpl->twister.next_uint32();
}
double Random::nextDouble() {
  return m_pimpl->twister.next_uint32() / 4294967296.0;
}

bool Random::saveState(Serializer& out) {
  out.putString({reinterpret_cast<const char*>(&m_pimpl->twister), sizeof(Mt19937)});
  return true;
}
bool Random::loadState(Deserializer& in) {
  const std::string bytes = in.getString();
  if (bytes.size() != sizeof(Mt19937)) {
    throw std::invalid_argument("the saved Atari state is damaged");
  }
  std::memcpy(&m_pimpl->twister, bytes.data(), bytes.size());
  return true;
}

}  // namespace ale::stella
