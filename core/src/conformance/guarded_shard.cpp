#include "conformance/guarded_shard.hpp"

#include <algorithm>
#include <cstring>

#include "conformance/field_label.hpp"
#include "parallel_pool/host/plugin/error_sink.hpp"
#include "parallel_pool/host/plugin/library.hpp"
#include "plugin/env_spec.hpp"
#include "plugin/option_values.hpp"

namespace pp::python {

GuardedShard::GuardedShard(const Plugin& plugin, const std::string& env_id, const py::dict& options,
                           uint32_t lanes, const std::vector<py::array>& actions, bool plays)
    : env_(plugin.library().env(env_id)),
      values_(parse_options(env_, options)),
      spec_(describe_env(env_, *values_)),
      lanes_(lanes),
      late_((env_.flags & PP_ENV_LATE_ROWS) != 0u),
      fields_(spec_.fields.size()),
      pointers_(spec_.fields.size()) {
  size_t next = 0;
  for (size_t f = 0; f < spec_.fields.size(); ++f) {
    const host::FieldSpec& field = spec_.fields[f];
    fields_[f].bytes.resize(2 * guard + lanes * field.row_bytes);
    if (field.role != PP_ROLE_ACTION || !plays) continue;
    if (next >= actions.size()) throw py::value_error("an action field has no actions");
    const py::array& given = actions[next++];
    if (given.ndim() < 2 || given.shape(1) != lanes ||
        static_cast<size_t>(given.nbytes()) !=
            static_cast<size_t>(given.shape(0)) * lanes * field.row_bytes ||
        (given.flags() & py::array::c_style) == 0) {
      throw py::value_error("actions have the wrong shape or dtype");
    }
    fields_[f].action = static_cast<const char*>(given.data());
    steps_ = static_cast<size_t>(given.shape(0));
  }
}

GuardedShard::~GuardedShard() {
  destroy();
}

bool GuardedShard::create() {
  const std::vector<const pp_value*> values(lanes_, values_->data());
  const pp_shard shard{sizeof(pp_shard), lanes_, values.data()};
  const host::ErrorSink sink;
  self_ = env_.create(&host::host_table(), &shard);
  if (self_ == nullptr) find("create fails: " + sink.text());
  return self_ != nullptr;
}

void GuardedShard::destroy() {
  if (self_ != nullptr) env_.destroy(self_);
  self_ = nullptr;
}

void GuardedShard::find(const std::string& what) {
  if (findings_.size() < 20 && known_.insert(what).second) findings_.push_back(what);
}

bool GuardedShard::touched(const unsigned char* from, const unsigned char* to) {
  // Each byte is compared with the one after it, which is quick.
  return from < to && (*from != untouched ||
                       std::memcmp(from, from + 1, static_cast<size_t>(to - from) - 1) != 0);
}

bool GuardedShard::flag(uint32_t role, uint32_t lane) {
  const int f = spec_.find(role);
  if (f < 0) return false;
  Buffer& buffer = fields_[static_cast<size_t>(f)];
  const size_t row = spec_.fields[static_cast<size_t>(f)].row_bytes;
  return std::any_of(buffer.rows() + lane * row, buffer.rows() + (lane + 1) * row,
                     [](unsigned char byte) { return byte != 0; });
}

void GuardedShard::claim(const pp_lanes* lanes) {
  auto& checker = *static_cast<GuardedShard*>(lanes->host_data);
  if (!checker.claimed_) checker.point(lanes->first, true);
  checker.claimed_ = true;
}

void GuardedShard::point(uint32_t first, bool outputs) {
  for (size_t f = 0; f < fields_.size(); ++f) {
    const bool there = spec_.fields[f].role == PP_ROLE_ACTION ? stepping_ : outputs;
    pointers_[f] = there ? fields_[f].rows() + first * spec_.fields[f].row_bytes : nullptr;
  }
}

bool GuardedShard::call(Op op, uint32_t first, uint32_t count, const uint8_t* mask,
                        const uint64_t* seeds, size_t step) {
  bool fine = true;
  if (late_) {  // one lane a call, as hosts do
    for (uint32_t i = 0; i < count && fine; ++i) {
      if (op == Op::reset && mask != nullptr && mask[i] == 0) continue;
      fine = call_once(op, first + i, 1, nullptr, seeds == nullptr ? nullptr : seeds + i, step);
    }
    return fine;
  }
  return call_once(op, first, count, mask, seeds, step);
}

bool GuardedShard::call_once(Op op, uint32_t first, uint32_t count, const uint8_t* mask,
                             const uint64_t* seeds, size_t step) {
  for (size_t f = 0; f < fields_.size(); ++f) {
    Buffer& buffer = fields_[f];
    std::fill(buffer.bytes.begin(), buffer.bytes.end(), untouched);
    const size_t bytes = lanes_ * spec_.fields[f].row_bytes;
    if (buffer.action != nullptr && bytes > 0)
      std::memcpy(buffer.rows(), buffer.action + step % steps_ * bytes, bytes);
  }
  stepping_ = op == Op::step;
  claimed_ = !late_;
  point(first, claimed_);
  const pp_lanes lanes{sizeof(pp_lanes), first,  count, 0u,      mask,   seeds,
                       pointers_.data(), &claim, this,  nullptr, nullptr};
  const host::ErrorSink sink;
  const int32_t status = stepping_ ? env_.step(self_, &lanes) : env_.reset(self_, &lanes);
  const std::string name = stepping_ ? "step" : "reset";
  if (may_fail_ && status != 0) return false;
  if (status != 0 && sink.empty()) {
    find(name + " returns " + std::to_string(status) +
         " and does not say why: call host->set_error before you return");
  }
  if (status != 0 || !sink.empty()) {
    find(name + " fails with valid actions: " + sink.text() +
         (sink.silent() ? ": give the exception that you throw a text" : ""));
    return false;
  }
  for (size_t f = 0; f < fields_.size(); ++f) {
    inspect(f, name, first, count, mask, step);
  }
  return true;
}

void GuardedShard::inspect(size_t f, const std::string& name, uint32_t first, uint32_t count,
                           const uint8_t* mask, size_t step) {
  const host::FieldSpec& field = spec_.fields[f];
  Buffer& buffer = fields_[f];
  const size_t row = field.row_bytes;
  if (field.role == PP_ROLE_ACTION) {
    const size_t bytes = lanes_ * row;
    const bool same =
        bytes == 0 || std::memcmp(buffer.rows(), buffer.action + step % steps_ * bytes, bytes) == 0;
    if (!same)
      find(name + " writes into the actions (" + field_label(field) + "), which are read-only");
    return;
  }
  const unsigned char* rows = buffer.rows();
  if (touched(buffer.bytes.data(), rows + first * row) ||
      touched(rows + (first + count) * row, buffer.bytes.data() + buffer.bytes.size())) {
    find(name + " of lanes " + std::to_string(first) + " .. " + std::to_string(first + count - 1) +
         " of " + std::to_string(lanes_) + " writes " + field_label(field) +
         " outside of their rows: rows of a call are counted from lanes->first, and there are "
         "lanes->count of them");
    return;
  }
  for (uint32_t i = 0; i < count; ++i) {
    const unsigned char* from = rows + (first + i) * row;
    const bool wanted = mask == nullptr || mask[i] != 0;
    // A step may write rows that are left out: their lanes are reset before the rows are read.
    if (!wanted && name == "reset" && touched(from, from + row)) {
      find("reset writes the " + field_label(field) +
           " of a lane that its mask leaves out: those rows belong to results already made");
      return;
    }
    // Fields of one or two bytes may be equal to the pattern by chance.
    const bool readable = row >= 4 || field.dtype == PP_BOOL;
    const bool needed = name == "step" || host::is_of_resets(field.role);
    if (wanted && needed && readable && row > 0 && !touched(from, from + row)) {
      find(name + " leaves the " + field_label(field) +
           " of a row unwritten: what an earlier batch left there would be handed out");
      return;
    }
    const bool ends = field.role == PP_ROLE_TERMINATED || field.role == PP_ROLE_TRUNCATED;
    const unsigned char plays_on = ends && field.per_player ? PP_PLAYS_ON : 1;
    if (wanted && needed && field.dtype == PP_BOOL &&
        std::any_of(from, from + row, [&](auto byte) { return byte > 1 && byte != plays_on; })) {
      find(name + " writes a bool of " + field_label(field) + " that is neither 0 nor 1");
      return;
    }
  }
}

}  // namespace pp::python
