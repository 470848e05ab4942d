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
  pp::atari::MersenneTwister twister;
};

namespace pp::atari {
namespace {

// An explicit instantiation may name a private member: see ale_private.hpp.
MersenneTwister& twister(const ale::stella::Random& random);
template <auto kMember>
struct Export {
  friend MersenneTwister& twister(const ale::stella::Random& random) {
    return (random.*kMember)->twister;
  }
};
template struct Export<&ale::stella::Random::m_pimpl>;

}  // namespace

MersenneTwister& state_of(const ale::stella::Random& random) {
  return twister(random);
}

}  // namespace pp::atari

namespace ale::stella {

using pp::atari::MersenneTwister;

Random::Random() : m_pimpl(new Impl) {}
Random::~Random() {
  delete m_pimpl;
}

void Random::seed(std::uint32_t value) {
  m_pimpl->twister.seed(value);
}
std::uint32_t Random::next() {
  return m_pimpl->twister.next();
}
double Random::nextDouble() {
  return m_pimpl->twister.next() / 4294967296.0;
}

bool Random::saveState(Serializer& out) {
  out.putString({reinterpret_cast<const char*>(&m_pimpl->twister), sizeof(MersenneTwister)});
  return true;
}
bool Random::loadState(Deserializer& in) {
  const std::string bytes = in.getString();
  if (bytes.size() != sizeof(MersenneTwister)) {
    throw std::invalid_argument("the saved Atari state is damaged");
  }
  std::memcpy(&m_pimpl->twister, bytes.data(), bytes.size());
  return true;
}

}  // namespace ale::stella
