#include "results/result_leaves.hpp"

#include <pybind11/numpy.h>

#include <algorithm>
#include <cstring>
#include <string>

#include "base/dtypes.hpp"
#include "parallel_pool/host/pool.hpp"
#include "workers/isolation.hpp"

namespace pp::python {
namespace {

// ---- columns ------------------------------------------------------------------------------------

// Returns the owner of an array's memory: the batch, or the store with which the standing one ends.
py::object keeper(const Building& building) {
  using Store = std::shared_ptr<host::BatchStore>;
  if (!building.batch.standing) return building.owner;
  return py::capsule(new Store(building.batch.store),
                     [](void* store) { delete static_cast<Store*>(store); });
}

// A view of one column. `joined`: a row of it is several of the array.
class Column : public ResultNode {
 public:
  Column(NodeCompiler& compiler, size_t number, bool joined = false)
      : number_(number),
        column_(compiler.pool.layout().column(number)),
        dtype_(numpy_dtype(column_.dtype)),
        flat_(column_.per_player && compiler.pool.config().flat_players),
        joined_(joined) {}

  py::object build(const Building& building) final {
    const bool standing = building.batch.standing && stands();
    if (standing && standing_) return standing_;
    const auto& api = py::detail::npy_api::get();
    Py_intptr_t shape[PP_MAX_DIMS + 2];
    shape[0] = building.batch.rows;
    for (size_t d = 0; d < column_.shape.size(); ++d)
      shape[d + 1] = static_cast<Py_intptr_t>(column_.shape[d]);
    Py_intptr_t* dims = shape;
    int ndim = static_cast<int>(column_.shape.size()) + 1;
    if (flat_) {
      // The players stand in place of both the environments and their slots.
      *++dims = static_cast<Py_intptr_t>(building.batch.player_rows);
      --ndim;
    } else if (joined_) {
      dims[1] *= dims[0];
      ++dims;
      --ndim;
    }
    PyObject* array = api.PyArray_NewFromDescr_(
        api.PyArray_Type_, py::dtype(dtype_).release().ptr(), ndim, dims, nullptr,
        building.batch.data + column_.offset,
        py::detail::npy_api::NPY_ARRAY_WRITEABLE_ | py::detail::npy_api::NPY_ARRAY_ALIGNED_ |
            py::detail::npy_api::NPY_ARRAY_C_CONTIGUOUS_,
        nullptr);
    if (array == nullptr) throw py::error_already_set();
    // PyArray_SetBaseObject does this for objects that are no arrays, and takes 50 instructions to
    // see that they are none.
    py::detail::array_proxy(array)->base = keeper(building).release().ptr();
    auto built = py::reinterpret_steal<py::object>(array);
    if (standing) standing_ = built;
    return built;
  }

  size_t column() const final { return number_; }
  bool stands() const final { return !flat_; }

 private:
  const size_t number_;
  const host::Column& column_;
  py::dtype dtype_;
  bool flat_;
  bool joined_;
  py::object standing_;  // the array of the standing batch
};

// Checks what a node says of the spec's fields.
size_t column_of_field(const py::handle& node, const host::Layout& layout, bool last) {
  const auto field = node.attr("number").cast<size_t>();
  const size_t column = field >= layout.num_fields() ? host::Layout::none
                        : last                       ? layout.final_column_of_field(field)
                                                     : layout.column_of_field(field);
  if (column != host::Layout::none) return column;
  throw py::value_error(
      "the result tree has " + py::repr(node).cast<std::string>() +
      ", but results of this pool have no such column" +
      (last ? "; only SAME_STEP pools have last rows, of observations and infos" : ""));
}

struct FieldColumn final : Column {
  FieldColumn(const py::handle& node, NodeCompiler& compiler)
      : Column(compiler, column_of_field(node, compiler.pool.layout(), false)) {}
};

struct FinalColumn final : Column {
  FinalColumn(const py::handle& node, NodeCompiler& compiler)
      : Column(compiler, column_of_field(node, compiler.pool.layout(), true)) {}
};

// Observations of the steps before the last of a chunk, those of one row after the other.
struct TrailColumn final : Column {
  TrailColumn(const py::handle& node, NodeCompiler& compiler)
      : Column(compiler, number(node, compiler.pool.layout()), true) {}

