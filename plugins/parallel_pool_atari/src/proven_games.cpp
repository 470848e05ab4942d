#include "proven_games.hpp"

namespace pp::atari {

bool is_proven(const std::string&) { return true; }

}  // namespace pp::atari
