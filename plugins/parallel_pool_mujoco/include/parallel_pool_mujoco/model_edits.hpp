// parallel_pool_mujoco/model_edits.hpp: the arrays of mjModel that an environment changes in a
// model of its own, registered one by one.
//
// States hold their contents, and pictures are drawn with them. A forged state can change only
// numbers that the task writes: a reset draws these anew, and others would stay.
// undo() is for tasks whose originals begin anew with the model as it was compiled.
//
// With with_derived(), derive() also brings up to date what MuJoCo derives from the member
// (derived.hpp). All arrays that this may write are the environment's own from then on, except
// meshes, textures and other bulk. States hold none of them; pictures are drawn with them.
#ifndef PARALLEL_POOL_MUJOCO_MODEL_EDITS_HPP_
#define PARALLEL_POOL_MUJOCO_MODEL_EDITS_HPP_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "parallel_pool/sdk/state.hpp"
#include "parallel_pool_mujoco/derived.hpp"
#include "parallel_pool_mujoco/engine.hpp"
#include "parallel_pool_mujoco/extents.hpp"
#include "parallel_pool_mujoco/model.hpp"

namespace pp::mujoco {

class ModelEdits {
 public:
  // Some numbers of an array.
  struct Range {
    size_t first;
    size_t count;
  };

  // Makes the array `member` ("mjModel.geom_pos") of `count` numbers the environment's own, in
  // place of the one that the models share, and returns it: it may be written. A second call
  // returns the same; a pointer that the model gave before points to the compiled array. Throws
  // std::logic_error if the model is shared, or the array has another size.
  template <class T>
  T* edit(const Model& model, const char* member, size_t count) {
    return edit<T>(model, member, count, {{0, count}});
  }
  // Does the same, but only the numbers in `written` may be written.
  template <class T>
  T* edit(const Model& model, const char* member, size_t count, const std::vector<Range>& written) {
    check<T>(model, member, count, written);
    Edit& edit = own(model, model.engine.member(member), count * sizeof(T));
    for (const Range& range : written) {
      edit.written.push_back({range.first * sizeof(T), range.count * sizeof(T)});
    }
    return reinterpret_cast<T*>(edit.place);
  }
  // Does the same, and derive() derives what follows from the member.
  template <class T>
  T* with_derived(const Model& model, const char* member, size_t count,
                  const std::vector<Range>& written) {
    const std::string name = unprefixed(member);
    if (lists(derived_members, name)) {
      throw std::logic_error(std::string(member) +
                             " follows from other members of the model: edit those");
    }
    T* const numbers = edit<T>(model, member, count, written);
    changed_.insert(name);
    if (Derivation::follows_from(name)) own_derived(model);
    return numbers;
  }
  bool derives() const { return !derived_.empty(); }
  // Derives all that follows from the edits, as model_overrides does with the same numbers.
  // `data` is any mjData of the model; this leaves it as mj_resetData does. Throws
  // std::invalid_argument for numbers that MuJoCo cannot simulate; other numbers may come next.
  void derive(const Model& model, RawData* data) const {
    for (const Edit& each : derived_) std::memcpy(each.place, each.compiled, each.size);
    Members changed;
    for (const Edit& each : edits_) {
      const std::string name = unprefixed(each.member);
      const bool as_compiled = std::memcmp(each.place, each.compiled, each.size) == 0;
      if (!as_compiled && changed_.count(name) > 0) changed.insert(name);
    }
    model.derivation().update(model.raw, data, changed);
  }

  // Puts the compiled numbers back.
  void undo() {
    for (const Edit& edit : edits_) std::memcpy(edit.place, edit.compiled, edit.size);
  }

  void save(StateWriter& out) const {
    for (const Edit& edit : edits_) out.write_bytes(edit.place, edit.size);
  }
  // Throws std::invalid_argument if a number differs that the task never writes.
  void load(StateReader& in) {
    for (const Edit& edit : edits_) {
      std::vector<char> given(edit.size);
      in.read_bytes(given.data(), edit.size);
      check(edit, given.data());
      std::memcpy(edit.place, given.data(), edit.size);
    }
  }
  // Checks, in the same way, what another process has packed. Takes none of it.
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
    each_packed([&](const Edit& edit) {
      same(2 * sizeof(int64_t) + padded(edit.member.size()));
      if (!edit.derived) check(edit, packed + at);
      at += padded(edit.size);
    });
    same(sizeof(int64_t));
  }

  // Packs the arrays for Python (parallel_pool_mujoco.sdk.copies). Each is the size of its name and
  // of its contents in bytes (int64), then both of them, padded to 8 bytes. A zero ends the list.
  size_t packed_size() const {
    size_t size = sizeof(int64_t);
    each_packed([&](const Edit& edit) {
      size += 2 * sizeof(int64_t) + padded(edit.member.size()) + padded(edit.size);
    });
    return size;
  }
  void pack(char* out) const {
    std::memset(out, 0, packed_size());
    each_packed([&](const Edit& edit) {
      const int64_t sizes[] = {static_cast<int64_t>(edit.member.size()),
                               static_cast<int64_t>(edit.size)};
      std::memcpy(out, sizes, sizeof sizes);
      out += sizeof sizes;
      std::memcpy(out, edit.member.data(), edit.member.size());
      out += padded(edit.member.size());
      std::memcpy(out, edit.place, edit.size);
      out += padded(edit.size);
    });
  }
  // The packed bytes, which stay until the next call.
  const std::vector<char>& packed() const {
    packed_.resize(packed_size());
    pack(packed_.data());
    return packed_;
  }

