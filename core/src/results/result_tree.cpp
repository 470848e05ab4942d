#include "results/result_tree.hpp"

#include <pybind11/gil_safe_call_once.h>
#include <pybind11/numpy.h>

#include <cstring>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "results/result_leaves.hpp"

namespace pp::python {
namespace {

// ---- nodes with others in them ------------------------------------------------------------------

class Tuple final : public ResultNode {
 public:
  Tuple(const py::tuple& members, NodeCompiler& compiler) {
    for (const py::handle each : members) members_.push_back(compiler.compile(each));
  }
  py::object build(const Building& building) override {
    py::tuple result(members_.size());
    for (size_t i = 0; i < members_.size(); ++i) {
      PyTuple_SET_ITEM(result.ptr(), static_cast<py::ssize_t>(i),
                       members_[i]->build(building).release().ptr());
    }
    return result;
  }

 private:
  std::vector<std::shared_ptr<ResultNode>> members_;
};

// A node that adds to a dict.
class Part : public ResultNode {
 public:
  virtual void add_to(const py::dict& into, const Building& building) const = 0;
  // Returns true if it never adds anything.
  virtual bool empty() const { return false; }
  py::object build(const Building& building) override {
    py::dict result;
    add_to(result, building);
    return result;
  }
};

py::dict copy_of(const py::object& dict) {
  auto copy = py::reinterpret_steal<py::dict>(PyDict_Copy(dict.ptr()));
  if (!copy) throw py::error_already_set();
  return copy;
}

// The items of a mapping, which it adds all or not at all.
class Items : public Part {
 public:
  Items(const py::handle& mapping, NodeCompiler& compiler) {
    for (const py::handle item : mapping.attr("items")()) {
      const auto pair = item.cast<py::tuple>();
      PyObject* key = PyUnicode_InternFromString(pair[0].cast<std::string>().c_str());
      if (key == nullptr) throw py::error_already_set();
      items_.emplace_back(py::reinterpret_steal<py::object>(key), compiler.compile(pair[1]));
      stands_ = stands_ && items_.back().second->stands();
    }
  }
  virtual bool adds(const Building&) const { return true; }
  void add_to(const py::dict& into, const Building& building) const final {
    if (adds(building)) add(into, building, true);
  }
  // Adds to a copy of what add_to() made of the standing batch: only what is new each time.
  void renew(const py::dict& into, const Building& building) const { add(into, building, false); }
  py::object build(const Building& building) final {
    if (!stands_ || !building.batch.standing || !adds(building)) return Part::build(building);
    if (!made_) made_ = Part::build(building);
    return copy_of(made_);
  }
  bool empty() const final { return items_.empty(); }

 private:
  void add(const py::dict& into, const Building& building, bool all) const {
    for (const auto& [key, member] : items_) {
      if (!all && member->stands()) continue;
      const py::object value = member->build(building);
      if (PyDict_SetItem(into.ptr(), key.ptr(), value.ptr()) != 0) throw py::error_already_set();
    }
  }

  std::vector<std::pair<py::object, std::shared_ptr<ResultNode>>> items_;
  bool stands_ = true;  // all of them
  py::object made_;     // their dict of the standing batch
};

struct IfEnded final : Items {
  IfEnded(const py::handle& node, NodeCompiler& compiler)
      : Items(node.attr("members"), compiler),
        layout_(compiler.pool.layout()),
        games_(node.attr("games").cast<bool>()) {}
  bool adds(const Building& building) const override {
    const host::Batch& batch = building.batch;
    if (!batch.any_ended.load(std::memory_order_relaxed)) return false;
    const auto* over = layout_.rows<uint8_t>(&batch, host::column_game_ended, 0);
    return !games_ || std::memchr(over, 1, batch.rows) != nullptr;
  }

 private:
  const host::Layout& layout_;
  bool games_;
};

struct IfErrors final : Items {
  IfErrors(const py::handle& node, NodeCompiler& compiler)
      : Items(node.attr("members"), compiler) {}
  bool adds(const Building& building) const override { return !building.batch.notes.empty(); }
};

class Extended final : public Part {
 public:
  Extended(const py::handle& node, NodeCompiler& compiler) : call_(node, compiler) {}
  void add_to(const py::dict& into, const Building& building) const override {
    call_.add_to(into, building);
  }

 private:
  Call call_;
};

class Dict final : public Part {
 public:
  Dict(const py::handle& node, NodeCompiler& compiler) {
    for (const py::handle each : node.attr("parts")) {
      auto part = std::dynamic_pointer_cast<Part>(compiler.compile(each));
      if (part == nullptr) {
        throw py::type_error(
            "the parts of a Dict are mappings, IfEnded, IfErrors and Extended, not " +
            py::repr(each).cast<std::string>());
      }
      if (part->empty()) continue;
      if (const auto* items = dynamic_cast<const Items*>(part.get())) items_.push_back(items);
      parts_.push_back(std::move(part));
    }
  }
  py::object build(const Building& building) override {
    if (items_.size() < parts_.size() || !building.batch.standing) return Part::build(building);
    uint64_t adding = 0;
    for (size_t i = 0; i < items_.size(); ++i) adding |= uint64_t{items_[i]->adds(building)} << i;
    py::object& made = made_[adding];
    if (!made) made = Part::build(building);
    auto result = copy_of(made);
    for (size_t i = 0; i < items_.size(); ++i)
      if ((adding >> i & 1) != 0) items_[i]->renew(result, building);
    return result;
  }
  void add_to(const py::dict& into, const Building& building) const override {
    for (const auto& part : parts_) part->add_to(into, building);
  }

