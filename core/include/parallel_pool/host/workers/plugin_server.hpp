// parallel_pool/host/workers/plugin_server.hpp: the worker's side for environments of a plugin's
// library.
//
// serve() answers calls until it is told to leave. One thread; the plugin sees the same calls that
// it would see in the pool's process.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "parallel_pool/abi.h"
#include "parallel_pool/ext/arrays.h"
#include "parallel_pool/ext/render.h"
#include "parallel_pool/ext/reset_options.h"
#include "parallel_pool/ext/state.h"
#include "parallel_pool/host/plugin/error_sink.hpp"
#include "parallel_pool/host/plugin/extension.hpp"
#include "parallel_pool/host/plugin/options.hpp"
#include "parallel_pool/host/step/lane_call.hpp"
#include "parallel_pool/host/workers/mailbox.hpp"
#include "parallel_pool/host/workers/wire_format.hpp"
#include "parallel_pool/host/workers/worker_channel.hpp"

namespace pp::host::workers {

class PluginServer {
 public:
  // `options`: one per environment of the pool, or one for all.
  PluginServer(Mailbox& box, const pp_env& env, const std::vector<const OptionValues*>& options)
      : box_(box), channel_(box), env_(env), options_(options), fields_(box.head().n_field) {
    state_ = find_extension<pp_state>(env, PP_EXT_STATE);
    render_ = find_extension<pp_render>(env, PP_EXT_RENDER);
    arrays_ = find_extension<pp_arrays>(env, PP_EXT_ARRAYS);
    reset_options_ = find_extension<pp_reset_options>(env, PP_EXT_RESET_OPTIONS);
  }

  void serve() {
    for (;;) {
      const ErrorSink sink;
      int32_t status = 0;
      const Op op = channel_.next();
      const Call call = box_.call();
      switch (op) {
        case Op::create:
          status = create(call);
          break;
        case Op::destroy:
          env_.destroy(shards_.at(call.shard));
          shards_.erase(call.shard);
          break;
        case Op::work:
          status = work(call, sink);
          break;
        case Op::save:
          status = save(call);
          break;
        case Op::load:
          status = state_->load(shards_.at(call.shard), call.first, channel_.in.data(),
                                channel_.in.size());
          break;
        case Op::draw:
          status = draw(call);
          break;
        case Op::arrays:
          status = list_arrays(call);
          break;
        case Op::peek:
          status = peek(call);
          break;
        case Op::poke:
          status =
              arrays_->write(shards_.at(call.shard), call.first, call.item, channel_.in.data());
          break;
        case Op::leave:
          return;
        default:
          break;
      }
      if (status != 0 || !sink.empty()) {
        channel_.out.clear();
        for (const EnvFailure& said : sink.failures()) {
          add_record(channel_.out, Record::error, said.env, said.message.data(),
                     said.message.size());
        }
      }
      for (const RowNote& note : sink.notes()) {
        add_record(channel_.out, Record::note, note.row, note.message.data(), note.message.size());
      }
      channel_.answer(status);
    }
  }

 private:
  int32_t create(const Call& call) {
    std::vector<const pp_value*> values;
    for (uint32_t i = 0; i < call.count; ++i) {
      values.push_back((options_.size() == 1 ? options_[0] : options_[call.env0 + i])->data());
    }
    const pp_shard description{sizeof(pp_shard), call.count, values.data()};
    void* self = env_.create(&host_table(), &description);
    if (self == nullptr) return 1;
    shards_[call.shard] = self;
    return 0;
  }

  int32_t work(const Call& call, const ErrorSink& sink) {
    if (channel_.in.empty() || reset_options_ == nullptr) return do_rows(call, sink);
    // Arguments of this reset: set before it, taken back after it.
    void* self = shards_.at(call.shard);
    int32_t status = 0;
    std::vector<uint32_t> lanes;
    each_record(channel_.in, [&](Record, uint32_t lane, const char* bytes, size_t size) {
      OptionValues values(reset_options_->option, reset_options_->n_option);
      unpack(*reset_options_, {bytes, size}, values);
      status |= reset_options_->set(self, lane, values.data());
      lanes.push_back(lane);
    });
    status |= do_rows(call, sink);
    for (const uint32_t lane : lanes) status |= reset_options_->set(self, lane, nullptr);
    return status;
  }

  int32_t do_rows(const Call& call, const ErrorSink& sink) {
    int32_t status = 0;
    for (const Kind kind : {kind_step, kind_reset_with_seed, kind_reset}) {
      const uint8_t* kinds = box_.kind() + call.first;
      mask_.resize(call.count);
      for (uint32_t i = 0; i < call.count; ++i) mask_[i] = kinds[i] == kind ? 1 : 0;
      uint32_t step = 0;
      do {
        status |= do_some(call, kind, step);
      } while (kind == kind_step && go_on(call, sink, status, ++step));
    }
    return status;
  }

