// parallel_pool/host/plugin/mixed_env.hpp: several environments of one library as one, for pools
// that have some of each.
//
// It is a table like a plugin's, so nothing else knows of it. A shard of it has a plugin object for
// each environment that some of its lanes are of; neighbours of one environment are stepped by one
// call. Options of a lane, at data() of such OptionValues: one value that points to a MixedLane.
#ifndef PARALLEL_POOL_HOST_PLUGIN_MIXED_ENV_HPP_
#define PARALLEL_POOL_HOST_PLUGIN_MIXED_ENV_HPP_

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "parallel_pool/abi.h"
#include "parallel_pool/host/plugin/error_sink.hpp"
#include "parallel_pool/host/plugin/extension.hpp"
#include "parallel_pool/host/plugin/options.hpp"
#include "parallel_pool/host/plugin/spec.hpp"

namespace pp::host {

class MixedEnv {
 public:
  // All agree with `spec`. `envs`: different ones of one library, which outlives this.
  MixedEnv(const std::vector<const pp_env*>& envs, const EnvSpec& spec)
      : id_(std::string(envs[0]->id) + " and " + std::to_string(envs.size() - 1) + " more") {
    for (const FieldSpec& field : spec.fields) row_bytes_.push_back(field.row_bytes);
    unsigned offered = all_extensions;
    table_.struct_size = sizeof table_;
    table_.preferred_lanes = 1;
    for (const pp_env* env : envs) {
      table_.flags |= env->flags;
      table_.preferred_lanes = std::max(table_.preferred_lanes, env->preferred_lanes);
      offered &= extensions_of(*env);
    }
    // Their calls are handed on as they are.
    if ((table_.flags & (PP_ENV_LATE_ROWS | PP_ENV_STEPS_WAIT)) != 0u) table_.preferred_lanes = 1;
    table_.id = id_.c_str();
    table_.create = &create;
    table_.destroy = [](void* self) { delete static_cast<Shard*>(self); };
    table_.reset = [](void* self, const pp_lanes* lanes) {
      return static_cast<Shard*>(self)->call(*lanes, &pp_env::reset);
    };
    table_.step = [](void* self, const pp_lanes* lanes) {
      return static_cast<Shard*>(self)->call(*lanes, &pp_env::step);
    };
    table_.get_extension = getters()[offered];
  }
  MixedEnv(const MixedEnv&) = delete;
  MixedEnv& operator=(const MixedEnv&) = delete;

  // As a plugin's, but for what is only asked of a library: describe and options.
  const pp_env& table() const { return table_; }
  // By field.
  const std::vector<size_t>& row_bytes() const { return row_bytes_; }

 private:
  struct Part {
    const pp_env* env;
    void* self = nullptr;
    std::vector<const pp_value*> options{};
  };
  struct Place {
    uint32_t part;
    uint32_t lane;  // of the part
  };

  struct Shard {
    Shard(const pp_shard& described, const MixedEnv& of) : mixed(of), fields(of.row_bytes_.size()) {
      for (uint32_t i = 0; i < described.count; ++i) {
        const auto& lane = *static_cast<const MixedLane*>(described.option[i]->data);
        const auto found = std::find_if(parts.begin(), parts.end(),
                                        [&](const Part& part) { return part.env == lane.env; });
        const auto number = static_cast<uint32_t>(found - parts.begin());
        if (found == parts.end()) parts.push_back({lane.env});
        places.push_back({number, static_cast<uint32_t>(parts[number].options.size())});
        parts[number].options.push_back(lane.options);
      }
    }
    Shard(const Shard&) = delete;
    Shard& operator=(const Shard&) = delete;
    ~Shard() {
      for (const Part& part : parts) {
        if (part.self != nullptr) part.env->destroy(part.self);
      }
    }

    bool build(const pp_host* host) {
      for (Part& part : parts) {
        const pp_shard its{sizeof(pp_shard), static_cast<uint32_t>(part.options.size()),
                           part.options.data()};
        part.self = part.env->create(host, &its);
        if (part.self == nullptr) return false;
        part.options.clear();
      }
      return true;
    }

    int32_t call(const pp_lanes& lanes, int32_t (*pp_env::*function)(void*, const pp_lanes*)) {
      if (parts.size() == 1) {
        // It does not know that rows may be late, because of others.
        const bool late = (mixed.table_.flags & PP_ENV_LATE_ROWS) != 0u;
        if (late && (parts[0].env->flags & PP_ENV_LATE_ROWS) == 0u) lanes.claim_rows(&lanes);
        return (parts[0].env->*function)(parts[0].self, &lanes);
      }
      int32_t status = 0;
      for (uint32_t i = 0; i < lanes.count;) {
        const Place place = places[lanes.first + i];
        uint32_t count = 1;
        while (i + count < lanes.count && places[lanes.first + i + count].part == place.part) {
          ++count;
        }
        const uint8_t* mask = lanes.mask == nullptr ? nullptr : lanes.mask + i;
        if (mask == nullptr || std::any_of(mask, mask + count, [](uint8_t m) { return m != 0; })) {
          status |= call_part(lanes, function, place, i, count);
        }
        i += count;
      }
      return status;
    }