 private:
  std::vector<std::shared_ptr<Part>> parts_;
  std::vector<const Items*> items_;      // all parts, if they are such
  std::map<uint64_t, py::object> made_;  // dicts of the standing batch, by the parts that add
};

// An object array: each ended row's part of a tree, else None.
class Objects final : public ResultNode {
 public:
  Objects(const py::handle& node, NodeCompiler& compiler)
      : tree_(compiler.compile(node.attr("tree"))), layout_(compiler.pool.layout()) {}
  py::object build(const Building& building) override {
    const host::Batch& batch = building.batch;
    const auto* ended = layout_.rows<uint8_t>(&batch, host::column_ended, 0);
    const py::object rows = tree_->build(building);
    py::array result(py::dtype("O"),
                     std::vector<py::ssize_t>{static_cast<py::ssize_t>(batch.rows)});
    auto** slots = static_cast<PyObject**>(result.mutable_data());
    for (uint32_t row = 0; row < batch.rows; ++row) {
      py::object part = ended[row] != 0 ? pick(rows, row) : py::none();
      Py_XSETREF(slots[row], part.release().ptr());
    }
    return result;
  }

 private:
  // One row of what a tree was built to: arrays lose their first axis, containers keep their form.
  static py::object pick(const py::handle& built, uint32_t row) {
    if (PyTuple_CheckExact(built.ptr()) != 0) {  // no ObjectRows
      const auto members = py::reinterpret_borrow<py::tuple>(built);
      py::tuple result(members.size());
      for (size_t i = 0; i < members.size(); ++i) result[i] = pick(members[i], row);
      return result;
    }
    if (py::isinstance<py::dict>(built)) {
      py::dict result;
      for (const auto& [key, member] : py::reinterpret_borrow<py::dict>(built))
        result[key] = pick(member, row);
      return result;
    }
    return built[py::int_(row)];
  }

  std::shared_ptr<ResultNode> tree_;
  const host::Layout& layout_;
};

// ---- kinds --------------------------------------------------------------------------------------

void register_node(const py::dict& kinds, const py::handle& node, const py::capsule& kind) {
  const char* name = kind.name();
  if (name == nullptr || std::string(name) != NodeKind::name ||
      kind.get_pointer<NodeKind>()->version != NodeKind::current) {
    throw py::value_error("the kind of " + py::repr(node).cast<std::string>() +
                          " was not made by node_kind() of this _core's result_node.hpp");
  }
  kinds[node] = kind;
}

// {class of node: capsule of its kind}.
const py::dict& kinds() {
  PYBIND11_CONSTINIT static py::gil_safe_call_once_and_store<py::dict> known;
  return known
      .call_once_and_store_result([] {
        const auto nodes = py::module_::import("parallel_pool.schema.result_tree");
        py::dict all;
        const auto add = [&](const char* name, const py::capsule& kind) {
          register_node(all, nodes.attr(name), kind);
        };
        add("Dict", node_kind<Dict>());
        add("IfEnded", node_kind<IfEnded>());
        add("IfErrors", node_kind<IfErrors>());
        add("Extended", node_kind<Extended>());
        add("Objects", node_kind<Objects>());
        register_leaves(add);
        register_learning_leaves(add);
        register_shape_leaves(add);
        register_text_leaves(add);
        return all;
      })
      .get_stored();
}

std::shared_ptr<ResultNode> make_node(const py::handle& node, NodeCompiler& compiler) {
  if (py::isinstance<py::tuple>(node))
    return std::make_shared<Tuple>(py::reinterpret_borrow<py::tuple>(node), compiler);
  if (py::isinstance(node, py::module_::import("collections.abc").attr("Mapping")))
    return std::make_shared<Items>(node, compiler);
  const py::type type = py::type::of(node);
  if (!kinds().contains(type)) {
    throw py::type_error("the result tree has " + py::repr(node).cast<std::string>() +
                         ", which is no tuple, no mapping and no node that "
                         "_core.register_node was told of");
  }
  const auto kind = py::reinterpret_borrow<py::capsule>(kinds()[type]);
  return kind.get_pointer<NodeKind>()->make(node, compiler);
}

}  // namespace

std::shared_ptr<ResultNode> NodeCompiler::compile(const py::handle& tree) {
  const auto found = known_.find(tree.ptr());
  if (found != known_.end()) return found->second.second;
  std::shared_ptr<ResultNode> node = make_node(tree, *this);
  known_.emplace(tree.ptr(), std::make_pair(py::reinterpret_borrow<py::object>(tree), node));
  return node;
}

ResultTree::ResultTree(NodeCompiler& compiler, const py::handle& tree)
    : root_(compiler.compile(tree)), once_(compiler.once), infos_(compiler.infos) {}

void OwnedBatch::open(const ResultTree& tree, host::Batch* handed_out, uint64_t its_number) {
  batch = handed_out;
  number = its_number;
  PyObject* capsule = PyCapsule_New(batch, nullptr, [](PyObject* self) {
    host::BatchStore::release(static_cast<host::Batch*>(PyCapsule_GetPointer(self, nullptr)));
  });
  if (capsule == nullptr) {
    host::BatchStore::release(batch);
    throw py::error_already_set();
  }
  owner = py::reinterpret_steal<py::object>(capsule);
  if (tree.infos()) infos = std::make_unique<FetchedInfos>();
}

py::object ResultTree::build(const OwnedBatch& batch) const {
  std::vector<py::object> once(once_);  // takes no memory where nothing is built once
  return root_->build({*batch.batch, batch.number, batch.owner, once.data(), batch.infos.get()});
}

void bind_results(py::module_& module) {
  module.def(
      "register_node",
      [](const py::type& node, const py::capsule& kind) { register_node(kinds(), node, kind); },
      py::arg("node"), py::arg("kind"),
      "Makes a class of nodes known to result trees; `kind` is of "
      "core/src/results/result_node.hpp.");
}

}  // namespace pp::python
