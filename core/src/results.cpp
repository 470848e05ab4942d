#include "results.hpp"

#include <cstring>

namespace pp::python {

py::dtype numpy_dtype(uint32_t dtype) {
  switch (dtype) {
    case PP_BOOL:
      return py::dtype::of<bool>();
    case PP_INT8:
      return py::dtype::of<int8_t>();
    case PP_INT16:
      return py::dtype::of<int16_t>();
    case PP_INT32:
      return py::dtype::of<int32_t>();
    case PP_INT64:
      return py::dtype::of<int64_t>();
    case PP_UINT8:
      return py::dtype::of<uint8_t>();
    case PP_UINT16:
      return py::dtype::of<uint16_t>();
    case PP_UINT32:
      return py::dtype::of<uint32_t>();
    case PP_UINT64:
      return py::dtype::of<uint64_t>();
    case PP_FLOAT32:
      return py::dtype::of<float>();
    default:
      return py::dtype::of<double>();
  }
}

namespace {
py::object make_ones(size_t n) {
  py::array_t<bool> ones(static_cast<py::ssize_t>(n));
  std::memset(ones.mutable_data(), 1, n);
  ones.attr("flags").attr("writeable") = false;
  return ones;
}

size_t host_column(const std::string& name) {
  static const char* const names[host::host_columns] = {
      "env_id",    "elapsed_step", "terminated",     "truncated",      "reward32",    "discount",
      "step_type", "ended",        "episode_return", "episode_length", "episode_time"};
  for (size_t i = 0; i < host::host_columns; ++i) {
    if (name == names[i]) return i;
  }
  throw py::value_error("a result plan names an unknown column: " + name);
}

size_t player_column(const host::Pool& pool, const std::string& name) {
  for (uint32_t i = 0; pool.players() != nullptr && i < host::player_columns; ++i) {
    if (name == host::player_names[i])
      return pool.players()->column(static_cast<host::PlayerColumn>(i));
  }
  throw py::value_error("a result plan names an unknown column of players: " + name);
}
}  // namespace

Plan::Plan(const host::Pool& pool, const py::handle& tree) : pool_(pool) {
  for (const host::Column& column : pool.layout().columns())
    dtypes_.push_back(numpy_dtype(column.dtype));
  ones_ = make_ones(pool.config().batch_size);
  root_ = compile(tree);
}

Plan::Node Plan::compile(const py::handle& tree) const {
  Node node;
  if (py::isinstance<py::str>(tree)) {
    const std::string name = tree.cast<std::string>();
    if (name == "ones") {
      node.kind = Node::ones;
    } else if (name == "errors") {
      node.kind = Node::errors;
    } else if (name == "error_texts") {
      node.kind = Node::error_texts;
    } else if (name == "error_mask") {
      node.kind = Node::error_mask;
    } else if (name.rfind("field:", 0) == 0) {
      node.column_index = pool_.layout().column_of_field(std::stoul(name.substr(6)));
    } else if (name.rfind("final:", 0) == 0) {
      node.column_index = pool_.layout().final_column_of_field(std::stoul(name.substr(6)));
    } else if (name.rfind("player:", 0) == 0) {
      node.column_index = player_column(pool_, name.substr(7));
    } else {
      node.column_index =
          pool_.layout().column_of(static_cast<host::HostColumn>(host_column(name)));
    }
  } else if (py::isinstance<py::dict>(tree) && tree.contains("?objects")) {
    node.kind = Node::objects;
    node.members.emplace_back(py::none(), compile(tree["?objects"]));
  } else if (py::isinstance<py::dict>(tree)) {
    node.kind = Node::dict;
    for (const auto& item : tree.cast<py::dict>()) {
      PyObject* key = PyUnicode_InternFromString(item.first.cast<std::string>().c_str());
      Node member = compile(item.second);
      if (item.first.cast<std::string>() == "?ended") member.kind = Node::if_ended;
      if (item.first.cast<std::string>() == "?errors") member.kind = Node::if_errors;
      node.members.emplace_back(py::reinterpret_steal<py::object>(key), std::move(member));
    }
  } else {
    node.kind = Node::tuple;
    for (const py::handle member : tree.cast<py::tuple>()) {
      node.members.emplace_back(py::none(), compile(member));
    }
  }
  return node;
}

py::object Plan::build(host::Batch* batch) const {
  PyObject* capsule = PyCapsule_New(batch, nullptr, [](PyObject* self) {
    host::BatchStore::release(static_cast<host::Batch*>(PyCapsule_GetPointer(self, nullptr)));
  });
  if (capsule == nullptr) {
    host::BatchStore::release(batch);
    throw py::error_already_set();
  }
  const auto owner = py::reinterpret_steal<py::object>(capsule);
  return build(root_, *batch, owner);
}

py::object Plan::build(const Node& node, const host::Batch& batch, const py::object& owner) const {
  switch (node.kind) {
    case Node::column:
      return array(node.column_index, batch, owner);
    case Node::ones:
      return batch.rows == pool_.config().batch_size ? ones_ : make_ones(batch.rows);
    case Node::errors:
    case Node::error_texts:
    case Node::error_mask:
      return errors(node.kind, batch);
    case Node::tuple: {
      py::tuple result(node.members.size());
      for (size_t i = 0; i < node.members.size(); ++i) {
        PyTuple_SET_ITEM(result.ptr(), static_cast<py::ssize_t>(i),
                         build(node.members[i].second, batch, owner).release().ptr());
      }
      return result;
    }
    case Node::objects:
      return objects(node.members[0].second, batch, owner);
    default: {
      py::dict result;
      fill(node, batch, owner, result);
      return result;
    }
  }
}

void Plan::fill(const Node& node, const host::Batch& batch, const py::object& owner,
                py::dict& into) const {
  for (const auto& [key, member] : node.members) {
    if (member.kind == Node::if_ended) {
      if (batch.any_ended.load(std::memory_order_relaxed)) fill(member, batch, owner, into);
      continue;
    }
    if (member.kind == Node::if_errors) {
      if (!batch.notes.empty()) fill(member, batch, owner, into);
      continue;
    }
    const py::object value = build(member, batch, owner);
    if (PyDict_SetItem(into.ptr(), key.ptr(), value.ptr()) != 0) throw py::error_already_set();
  }
}

py::object Plan::objects(const Node& node, const host::Batch& batch,
                         const py::object& owner) const {
  const auto* ended = pool_.layout().rows<uint8_t>(&batch, host::column_ended, 0);
  const py::object rows = build(node, batch, owner);
  py::array result(py::dtype("O"), std::vector<py::ssize_t>{static_cast<py::ssize_t>(batch.rows)});
  auto** slots = static_cast<PyObject**>(result.mutable_data());
  for (uint32_t row = 0; row < batch.rows; ++row) {
    PyObject* part =
        ended[row] != 0 ? pick(node, rows, row).release().ptr() : py::none().release().ptr();
    Py_XSETREF(slots[row], part);
  }
  return result;
}

py::object Plan::errors(Node::Kind kind, const host::Batch& batch) {
  const auto rows = static_cast<py::ssize_t>(batch.rows);
  if (kind == Node::error_mask) {
    py::array_t<bool> mask(rows);
    std::memset(mask.mutable_data(), 0, batch.rows);
    for (const host::RowNote& note : batch.notes) mask.mutable_data()[note.row] = true;
    return mask;
  }
  py::array result(py::dtype("O"), std::vector<py::ssize_t>{rows});
  auto** slots = static_cast<PyObject**>(result.mutable_data());
  const py::object none = kind == Node::errors ? py::object(py::none()) : py::str("");
  for (uint32_t row = 0; row < batch.rows; ++row) {
    Py_XSETREF(slots[row], py::object(none).release().ptr());
  }
  for (const host::RowNote& note : batch.notes) {
    Py_XSETREF(slots[note.row], py::str(note.message).release().ptr());
  }
  return result;
}

// One row of what a tree was built to: arrays lose their first axis, containers keep their form.
py::object Plan::pick(const Node& node, const py::object& built, uint32_t row) const {
  if (node.kind == Node::tuple) {
    py::tuple result(node.members.size());
    for (size_t i = 0; i < node.members.size(); ++i) {
      const py::object member = built.cast<py::tuple>()[i];
      PyTuple_SET_ITEM(result.ptr(), static_cast<py::ssize_t>(i),
                       pick(node.members[i].second, member, row).release().ptr());
    }
    return result;
  }
  if (node.kind == Node::dict) {
    py::dict result;
    for (const auto& [key, member] : node.members) result[key] = pick(member, built[key], row);
    return result;
  }
  return built[py::int_(row)];
}

py::object Plan::array(size_t column_index, const host::Batch& batch,
                       const py::object& owner) const {
  const host::Column& column = pool_.layout().column(column_index);
  const auto& api = py::detail::npy_api::get();
  Py_intptr_t shape[PP_MAX_DIMS + 2];
  shape[0] = batch.rows;
  for (size_t d = 0; d < column.shape.size(); ++d)
    shape[d + 1] = static_cast<Py_intptr_t>(column.shape[d]);
  Py_intptr_t* dims = shape;
  int ndim = static_cast<int>(column.shape.size()) + 1;
  if (column.per_player && pool_.config().flat_players) {
    // The players stand in place of both the environments and their slots.
    *++dims = static_cast<Py_intptr_t>(batch.player_rows);
    --ndim;
  }
  PyObject* array = api.PyArray_NewFromDescr_(
      api.PyArray_Type_, py::dtype(dtypes_[column_index]).release().ptr(), ndim, dims, nullptr,
      batch.data + column.offset,
      py::detail::npy_api::NPY_ARRAY_WRITEABLE_ | py::detail::npy_api::NPY_ARRAY_ALIGNED_ |
          py::detail::npy_api::NPY_ARRAY_C_CONTIGUOUS_,
      nullptr);
  if (array == nullptr) throw py::error_already_set();
  auto result = py::reinterpret_steal<py::object>(array);
  if (api.PyArray_SetBaseObject_(array, py::object(owner).release().ptr()) != 0)
    throw py::error_already_set();
  return result;
}

}  // namespace pp::python