  // Chooses the lanes that make another step in this call; whether there are any.
  bool go_on(const Call& call, const ErrorSink& sink, int32_t status, uint32_t made) {
    if (box_.head().chunk == 1) return false;
    bool any = false;
    uint32_t* steps = box_.steps() + call.first;
    for (uint32_t i = 0; i < call.count; ++i) {
      if (mask_[i] == 0) continue;
      bool over = steps[i] <= made || (status != 0 && sink.failures().empty());
      for (const EnvFailure& failure : sink.failures()) {
        over |= failure.env == PP_ALL_LANES || failure.env == call.first + i;
      }
      for (uint32_t f = 0; f < fields_.size(); ++f) {
        const uint32_t role = box_.place(f).role;
        if (role != PP_ROLE_TERMINATED && role != PP_ROLE_TRUNCATED) continue;
        over |= *box_.row(f, call.first + i, made - 1) != 0;
      }
      if (over) {
        steps[i] = made;
        mask_[i] = 0;
      }
      any |= !over;
    }
    return any;
  }

  // One step or reset of the lanes in mask_.
  int32_t do_some(const Call& call, Kind kind, uint32_t step) {
    uint32_t n = 0;
    for (uint32_t i = 0; i < call.count; ++i) n += mask_[i];
    if (n == 0) return 0;
    for (uint32_t f = 0; f < fields_.size(); ++f) {
      const bool action = box_.place(f).role == PP_ROLE_ACTION;
      fields_[f] = action && kind != kind_step ? nullptr : box_.row(f, call.first, step);
    }
    const pp_lanes lanes{
        sizeof(pp_lanes),
        call.first,
        call.count,
        0u,
        n == call.count ? nullptr : mask_.data(),
        kind == kind_reset_with_seed ? box_.seed() + call.first : nullptr,
        fields_.data(),
        [](const pp_lanes*) {},  // there are rows already
        nullptr,
        nullptr,  // the pool's process knows the seeds to come
        nullptr,
    };
    void* self = shards_.at(call.shard);
    if (kind != kind_step) return env_.reset(self, &lanes);
    if (call.alone == 0 || n == call.count) return env_.step(self, &lanes);
    return step_lanes_alone(
        lanes, fields_, [this](size_t f) { return box_.place(f).row_bytes; },
        [&](const pp_lanes& lane) { return env_.step(self, &lane); });
  }

  int32_t save(const Call& call) {
    void* self = shards_.at(call.shard);
    const int64_t room = state_->size(self, call.first);
    if (room < 0) return 1;
    channel_.out.resize(static_cast<size_t>(room));
    const int64_t written =
        state_->save(self, call.first, channel_.out.data(), static_cast<uint64_t>(room));
    if (written < 0 || written > room) return 1;
    channel_.out.resize(static_cast<size_t>(written));
    return 0;
  }

  int32_t draw(const Call& call) {
    void* self = shards_.at(call.shard);
    uint32_t size[2] = {0, 0};
    if (render_->size(self, call.first, &size[0], &size[1]) != 0) return 1;
    channel_.out.assign(reinterpret_cast<const char*>(size), sizeof size);
    channel_.out.resize(sizeof size + size_t{3} * size[0] * size[1]);
    return render_->draw(self, call.first, reinterpret_cast<uint8_t*>(&channel_.out[sizeof size]));
  }

  int32_t list_arrays(const Call& call) {
    void* self = shards_.at(call.shard);
    const int64_t count = arrays_->count(self, call.first);
    for (int64_t a = 0; a < count; ++a) {
      pp_array array{};
      array.struct_size = sizeof array;
      if (arrays_->describe(self, call.first, static_cast<uint32_t>(a), &array) != 0) return 1;
      append(channel_.out, array);
    }
    return count < 0 ? 1 : 0;
  }

  int32_t peek(const Call& call) {
    void* self = shards_.at(call.shard);
    pp_array array{};
    array.struct_size = sizeof array;
    if (arrays_->describe(self, call.first, call.item, &array) != 0) return 1;
    channel_.out.resize(static_cast<size_t>(bytes_of(array)));
    return arrays_->read(self, call.first, call.item, &channel_.out[0]);
  }

  Mailbox& box_;
  WorkerChannel channel_;
  const pp_env& env_;
  const std::vector<const OptionValues*>& options_;
  const pp_state* state_ = nullptr;
  const pp_render* render_ = nullptr;
  const pp_arrays* arrays_ = nullptr;
  const pp_reset_options* reset_options_ = nullptr;
  std::map<uint32_t, void*> shards_;
  std::vector<void*> fields_;
  std::vector<uint8_t> mask_;
};

}  // namespace pp::host::workers
