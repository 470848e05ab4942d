// parallel_pool_mujoco/model_edits.hpp: what an environment changes in a model of its own:
// arrays of mjModel, registered one by one.
//
// States bring their contents along, and pictures are drawn with them. undo() is for tasks whose
// originals begin anew with the model as it was compiled.
#ifndef PARALLEL_POOL_MUJOCO_MODEL_EDITS_HPP_
#define PARALLEL_POOL_MUJOCO_MODEL_EDITS_HPP_

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "parallel_pool/sdk/state.hpp"
#include "parallel_pool_mujoco/model.hpp"

namespace pp::mujoco {

class ModelEdits {
 public:
  // The array `member` ("mjModel.geom_pos") of `count` numbers, which may now be written: it takes
  // the place of the one that the models share. Asking for it again is fine; who has asked the
  // model for it before has the one as it was compiled.
  template <class T>
  T* edit(const Model& model, const char* member, size_t count) {
    T*& numbers = model.engine.at<T*>(static_cast<void*>(model.raw), member);
    for (const Edit& known : edits_) {
      if (known.own.get() == reinterpret_cast<char*>(numbers)) return numbers;
    }
    const size_t size = count * sizeof(T);
    edits_.push_back(
        {member, reinterpret_cast<char*>(numbers), std::make_unique<char[]>(size), size});
    std::memcpy(edits_.back().own.get(), numbers, size);
    numbers = reinterpret_cast<T*>(edits_.back().own.get());
    return numbers;
  }

  // As compiled.
  void undo() {
    for (const Edit& edit : edits_) std::memcpy(edit.own.get(), edit.compiled, edit.size);
  }

  void save(StateWriter& out) const {
    for (const Edit& edit : edits_) out.write_bytes(edit.own.get(), edit.size);
  }
  void load(StateReader& in) {
    for (const Edit& edit : edits_) in.read_bytes(edit.own.get(), edit.size);
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
  };
  static size_t padded(size_t size) { return (size + 7) / 8 * 8; }

  std::vector<Edit> edits_;
  mutable std::vector<char> packed_;
};

}  // namespace pp::mujoco
#endif  // PARALLEL_POOL_MUJOCO_MODEL_EDITS_HPP_
