// parallel_pool/host/base/text.hpp: texts of plugins, which say that they are UTF-8.
#pragma once

#include <cstddef>
#include <string>

namespace pp::host {

// Bytes of the character at `text`, which is not its end; 0 if it is not UTF-8. Reads nothing
// behind a zero byte.
inline size_t character_bytes(const char* text) {
  const auto* s = reinterpret_cast<const unsigned char*>(text);
  const auto follows = [s](size_t i) { return (s[i] & 0xc0) == 0x80; };
  if (s[0] < 0x80) return 1;
  if (s[0] >= 0xc2 && s[0] < 0xe0) return follows(1) ? 2 : 0;
  if (s[0] >= 0xe0 && s[0] < 0xf0) {
    const bool overlong = s[0] == 0xe0 && s[1] < 0xa0;
    const bool surrogate = s[0] == 0xed && s[1] >= 0xa0;
    return follows(1) && follows(2) && !overlong && !surrogate ? 3 : 0;
  }
  if (s[0] >= 0xf0 && s[0] < 0xf5) {
    const bool overlong = s[0] == 0xf0 && s[1] < 0x90;
    const bool too_high = s[0] == 0xf4 && s[1] >= 0x90;
    return follows(1) && follows(2) && follows(3) && !overlong && !too_high ? 4 : 0;
  }
  return 0;
}

inline bool is_utf8(const char* text) {
  while (*text != 0) {
    const size_t bytes = character_bytes(text);
    if (bytes == 0) return false;
    text += bytes;
  }
  return true;
}

// Returns true if the text can be a name: it is not NULL nor empty, and UTF-8 without control
// characters.
inline bool is_name(const char* text) {
  if (text == nullptr || *text == 0 || !is_utf8(text)) return false;
  for (; *text != 0; ++text) {
    if (static_cast<unsigned char>(*text) < 0x20 || *text == 0x7f) return false;
  }
  return true;
}

inline constexpr size_t longest_text = size_t{64} << 10;

// Makes any bytes UTF-8 of limited length. NULL becomes an empty text.
inline std::string readable(const char* text) {
  std::string result;
  while (text != nullptr && *text != 0) {
    if (result.size() >= longest_text) return result + " ... (the rest is left out)";
    const size_t bytes = character_bytes(text);
    bytes == 0 ? result.append("\xef\xbf\xbd") : result.append(text, bytes);
    text += bytes == 0 ? 1 : bytes;
  }
  return result;
}

}  // namespace pp::host
