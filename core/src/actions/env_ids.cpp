#include "actions/env_ids.hpp"

#include <string>

#include "actions/given_arrays.hpp"
#include "parallel_pool/dtypes.hpp"
#include "parallel_pool/host/plugin/env_ids.hpp"

namespace pp::python {
namespace {

template <class T>
void copy_ids(const T* data, size_t count, uint32_t num_envs, std::vector<uint32_t>& storage) {
  for (size_t i = 0; i < count; ++i) {
    if (!fits(data[i], uint32_t{0}, num_envs - 1)) {
      throw host::no_such_env(std::to_string(data[i]), num_envs);
    }
    storage.push_back(static_cast<uint32_t>(data[i]));
  }
}

}  // namespace

const uint32_t* parse_env_ids(const RawArray& array, size_t count, uint32_t num_envs,
                              std::vector<uint32_t>& storage, uint32_t* n) {
  storage.clear();
  dtypes::visit(array.dtype, [&](auto element) {
    using Number = typename decltype(element)::Stored;
    if constexpr (std::is_integral_v<Number>) {
      copy_ids(static_cast<const Number*>(array.data), count, num_envs, storage);
    }
  });
  *n = static_cast<uint32_t>(storage.size());
  // All of them in order is the common way to say "all", and has a faster path.
  if (storage.size() == num_envs) {
    bool in_order = true;
    for (uint32_t i = 0; i < num_envs && in_order; ++i) in_order = storage[i] == i;
    if (in_order) return nullptr;
  }
  return storage.data();
}

void expect_ids(const py::ssize_t* shape, size_t ndim, const py::dtype& dtype) {
  if (ndim > 1) {
    throw py::value_error("env_id has shape " + shape_text(shape, ndim) +
                          ", expected one dimension");
  }
  if (ndim == 1 && shape[0] == 0) {
    throw py::value_error("env_id is empty: name at least one environment");
  }
  if (dtype.kind() != 'i' && dtype.kind() != 'u') {
    wrong_dtype("env_id", dtype, "ids are integers", "pass an int32 array");
  }
}

const uint32_t* parse_env_ids(py::handle env_id, uint32_t num_envs, std::vector<uint32_t>& storage,
                              uint32_t* n) {
  *n = num_envs;
  if (env_id.is_none()) return nullptr;
  const py::array array = as_array(env_id, "env_id");
  expect_ids(array.shape(), static_cast<size_t>(array.ndim()), array.dtype());
  return parse_env_ids(raw_of(array), static_cast<size_t>(array.size()), num_envs, storage, n);
}

}  // namespace pp::python
