// Options that are words separated by commas.
#ifndef PARALLEL_POOL_MINIGRID_WORDS_HPP_
#define PARALLEL_POOL_MINIGRID_WORDS_HPP_

#include <algorithm>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace minigrid {

// Returns the meanings of the words of `text`.
template <class Value>
std::vector<Value> meanings(const char* option, const std::string& text,
                            const std::vector<std::pair<std::string, Value>>& words) {
  std::vector<Value> found;
  for (size_t begin = 0; begin <= text.size();) {
    const size_t end = std::min(text.find(',', begin), text.size());
    const std::string word = text.substr(begin, end - begin);
    begin = end + 1;
    const auto known = std::find_if(words.begin(), words.end(),
                                    [&](const auto& each) { return each.first == word; });
    if (known == words.end()) {
      std::string message = std::string(option) + " has '" + word + "', which is none of ";
      for (const auto& each : words) message += each.first + " ";
      throw std::invalid_argument(message.substr(0, message.size() - 1));
    }
    found.push_back(known->second);
  }
  return found;
}

}  // namespace minigrid
#endif  // PARALLEL_POOL_MINIGRID_WORDS_HPP_
