#include "mission.hpp"

#include <stdexcept>
#include <string>
#include <string_view>

namespace minigrid {
namespace {

// A word's number is its place, from 1. The first 51 have the numbers of minigrid's
// DictObservationSpaceWrapper, which lacks the others. The Python module vocabulary has the same.
constexpr std::string_view vocabulary[] = {
    "red",    "green",    "blue",   "yellow", "purple", "grey",    "unseen", "empty",  "wall",
    "floor",  "box",      "key",    "ball",   "door",   "goal",    "agent",  "lava",   "pick",
    "avoid",  "get",      "find",   "put",    "use",    "open",    "go",     "fetch",  "reach",
    "unlock", "traverse", "up",     "the",    "a",      "at",      ",",      "square", "and",
    "then",   "to",       "of",     "rooms",  "near",   "opening", "must",   "you",    "matching",
    "end",    "hallway",  "object", "from",   "room",   "maze",    "next",   "on",     "your",
    "left",   "right",    "in",     "front",  "behind", "after",
};
constexpr auto vocabulary_size = std::size(vocabulary);

uint8_t number_of(std::string_view word) {
  const auto* const found = std::find(std::begin(vocabulary), std::end(vocabulary), word);
  if (found == std::end(vocabulary))
    throw std::logic_error("the vocabulary lacks '" + std::string(word) + "'");
  return static_cast<uint8_t>(found - std::begin(vocabulary) + 1);
}

}  // namespace

void describe_mission(pp::Field& field, const CommonOptions& options, MissionSize size) {
  field.text(size.bytes);
  if (options.mission == Mission::text) return;
  field.kind = options.mission == Mission::bytes ? PP_KIND_BOX : PP_KIND_MULTI_DISCRETE;
  if (options.mission == Mission::words) {
    field.shape.assign({size.words});
    field.bounds(0, static_cast<double>(vocabulary_size));
  }
}

void MissionWriter::look(const World& world) {
  if (!words_) {
    std::copy_n(world.mission.begin(), row_.size(), row_.begin());
    return;
  }
  const auto* const text = reinterpret_cast<const char*>(world.mission.data());
  const auto* const end = std::find(text, text + world.mission.size(), '\0');
  size_t n = 0;
  for (const char* at = text; at != end;) {
    if (*at == ' ') {
      ++at;
      continue;
    }
    const char* const begin = at;
    if (*at == ',') {
      ++at;
    } else {
      at = std::find_if(at, end, [](char c) { return c == ' ' || c == ','; });
    }
    row_.at(n++) = number_of({begin, static_cast<size_t>(at - begin)});
  }
  std::fill(row_.begin() + static_cast<ptrdiff_t>(n), row_.end(), uint8_t{0});
}

}  // namespace minigrid
