// Writes an instruction in minigrid's words.
#include <stdexcept>
#include <string>

#include "babyai/level.hpp"

namespace minigrid {

std::string Level::text(Description& d) {
  find(d, true);
  if (d.matches.empty()) throw std::logic_error("no object fits the description");
  std::string s = d.matches.size() > 1 ? "a " : "the ";
  if (d.color != any_color) s += std::string(name_of(d.color)) + " ";
  s += name_of(d.type);
  switch (d.where) {
    case Where::left:
      return s + " on your left";
    case Where::right:
      return s + " on your right";
    case Where::front:
      return s + " in front of you";
    case Where::behind:
      return s + " behind you";
    case Where::anywhere:
      break;
  }
  return s;
}

std::string Level::text(int n) {
  Instruction& i = number(n);
  switch (i.kind) {
    case Kind::go_to:
      return "go to " + text(i.what);
    case Kind::open:
      return "open " + text(i.what);
    case Kind::pickup:
      return "pick up " + text(i.what);
    case Kind::put_next: {
      const std::string what = text(i.what);
      return "put " + what + " next to " + text(i.next_to);
    }
    case Kind::before:
      return text(i.a) + ", then " + text(i.b);
    case Kind::after:
      return text(i.a) + " after you " + text(i.b);
    case Kind::both:
      break;
  }
  return text(i.a) + " and " + text(i.b);
}

}  // namespace minigrid
