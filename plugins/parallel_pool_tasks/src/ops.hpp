// The table of operations: what the machine does, and what may stand behind each name in a program.
//
// It is the only one. The tracer asks the library for it (plugin.cpp) and records a function of
// numpy if there is an operation of its name, so a row here and its case in machine.hpp make a
// function part of the language.
//
// An operand is a letter:
//   n  a count of numbers
//   D  the first of the n registers that it writes; d: the one that it writes
//   A, B, C  the first of n registers that it reads, or one for all n (written "r7*")
//   a  the first of n registers; s  one register
//   F  an array of mjData and the first of n numbers of it ("qpos+2"); M: of mjModel likewise
//   O, I  an array of the observation or of the info likewise ("0+2")
//   k  a whole number of its own
//   x  the sizes of a product: rows, inner, columns; R its result, P and Q its operands, and t
//      whether each of these lies in memory column after column: 1 for P, 2 for Q, 3 for both
//   g  a set of geoms: "3,5", or "*" for all
//   Y  the first of 2n registers that it writes; V, W  the first of 3n that it reads, or of three
//      for all n; e  a number that may be 0; m  7 bits
//   o  a thing of the model ("site:3"), and S the first of six registers that it writes
//   w  a number of rows, and G the first of the registers of a table of as many, n in each
//
// Between a name of the last group and its end_ are the instructions of a block. They are not
// jumps: where a block ends, and that it does, is found when the program is read.
#ifndef PARALLEL_POOL_TASKS_OPS_HPP_
#define PARALLEL_POOL_TASKS_OPS_HPP_

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace tasks {

// clang-format off: one group in a line.
// Functions that are computed by numpy's own loops.
#define TASKS_NUMPY(X)                                                                      \
  X(exp, "nDA") X(exp2, "nDA") X(expm1, "nDA")                                              \
  X(log, "nDA") X(log2, "nDA") X(log10, "nDA") X(log1p, "nDA")                              \
  X(sin, "nDA") X(cos, "nDA") X(tan, "nDA")                                                 \
  X(arcsin, "nDA") X(arccos, "nDA") X(arctan, "nDA")                                        \
  X(sinh, "nDA") X(cosh, "nDA") X(tanh, "nDA")                                              \
  X(arcsinh, "nDA") X(arccosh, "nDA") X(arctanh, "nDA")                                     \
  X(cbrt, "nDA") X(deg2rad, "nDA") X(rad2deg, "nDA") X(degrees, "nDA") X(radians, "nDA")    \
  X(arctan2, "nDAB") X(hypot, "nDAB") X(fmod, "nDAB") X(power, "nDAB") X(floor_divide, "nDAB")

#define TASKS_OPS(X)                                                                        \
  TASKS_NUMPY(X)                                                                            \
  X(matmul, "xRPQt")                                                                        \
  /* numpy's functions of numbers, by numpy's names */                                      \
  X(positive, "nDA") X(negative, "nDA") X(absolute, "nDA") X(sign, "nDA")                   \
  X(sqrt, "nDA") X(square, "nDA") X(reciprocal, "nDA")                                      \
  X(floor, "nDA") X(ceil, "nDA") X(rint, "nDA") X(trunc, "nDA")                             \
  X(isfinite, "nDA") X(isnan, "nDA") X(isinf, "nDA") X(signbit, "nDA") X(logical_not, "nDA") \
  X(add, "nDAB") X(subtract, "nDAB") X(multiply, "nDAB") X(divide, "nDAB")                  \
  X(remainder, "nDAB") X(copysign, "nDAB") X(maximum, "nDAB") X(minimum, "nDAB")            \
  X(greater, "nDAB") X(greater_equal, "nDAB") X(less, "nDAB") X(less_equal, "nDAB")         \
  X(equal, "nDAB") X(not_equal, "nDAB")                                                     \
  X(logical_and, "nDAB") X(logical_or, "nDAB") X(logical_xor, "nDAB")                       \
  X(where, "nDABC") X(clip, "nDABC")                                                        \
  /* x ** y of a scalar, which is the C library's pow */                                    \
  X(scalar_power, "nDAB")                                                                   \
  /* numpy's functions of a whole array */                                                  \
  X(sum, "nda") X(min, "nda") X(max, "nda") X(all, "nda") X(any, "nda") X(norm, "nda")      \
  X(argmax, "nda") X(argmin, "nda") X(lookup, "nDwGs")                                      \
  /* random numbers, by the generator's methods */                                          \
  X(random, "nD") X(standard_normal, "nD") X(standard_exponential, "nD")                    \
  X(uniform, "nDAB") X(normal, "nDAB") X(integers, "nDAB")                                  \
  /* the simulation */                                                                      \
  X(action, "nD") X(load, "nDF") X(store, "nFA")                                            \
  X(load_int, "nDF") X(load_bool, "nDF") X(store_bool, "nFA")                               \
  X(n_contacts, "dgg") X(contact_force, "dgg")                                              \
  X(ray, "nYVWem") X(object_velocity, "Som")                                                \
  X(forward, "") X(mj_step, "k") X(mj_step1, "") X(mj_step2, "") X(control_step, "k")       \
  X(rne_post_constraint, "")                                                                \
  /* the environment's own model, in resets */                                               \
  X(write_model, "nMA") X(set_const, "")                                                    \
  /* results */                                                                             \
  X(observation, "nOA") X(info, "nIA") X(reward, "s") X(terminated, "s")            \
  /* blocks: if s; again and again until s, at most k times; k times */                     \
  X(when, "s") X(end_when, "") X(until, "k") X(end_until, "s") X(repeat, "k") X(end_repeat, "")
// clang-format on

enum class Op : uint16_t {
#define TASKS_NAME(name, form) name,
  TASKS_OPS(TASKS_NAME)
#undef TASKS_NAME
};

struct OpRow {
  std::string_view name;
  std::string_view form;
};

inline constexpr OpRow op_rows[] = {
#define TASKS_ROW(name, form) {#name, form},
    TASKS_OPS(TASKS_ROW)
#undef TASKS_ROW
};
inline constexpr size_t op_count = sizeof op_rows / sizeof *op_rows;

#define TASKS_ONE(name, form) +1
inline constexpr size_t numpy_count = 0 TASKS_NUMPY(TASKS_ONE);
#undef TASKS_ONE
inline constexpr size_t first_of_numpy = static_cast<size_t>(Op::exp);

// The things whose velocities are asked for.
struct ObjectKind {
  std::string_view name;
  const char* constant;
  const char* count;
};

inline constexpr ObjectKind object_kinds[] = {{"body", "mjOBJ_BODY", "mjModel.nbody"},
                                              {"xbody", "mjOBJ_XBODY", "mjModel.nbody"},
                                              {"geom", "mjOBJ_GEOM", "mjModel.ngeom"},
                                              {"site", "mjOBJ_SITE", "mjModel.nsite"},
                                              {"camera", "mjOBJ_CAMERA", "mjModel.ncam"}};

// The dtypes of values. A register is a double, in which each of them is exact: float32 is rounded
// after every operation, a bool is 0 or 1, an int64 is whole and below 2 ** 53.
enum class Kind : uint8_t { float64, float32, int64, boolean };

inline constexpr std::string_view kind_names[] = {"float64", "float32", "int64", "bool"};

}  // namespace tasks
#endif  // PARALLEL_POOL_TASKS_OPS_HPP_
