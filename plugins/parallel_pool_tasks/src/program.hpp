// A task as the machine runs it: two lists of instructions, for resets and for steps, and what they
// read and write. It is data: read_program() (reader.hpp) makes it from a text and checks it, and
// all environments with the same text share it.
#ifndef PARALLEL_POOL_TASKS_PROGRAM_HPP_
#define PARALLEL_POOL_TASKS_PROGRAM_HPP_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "ops.hpp"

namespace tasks {

struct Instruction {
  Op op;
  Kind kind;            // the dtype of the results
  uint8_t stride[3];    // one each for A, B and C: 0 where one number is for all
  uint16_t source = 0;  // the file, and the line there, that the author wrote
  uint32_t line = 0;
  uint32_t count = 1;
  uint32_t to = 0;         // D, d
  uint32_t from[3] = {};   // A or a or s, B, C
  uint32_t place = 0;      // the array of F, M, O or I; the first g; the kind of o
  uint32_t first = 0;      // the first number there; the second g; the number of o
  int64_t number = 0;      // k, w, e
  uint32_t sizes[3] = {};  // x
  uint32_t turned = 0;     // t, m
  uint32_t other = 0;      // the other end of a block
  uint32_t depth = 0;      // the number of loops around it, in a block
};

// An array that goes out, of an observation or of the info.
struct Shown {
  std::string name;  // "" is the whole observation
  Kind kind = Kind::float64;
  std::vector<int64_t> shape;
  size_t size = 1;
};

struct Bounds {
  double low;
  double high;
};

struct Program {
  size_t registers = 0;
  std::vector<double> initial;  // by register: constants, zeros elsewhere
  size_t kept_first = 0;        // registers that live from one call to the next: the episode's
  size_t kept_count = 0;
  size_t tunables = 0;        // the first of these, which the user sets
  bool random_state = false;  // the generator is numpy's RandomState, else its default_rng
  Kind action = Kind::float32;
  size_t depth = 0;            // the most blocks within each other
  std::vector<Bounds> bounds;  // one for each number of the action
  std::vector<Shown> observations;
  std::vector<Shown> infos;
  std::vector<std::string> fields;           // arrays of mjData
  std::vector<std::string> members;          // resets write these of mjModel: "opt.gravity"
  std::vector<std::vector<uint32_t>> geoms;  // sets of them; an empty one has all
  bool sets_constants = false;               // resets derive what follows from these
  std::vector<std::string> sources;
  std::vector<Instruction> reset;
  std::vector<Instruction> step;

  // "cheetah.py:17", for messages.
  std::string where(const Instruction& each) const {
    return sources[each.source] + ":" + std::to_string(each.line);
  }
};

}  // namespace tasks
#endif  // PARALLEL_POOL_TASKS_PROGRAM_HPP_
