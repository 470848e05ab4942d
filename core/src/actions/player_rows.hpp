// Tells which player each row of an action per player belongs to.
#pragma once

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include <cstdint>
#include <string>
#include <vector>

#include "parallel_pool/host/pool.hpp"

namespace pp::python {

namespace py = pybind11;

// "players.env_id" and "players.id" of an action: one integer per row each, or None. May run Python
// code.
class PlayerNames {
 public:
  PlayerNames(const py::object& env_id, const py::object& id);

  bool named = false;     // env_id is there
  bool numbered = false;  // id is there as well
  std::vector<int64_t> env_id;
  std::vector<int64_t> id;
};

class PlayerRows {
 public:
  // Forgets the last call. `named` NULL: rows are in the order of the environments and in each in
  // the order of the players.
  void begin(const host::Pool& pool, const PlayerNames* named);

  // Returns environment * max_players + player for each row of an action field that has `rows` rows
  // or is padded to a row for every place. Each player shown last has a row, each once; where
  // players are numbered, those that do not act may be left out. Throws value_error that names
  // environment and player. Runs no Python code unless it throws.
  const std::vector<uint32_t>& slots(const std::string& label, bool padded, py::ssize_t rows,
                                     const uint32_t* ids, uint32_t n);

  std::vector<char> buffer;  // for the rows of a padded action, closed up

 private:
  void number(const uint32_t* ids, uint32_t n);
  void number_named(const std::string& label, const uint32_t* ids, uint32_t n);
  [[noreturn]] void wrong_count(const std::string& label, size_t rows, const uint32_t* ids,
                                uint32_t n) const;

  const host::Pool* pool_ = nullptr;
  const PlayerNames* named_ = nullptr;
  bool numbered_ = false;
  std::vector<uint32_t> slots_;
  std::vector<uint32_t> next_;  // by environment: the first player not given yet
  std::vector<uint8_t> given_;  // by slot
};

}  // namespace pp::python