 private:
  static size_t number(const py::handle& node, const host::Layout& layout) {
    const size_t column = layout.trail_column_of_field(node.attr("number").cast<size_t>());
    if (column != host::Layout::none) return column;
    throw py::value_error("results of this pool have no " + py::repr(node).cast<std::string>());
  }
};

// Returns the place of the name of a node among these.
size_t named(const py::handle& node, const char* const* names, size_t count) {
  const auto name = node.attr("name").cast<std::string>();
  const auto* const found = std::find(names, names + count, name);
  if (found != names + count) return static_cast<size_t>(found - names);
  throw py::value_error("the result tree has " + py::repr(node).cast<std::string>() +
                        ", but results of this pool have no such column");
}

struct HostColumn final : Column {
  HostColumn(const py::handle& node, NodeCompiler& compiler)
      : Column(compiler, number(node, compiler.pool.layout())) {}

 private:
  static size_t number(const py::handle& node, const host::Layout& layout) {
    static const char* const names[host::host_columns] = {
        "env_id",       "elapsed_step", "terminated",   "truncated",      "reward32",
        "discount",     "step_type",    "ended",        "episode_return", "episode_length",
        "episode_time", "game_ended",   "final_step",   "episode_seed",   "final_seed",
        "chunk_steps",  "chunk_trail",  "chunk_rewards"};
    return layout.column_of(static_cast<host::HostColumn>(named(node, names, host::host_columns)));
  }
};

struct PlayerColumn final : Column {
  PlayerColumn(const py::handle& node, NodeCompiler& compiler)
      : Column(compiler, number(node, compiler.pool.players())) {}

 private:
  static size_t number(const py::handle& node, const host::PlayerTable* players) {
    constexpr size_t all = host::player_columns;
    const size_t which = named(node, host::player_names, players == nullptr ? 0 : all);
    return players->column(static_cast<host::PlayerColumn>(which));
  }
};

// ---- made for each batch ------------------------------------------------------------------------

class Ones final : public ResultNode {
 public:
  Ones(const py::handle&, NodeCompiler& compiler)
      : full_(make(compiler.pool.config().batch_size)) {}
  py::object build(const Building& building) override {
    return building.batch.rows == static_cast<size_t>(full_.size()) ? full_
                                                                    : make(building.batch.rows);
  }
  bool stands() const override { return true; }

 private:
  static py::array_t<bool> make(size_t n) {
    py::array_t<bool> ones(static_cast<py::ssize_t>(n));
    std::memset(ones.mutable_data(), 1, n);
    ones.attr("flags").attr("writeable") = false;
    return ones;
  }
  py::array_t<bool> full_;  // the one of a batch with all its rows
};

class Errors final : public ResultNode {
 public:
  Errors(const py::handle& node, NodeCompiler&) : absent_(node.attr("absent")) {}
  py::object build(const Building& building) override {
    const host::Batch& batch = building.batch;
    py::array result(py::dtype("O"),
                     std::vector<py::ssize_t>{static_cast<py::ssize_t>(batch.rows)});
    auto** slots = static_cast<PyObject**>(result.mutable_data());
    for (uint32_t row = 0; row < batch.rows; ++row)
      Py_XSETREF(slots[row], py::object(absent_).release().ptr());
    for (const host::RowNote& note : batch.notes)
      Py_XSETREF(slots[note.row], py::str(note.message).release().ptr());
    return result;
  }