    // Rows i .. i + count - 1 of the call.
    int32_t call_part(const pp_lanes& lanes, int32_t (*pp_env::*function)(void*, const pp_lanes*),
                      Place place, uint32_t i, uint32_t count) {
      for (size_t f = 0; f < fields.size(); ++f) {
        auto* const rows = static_cast<char*>(lanes.field[f]);
        fields[f] = rows == nullptr ? nullptr : rows + i * mixed.row_bytes_[f];
      }
      pp_lanes its = lanes;
      its.first = place.lane;
      its.count = count;
      if (its.mask != nullptr) its.mask += i;
      if (its.seed != nullptr) its.seed += i;
      its.field = fields.data();
      const Part& part = parts[place.part];
      Said said;
      bool forgot = false;
      int32_t status = 0;
      {
        ErrorSink sink;
        status = without_exceptions([&] { return (part.env->*function)(part.self, &its); }, 1);
        forgot = sink.forgot();
        said = sink.take();
      }
      if (status == 0 && said.notes.empty() && said.failures.empty()) return 0;
      // Its lanes are called otherwise here.
      const uint32_t first = lanes.first + i;
      for (const RowNote& note : said.notes) {
        ErrorSink::set_note(nullptr, first + note.row - place.lane, note.message.c_str());
      }
      bool named = false;
      for (const EnvFailure& failure : said.failures) {
        for (uint32_t k = 0; k < count; ++k) {
          if (failure.env != PP_ALL_LANES && failure.env != place.lane + k) continue;
          if (its.mask != nullptr && its.mask[k] == 0) continue;
          named = true;
          ErrorSink::set_error(nullptr, first + k, failure.message.c_str());
        }
      }
      if (status != 0 && (!named || forgot)) {
        for (uint32_t k = 0; k < count; ++k) {
          ErrorSink::set_error(nullptr, first + k, forgot ? "out of memory" : "");
        }
      }
      return status;
    }

    const MixedEnv& mixed;
    std::vector<Part> parts;
    std::vector<Place> places;  // of the lanes
    std::vector<void*> fields;
  };

  static void* create(const pp_host* host, const pp_shard* shard) {
    const auto& lane = *static_cast<const MixedLane*>(shard->option[0]->data);
    auto made = std::make_unique<Shard>(*shard, *lane.mixed);
    return made->build(host) ? made.release() : nullptr;
  }

  // ---- extensions: those that all of them offer
  // --------------------------------------------------

  static constexpr unsigned has_state = 1, has_arrays = 2, has_render = 4, all_extensions = 7;

  static unsigned extensions_of(const pp_env& env) {
    return (find_extension<pp_state>(env, PP_EXT_STATE) != nullptr ? has_state : 0u) |
           (find_extension<pp_arrays>(env, PP_EXT_ARRAYS) != nullptr ? has_arrays : 0u) |
           (find_extension<pp_render>(env, PP_EXT_RENDER) != nullptr ? has_render : 0u);
  }

  // Calls a function of an extension for one lane.
  template <class Table, class Result, class... Rest>
  static Result ask(Result (*Table::*function)(void*, uint32_t, Rest...), const char* id,
                    void* self, uint32_t lane, Rest... rest) {
    const Shard& shard = *static_cast<Shard*>(self);
    const Place place = shard.places[lane];
    const Part& part = shard.parts[place.part];
    const auto* table = static_cast<const Table*>(part.env->get_extension(id));
    return (table->*function)(part.self, place.lane, rest...);
  }

  template <unsigned Offered>
  static const void* extension(const char* id) {
    static constexpr pp_state state = {
        sizeof(pp_state),
        0u,
        nullptr,
        [](void* self, uint32_t lane) { return ask(&pp_state::size, PP_EXT_STATE, self, lane); },
        [](void* self, uint32_t lane, void* bytes, uint64_t capacity) {
          return ask(&pp_state::save, PP_EXT_STATE, self, lane, bytes, capacity);
        },
        [](void* self, uint32_t lane, const void* bytes, uint64_t size) {
          return ask(&pp_state::load, PP_EXT_STATE, self, lane, bytes, size);
        }};
    static constexpr pp_arrays arrays = {
        sizeof(pp_arrays),
        0u,
        [](void* self, uint32_t lane) { return ask(&pp_arrays::count, PP_EXT_ARRAYS, self, lane); },
        [](void* self, uint32_t lane, uint32_t array, pp_array* out) {
          return ask(&pp_arrays::describe, PP_EXT_ARRAYS, self, lane, array, out);
        },
        [](void* self, uint32_t lane, uint32_t array, void* elements) {
          return ask(&pp_arrays::read, PP_EXT_ARRAYS, self, lane, array, elements);
        },
        [](void* self, uint32_t lane, uint32_t array, const void* elements) {
          return ask(&pp_arrays::write, PP_EXT_ARRAYS, self, lane, array, elements);
        }};
    static constexpr pp_render render = {
        sizeof(pp_render), 0u,
        [](void* self, uint32_t lane, uint32_t* height, uint32_t* width) {
          return ask(&pp_render::size, PP_EXT_RENDER, self, lane, height, width);
        },
        [](void* self, uint32_t lane, uint8_t* rgb) {
          return ask(&pp_render::draw, PP_EXT_RENDER, self, lane, rgb);
        }};
    if ((Offered & has_state) != 0 && std::strcmp(id, PP_EXT_STATE) == 0) return &state;
    if ((Offered & has_arrays) != 0 && std::strcmp(id, PP_EXT_ARRAYS) == 0) return &arrays;
    if ((Offered & has_render) != 0 && std::strcmp(id, PP_EXT_RENDER) == 0) return &render;
    return nullptr;
  }

  using Getter = const void* (*)(const char*);
  template <unsigned... Offered>
  static std::array<Getter, sizeof...(Offered)> all(std::integer_sequence<unsigned, Offered...>) {
    return {&extension<Offered>...};
  }
  static std::array<Getter, all_extensions + 1> getters() {
    return all(std::make_integer_sequence<unsigned, all_extensions + 1>());
  }

  std::string id_;
  std::vector<size_t> row_bytes_;
  pp_env table_{};
};

}  // namespace pp::host
#endif  // PARALLEL_POOL_HOST_PLUGIN_MIXED_ENV_HPP_
