// parallel_pool_mujoco/model_edits.hpp: what an environment changes in a model of its own:
// arrays of mjModel, registered one by one.
//
// States bring their contents along, and pictures are drawn with them. A forged state changes
// no number but those that the task writes: a reset draws these anew, and the others would stay.
// undo() is for tasks whose originals begin anew with the model as it was compiled.
#ifndef PARALLEL_POOL_MUJOCO_MODEL_EDITS_HPP_
#define PARALLEL_POOL_MUJOCO_MODEL_EDITS_HPP_

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "parallel_pool/sdk/state.hpp"
#include "parallel_pool_mujoco/model.hpp"

namespace pp::mujoco {

class ModelEdits {
 public:
  // Some numbers of an array.
  struct Range {
    size_t first;
    size_t count;
  };

  // The array `member` ("mjModel.geom_pos") of `count` numbers, which may now be written: it takes
  // the place of the one that the models share. Asking for it again is fine; code that asked the
  // model for it before has the one as it was compiled.
  template <class T>
  T* edit(const Model& model, const char* member, size_t count) {
    return edit<T>(model, member, count, {{0, count}});
  }
  // Of which only those in `written` may be.
  template <class T>
  T* edit(const Model& model, const char* member, size_t count, const std::vector<Range>& written) {
    T*& numbers = model.engine.at<T*>(static_cast<void*>(model.raw), member);
    Edit& edit = own(member, reinterpret_cast<char*>(numbers), count * sizeof(T));
    for (const Range& range : written) {
      edit.written.push_back({range.first * sizeof(T), range.count * sizeof(T)});
    }
    numbers = reinterpret_cast<T*>(edit.own.get());
    return numbers;
  }

  // As compiled.
  void undo() {
    for (const Edit& edit : edits_) std::memcpy(edit.own.get(), edit.compiled, edit.size);
  }

  void save(StateWriter& out) const {
    for (const Edit& edit : edits_) out.write_bytes(edit.own.get(), edit.size);
  }
  // Throws std::invalid_argument for what no task writes.
  void load(StateReader& in) {
    for (const Edit& edit : edits_) {
      std::vector<char> given(edit.size);
      in.read_bytes(given.data(), edit.size);
      check(edit, given.data());
      std::memcpy(edit.own.get(), given.data(), edit.size);
    }
  }
  // The same for what pack() gave elsewhere, which is not taken.
  void check_packed(const char* packed) const {
    std::vector<char> mine(packed_size());
    pack(mine.data());
    size_t at = 0;
    const auto same = [&](size_t size) {
      if (std::memcmp(packed + at, mine.data() + at, size) != 0) {
        throw std::invalid_argument(
            "the state is damaged or made up: its pictures are of a model "
            "with other changes");
      }
      at += size;
    };
    for (const Edit& edit : edits_) {
      same(2 * sizeof(int64_t) + padded(edit.member.size()));
      check(edit, packed + at);
      at += padded(edit.size);
    }
    same(sizeof(int64_t));
  }

  // For Python (parallel_pool_mujoco.sdk.copies): for each array the bytes of its name and of its
  // contents (int64), and both of them, padded to 8 bytes. A zero at the end.
  size_t packed_size() const {
    size_t size = sizeof(int64_t);
    for (const Edit& edit : edits_) {
      size += 2 * sizeof(int64_t) + padded(edit.member.size()) + padded(edit.size);
    }
    return size;
  }
  void pack(char* out) const {
    std::memset(out, 0, packed_size());
    for (const Edit& edit : edits_) {
      const int64_t sizes[] = {static_cast<int64_t>(edit.member.size()),
                               static_cast<int64_t>(edit.size)};
      std::memcpy(out, sizes, sizeof sizes);
      out += sizeof sizes;
      std::memcpy(out, edit.member.data(), edit.member.size());
      out += padded(edit.member.size());
      std::memcpy(out, edit.own.get(), edit.size);
      out += padded(edit.size);
    }
  }
  // The same, until it is called again.
  const std::vector<char>& packed() const {
    packed_.resize(packed_size());
    pack(packed_.data());
    return packed_;
  }

 private:
  struct Edit {
    std::string member;
    const char* compiled;
    std::unique_ptr<char[]> own;
    size_t size;
    std::vector<Range> written;  // in bytes
  };
  static void check(const Edit& edit, const char* given) {
    std::vector<char> allowed(edit.compiled, edit.compiled + edit.size);
    for (const Range& bytes : edit.written) {
      std::memcpy(allowed.data() + bytes.first, given + bytes.first, bytes.count);
    }
    if (std::memcmp(allowed.data(), given, edit.size) != 0) {
      throw std::invalid_argument("the state is damaged or made up: it changes " + edit.member +
                                  " where the task leaves it as it is");
    }
  }
  // That array, which is `numbers`, or took their place before.
  Edit& own(const char* member, const char* numbers, size_t size) {
    for (Edit& known : edits_) {
      if (known.own.get() == numbers) return known;
    }
    edits_.push_back({member, numbers, std::make_unique<char[]>(size), size, {}});
    std::memcpy(edits_.back().own.get(), numbers, size);
    return edits_.back();
  }
  static size_t padded(size_t size) { return (size + 7) / 8 * 8; }

  std::vector<Edit> edits_;
  mutable std::vector<char> packed_;
};

}  // namespace pp::mujoco
#endif  // PARALLEL_POOL_MUJOCO_MODEL_EDITS_HPP_
