// What a task changes in its model: arrays of mjModel that were registered here.
//
// dm_control's tasks write into the model when an episode begins, and what they wrote stays until
// the next one does, through the forward pass with which a reset begins. A new environment of
// dm_control begins with the model as it was compiled; so does an environment with a new seed.
#ifndef PARALLEL_POOL_DMC_MODEL_EDITS_HPP_
#define PARALLEL_POOL_DMC_MODEL_EDITS_HPP_

#include <cstddef>
#include <cstring>
#include <vector>

#include "sdk_names.hpp"

namespace suite {

class ModelEdits {
 public:
  // The array `member` ("mjModel.geom_pos") of `count` numbers, which may now be written. The model
  // must be the environment's own.
  template <class T>
  T* edit(const Model& model, const char* member, size_t count) {
    T* const numbers = model.at<T*>(member);
    const char* const first = reinterpret_cast<const char*>(numbers);
    edits_.push_back({reinterpret_cast<char*>(numbers), {first, first + count * sizeof(T)}});
    return numbers;
  }

  // As compiled.
  void undo() {
    for (const Edit& edit : edits_) {
      std::memcpy(edit.place, edit.compiled.data(), edit.compiled.size());
    }
  }

  void save(StateWriter& out) const {
    for (const Edit& edit : edits_) out.write_bytes(edit.place, edit.compiled.size());
  }
  void load(StateReader& in) {
    for (const Edit& edit : edits_) in.read_bytes(edit.place, edit.compiled.size());
  }

 private:
  struct Edit {
    char* place;
    std::vector<char> compiled;
  };
  std::vector<Edit> edits_;
};

}  // namespace suite
#endif  // PARALLEL_POOL_DMC_MODEL_EDITS_HPP_