 private:
  struct Edit {
    std::string member;
    const char* compiled;
    std::unique_ptr<char[]> own;  // empty if the number lies in the struct itself
    char* place;
    size_t size;
    std::vector<Range> written;  // in bytes
    bool derived;                // pictures are drawn with it
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
  template <class T>
  static void check(const Model& model, const char* member, size_t count,
                    const std::vector<Range>& written) {
    if (!model.is_own()) {
      throw std::logic_error(std::string(member) + " of " + model.source +
                             " is shared by all environments and cannot be edited: give each a "
                             "model of its own, Model::own(options) in place of Model::share");
    }
    const pp_mujoco_symbol& symbol = model.engine.member(member);
    if (is_array(symbol)) {  // either call throws for numbers of another type
      model.engine.offset<T*>(member);
    } else {
      model.engine.offset<T>(member);
    }
    const Extents extents = Extents::of(model.engine, model.raw, symbol);
    size_t end = 0;
    for (const Range& range : written) end = std::max(end, range.first + range.count);
    if (extents.ndim > 0 && (extents.count() != count || end > count)) {
      throw std::logic_error(std::string(member) + " of " + model.source + " has " +
                             std::to_string(extents.count()) + " numbers, not " +
                             std::to_string(std::max(end, count)));
    }
  }
  // Makes that member the environment's own, once.
  Edit& own(const Model& model, const pp_mujoco_symbol& symbol, size_t size) {
    for (Edit& known : edits_) {
      if (known.member == symbol.name) return known;
    }
    for (auto each = derived_.begin(); each != derived_.end(); ++each) {
      if (each->member != symbol.name) continue;
      edits_.push_back(std::move(*each));
      edits_.back().derived = false;
      derived_.erase(each);
      return edits_.back();
    }
    edits_.push_back(copied(model, symbol, size));
    return edits_.back();
  }
  static Edit copied(const Model& model, const pp_mujoco_symbol& symbol, size_t size) {
    Edit edit{symbol.name, nullptr, nullptr, nullptr, size, {}, false};
    char* const member = reinterpret_cast<char*>(model.raw) + symbol.value;
    if (is_array(symbol)) {
      char*& numbers = *reinterpret_cast<char**>(member);
      edit.compiled = numbers;
      edit.own = std::make_unique<char[]>(size);
      if (size > 0) std::memcpy(edit.own.get(), numbers, size);
      edit.place = numbers = edit.own.get();
    } else {
      edit.compiled = reinterpret_cast<const char*>(model.compiled_raw()) + symbol.value;
      edit.place = member;
    }
    return edit;
  }
  // Makes the members that a derivation may write the environment's own. The installed MuJoCo
  // decides which these are.
  void own_derived(const Model& model) {
    if (derives()) return;
    for (const pp_mujoco_symbol& symbol : model.engine) {
      const std::string name = unprefixed(symbol.name);
      if (name.empty()) continue;
      const bool in_struct = !is_array(symbol);
      const bool statistic = name.compare(0, 5, "stat.") == 0;
      const bool listed = statistic || lists(derived_members, name);
      if (in_struct ? !listed : is_bulk(name)) continue;
      const size_t size =
          item_size(symbol.type) * Extents::of(model.engine, model.raw, symbol).count();
      const auto known = std::find_if(edits_.begin(), edits_.end(),
                                      [&](const Edit& each) { return each.member == symbol.name; });
      if (size == 0 || known != edits_.end()) continue;
      derived_.push_back(copied(model, symbol, size));
      derived_.back().derived = listed && detail::is_declared<double>(element_of(symbol.type));
    }
  }
  // True for arrays that no derivation writes and that may be megabytes.
  static bool is_bulk(const std::string& name) {
    for (const char* prefix : {"bvh_child", "bvh_depth", "bvh_nodeid", "hfield_", "mesh_", "name",
                               "oct_", "paths", "skin_", "tex_", "text_"}) {
      if (name.compare(0, std::strlen(prefix), prefix) == 0) return true;
    }
    return false;
  }
  // "body_mass" of "mjModel.body_mass", nothing of other structs' members.
  static std::string unprefixed(std::string_view member) {
    constexpr std::string_view prefix = "mjModel.";
    if (member.substr(0, prefix.size()) != prefix) return {};
    return std::string(member.substr(prefix.size()));
  }
  template <class Visit>
  void each_packed(Visit&& visit) const {
    for (const Edit& edit : edits_) visit(edit);
    for (const Edit& edit : derived_) {
      if (edit.derived) visit(edit);
    }
  }
  static size_t padded(size_t size) { return (size + 7) / 8 * 8; }

  std::vector<Edit> edits_;
  std::vector<Edit> derived_;  // derivations may write these
  Members changed_;            // derive() derives what follows from these
  mutable std::vector<char> packed_;
};

}  // namespace pp::mujoco
#endif  // PARALLEL_POOL_MUJOCO_MODEL_EDITS_HPP_