 private:
  py::object absent_;
};

struct ErrorMask final : ResultNode {
  ErrorMask(const py::handle&, NodeCompiler&) {}
  py::object build(const Building& building) override {
    const host::Batch& batch = building.batch;
    py::array_t<bool> mask(static_cast<py::ssize_t>(batch.rows));
    std::memset(mask.mutable_data(), 0, batch.rows);
    for (const host::RowNote& note : batch.notes) mask.mutable_data()[note.row] = true;
    return mask;
  }
};

// ---- made of what others built ------------------------------------------------------------------

class Computed final : public OncePerBatch {
 public:
  Computed(const py::handle& node, NodeCompiler& compiler)
      : OncePerBatch(compiler), call_(node, compiler) {}

 private:
  py::object make(const Building& building) override { return call_(building); }
  Call call_;
};

class TakenInfos final : public OncePerBatch {
 public:
  TakenInfos(const py::handle& node, NodeCompiler& compiler)
      : OncePerBatch(compiler), workers_(compiler.isolation), open_(node.attr("open")) {
    if (workers_ == nullptr || !workers_->python())
      throw py::value_error("the result tree has infos of Python environments, but there are none");
    compiler.infos = true;
    for (const py::handle each : node.attr("handles")) handles_.push_back(compiler.compile(each));
  }

 private:
  // None, or {handle: what it stands for}.
  py::object make(const Building& building) override {
    std::vector<int64_t> wanted;
    for (const auto& each : handles_) {
      const auto rows = each->build(building).cast<py::array_t<int64_t>>();
      std::copy_if(rows.data(), rows.data() + rows.size(), std::back_inserter(wanted),
                   [](int64_t handle) { return handle != 0; });
    }
    if (wanted.empty()) return py::none();
    std::sort(wanted.begin(), wanted.end());
    wanted.erase(std::unique(wanted.begin(), wanted.end()), wanted.end());
    FetchedInfos& fetched = *building.infos;
    const std::vector<std::string> texts = workers_->group().infos().take(wanted);
    for (size_t i = 0; i < wanted.size(); ++i) {
      if (!texts[i].empty()) fetched.texts.emplace(wanted[i], texts[i]);
    }
    py::dict infos;
    for (const int64_t handle : wanted) {
      const auto text = fetched.texts.find(handle);
      if (text == fetched.texts.end()) continue;
      // Python code, which may be interrupted, and nothing is opened twice.
      if (fetched.infos.count(handle) == 0) fetched.infos[handle] = open_(text->second);
      infos[py::int_(handle)] = fetched.infos[handle];
    }
    return infos;
  }

  const Isolation* workers_;
  py::object open_;
  std::vector<std::shared_ptr<ResultNode>> handles_;
};

}  // namespace

Call::Call(const py::handle& node, NodeCompiler& compiler) : function_(node.attr("function")) {
  for (const py::handle each : node.attr("inputs")) inputs_.push_back(compiler.compile(each));
}

py::object Call::operator()(const Building& building) const {
  py::tuple built(inputs_.size());
  for (size_t i = 0; i < inputs_.size(); ++i) built[i] = inputs_[i]->build(building);
  return function_(*built);
}

void Call::add_to(const py::dict& into, const Building& building) const {
  py::tuple built(inputs_.size());
  for (size_t i = 0; i < inputs_.size(); ++i) {
    built[i] = inputs_[i]->build(building);
    if (i == 0 && built[i].is_none()) return;
  }
  function_(into, *built);
}

void register_leaves(const RegisterKind& add) {
  add("FieldColumn", node_kind<FieldColumn>());
  add("FinalColumn", node_kind<FinalColumn>());
  add("TrailColumn", node_kind<TrailColumn>());
  add("HostColumn", node_kind<HostColumn>());
  add("PlayerColumn", node_kind<PlayerColumn>());
  add("Ones", node_kind<Ones>());
  add("Errors", node_kind<Errors>());
  add("ErrorMask", node_kind<ErrorMask>());
  add("Computed", node_kind<Computed>());
  add("Transformed", node_kind<Computed>());
  add("TakenInfos", node_kind<TakenInfos>());
}

}  // namespace pp::python
