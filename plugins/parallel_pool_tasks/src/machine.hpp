// Runs a program for one environment: one instruction after the other, over a file of registers.
//
// Every operation rounds once, as numpy's does, and reads what it reads at that moment. The reader
// has checked all operands, and fields.hpp, members.hpp and queries.hpp what depends on the model.
#ifndef PARALLEL_POOL_TASKS_MACHINE_HPP_
#define PARALLEL_POOL_TASKS_MACHINE_HPP_

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

#include "arithmetic.hpp"
#include "fields.hpp"
#include "members.hpp"
#include "numpy_loops.hpp"
#include "parallel_pool/env.hpp"
#include "parallel_pool/rng.hpp"
#include "parallel_pool_mujoco/sdk.hpp"
#include "program.hpp"
#include "queries.hpp"

namespace tasks {

// Input and output of a part of a program in one call.
struct Call {
  const pp::Fields::Ref& obs;
  const pp::Fields::Ref& info;
  const pp::Fields::Value* action = nullptr;
  double reward = 0.0;
  bool terminated = false;
};

// MuJoCo has computed this of the simulation as it is.
enum class Computed : uint8_t { nothing, positions, forces };

class Machine {
 public:
  // `sim` must outlive this. Throws std::invalid_argument that names the author's line.
  Machine(std::shared_ptr<const Program> program, pp::mujoco::Simulation& sim, bool fused_norm,
          const NumpyLoops* numpy, bool refuses_nan)
      : program_(std::move(program)),
        sim_(sim),
        fused_norm_(fused_norm),
        refuses_nan_(refuses_nan),
        numpy_(numpy),
        fields_(bound_fields(*program_, sim)),
        members_(bound_members(*program_, sim)),
        queries_(*program_, sim),
        registers_(program_->initial),
        rounds_(program_->depth) {
    size_t most = 0;
    for (const auto* part : {&program_->reset, &program_->step}) {
      for (const Instruction& each : *part) most = std::max(most, singles_of(each));
    }
    singles_.resize(most);
  }

  // The registers that decide the future.
  double* kept() { return registers_.data() + program_->kept_first; }
  const double* kept() const { return registers_.data() + program_->kept_first; }
  // An episode begins. Empty: with the program's own numbers.
  void tune(const std::vector<double>& tunables) {
    const double* const own = program_->initial.data() + program_->kept_first;
    std::copy_n(tunables.empty() ? own : tunables.data(), program_->tunables, kept());
  }
  size_t kept_bytes() const { return program_->kept_count * sizeof(double); }

  // Throws std::runtime_error that names the author's line.
  template <class Generator>
  void run(const std::vector<Instruction>& part, Generator& random, Call& call) {
    computed_ = &part == &program_->reset ? Computed::forces : Computed::nothing;
    const Instruction* each = part.data();
    const Instruction* const end = each + part.size();
    try {
      for (; each != end; ++each) {
        if (each->op >= Op::when) {
          each = part.data() + after(*each, static_cast<size_t>(each - part.data()));
        } else {
          execute(*each, random, call);
          if (refuses_nan_) refuse_nan(*each);
        }
      }
    } catch (const std::exception& error) {
      throw std::runtime_error(program_->where(*each) + ": " + error.what());
    }
  }

 private:
  template <class Generator>
  void execute(const Instruction& i, Generator& random, Call& call) {
    const pp::mujoco::Engine& engine = sim_.model.engine;
    double* const r = registers_.data();
    switch (i.op) {
#define TASKS_CASE(name, form) case Op::name:
      TASKS_NUMPY(TASKS_CASE)
#undef TASKS_CASE
      return of_numpy(i);
      case Op::matmul:
        return product(i);
      case Op::positive:
        return each1(i, [](double x) { return x; });
      case Op::negative:
        return each1(i, [](double x) { return -x; });
      case Op::absolute:
        return each1(i, [](double x) { return std::fabs(x); });
      case Op::sign:
        return each1(i, sign);
      case Op::sqrt:
        return each1(i, [](double x) { return std::sqrt(x); });
      case Op::square:
        return each1(i, [](double x) { return x * x; });
      case Op::reciprocal:
        return each1(i, [](double x) { return 1.0 / x; });
      case Op::floor:
        return each1(i, [](double x) { return std::floor(x); });
      case Op::ceil:
        return each1(i, [](double x) { return std::ceil(x); });
      case Op::rint:
        return each1(i, [](double x) { return std::nearbyint(x); });
      case Op::trunc:
        return each1(i, [](double x) { return std::trunc(x); });
      case Op::isfinite:
        return each1(i, [](double x) { return truth(std::isfinite(x)); });
      case Op::isnan:
        return each1(i, [](double x) { return truth(std::isnan(x)); });
      case Op::isinf:
        return each1(i, [](double x) { return truth(std::isinf(x)); });
      case Op::signbit:
        return each1(i, [](double x) { return truth(std::signbit(x)); });
      case Op::logical_not:
        return each1(i, [](double x) { return truth(x == 0); });
      case Op::add:
        return each2(i, [](double x, double y) { return x + y; });
      case Op::subtract:
        return each2(i, [](double x, double y) { return x - y; });
      case Op::multiply:
        return each2(i, [](double x, double y) { return x * y; });
      case Op::divide:
        return each2(i, [](double x, double y) { return x / y; });
      case Op::remainder:
        if (i.kind == Kind::int64) {
          return each2(i, [](double x, double y) { return y == 0 ? 0.0 : remainder(x, y) + 0.0; });
        }
        return each2(i, remainder);
      case Op::copysign:
        return each2(i, [](double x, double y) { return std::copysign(x, y); });
      case Op::maximum:
        return each2(i, maximum);
      case Op::minimum:
        return each2(i, minimum);
      case Op::greater:
        return each2(i, [](double x, double y) { return truth(x > y); });
      case Op::greater_equal:
        return each2(i, [](double x, double y) { return truth(x >= y); });
      case Op::less:
        return each2(i, [](double x, double y) { return truth(x < y); });
      case Op::less_equal:
        return each2(i, [](double x, double y) { return truth(x <= y); });
      case Op::equal:
        return each2(i, [](double x, double y) { return truth(x == y); });
      case Op::not_equal:
        return each2(i, [](double x, double y) { return truth(x != y); });
      case Op::logical_and:
        return each2(i, [](double x, double y) { return truth(x != 0 && y != 0); });
      case Op::logical_or:
        return each2(i, [](double x, double y) { return truth(x != 0 || y != 0); });
      case Op::logical_xor:
        return each2(i, [](double x, double y) { return truth((x != 0) != (y != 0)); });
      case Op::scalar_power:
        return each2(i, power);
      case Op::where:
        return each3(i, [](double x, double y, double z) { return x != 0 ? y : z; });
      case Op::clip:
        return each3(i, clipped);

      case Op::sum:
        r[i.to] = i.kind == Kind::float32 ? static_cast<double>(sum<float>(r + i.from[0], i.count))
                                          : sum<double>(r + i.from[0], i.count);
        return settle(i, 1);
      case Op::min:
        return fold(i, minimum);
      case Op::max:
        return fold(i, maximum);
      case Op::all:
        return fold(i, [](double x, double y) { return truth(x != 0 && y != 0); });
      case Op::any:
        return fold(i, [](double x, double y) { return truth(x != 0 || y != 0); });
      case Op::norm:
        r[i.to] = pp::mujoco::norm(r + i.from[0], i.count, fused_norm_);
        return;

      case Op::argmax:
        return first_of(i, [](double x, double best) { return x > best; });
      case Op::argmin:
        return first_of(i, [](double x, double best) { return x < best; });
      case Op::lookup:
        return look_up(i);

      case Op::random:
        return each0(i, [&random] { return random.random(); });
      case Op::standard_normal:
        return each0(i, [&random] { return random.standard_normal(); });
      case Op::standard_exponential:
        return each0(i, [&random] { return random.standard_exponential(); });
      case Op::uniform:
        return each2(i, [&random](double low, double high) { return random.uniform(low, high); });
      case Op::normal:
        return each2(i, [&random](double at, double scale) { return random.normal(at, scale); });

      case Op::integers:
        return each2(i, [&random](double low, double high) {
          if constexpr (std::is_same_v<Generator, pp::RandomState>) {
            return static_cast<double>(random.template randint<int64_t>(whole(low), whole(high)));
          } else {
            return static_cast<double>(random.template integers<int64_t>(whole(low), whole(high)));
          }
        });

      case Op::action:
        return take(i, call);
      case Op::load:
        std::memcpy(r + i.to, field<double>(i), i.count * sizeof(double));
        return;
      case Op::load_int:
        return each0(i, [from = field<int32_t>(i)]() mutable { return *from++; });
      case Op::load_bool:
        return each0(i, [from = field<uint8_t>(i)]() mutable { return truth(*from++ != 0); });
      case Op::store_bool: {
        uint8_t* const to = field<uint8_t>(i);
        for (size_t k = 0; k < i.count; ++k) to[k] = r[i.from[0] + k * i.stride[0]] != 0;
        return;
      }
      case Op::store: {
        double* const to = field<double>(i);
        for (size_t k = 0; k < i.count; ++k) to[k] = r[i.from[0] + k * i.stride[0]];
        return;
      }
      case Op::n_contacts:
        expect(Computed::positions);
        r[i.to] = queries_.contacts(i);
        return;
      case Op::contact_force:
        expect(Computed::forces);
        r[i.to] = queries_.contact_force(i);
        return;
      case Op::ray:
        return queries_.ray(i, r);
      case Op::object_velocity:
        expect(Computed::positions);
        return queries_.velocity(i, r + i.to);
      case Op::forward:
        computed_ = Computed::forces;
        return sim_.forward();
      case Op::mj_step:
        computed_ = Computed::forces;
        return sim_.step(i.number);
      case Op::mj_step1:
        computed_ = Computed::positions;
        return sim_.run([&] { engine.step1(sim_.model.raw, sim_.raw); });
      case Op::mj_step2:
        computed_ = Computed::forces;
        return sim_.run([&] { engine.step2(sim_.model.raw, sim_.raw); });
      case Op::control_step:
        computed_ = Computed::positions;
        return sim_.control_step(i.number);
      case Op::rne_post_constraint:
        return sim_.rne_post_constraint();
      case Op::write_model:
        return write_model(i);
      case Op::set_const:
        return sim_.reset();  // derives first

      case Op::observation:
        return show(i, program_->observations[i.place].kind, call.obs);
      case Op::info:
        return show(i, program_->infos[i.place].kind, call.info);
      case Op::reward:
        call.reward = r[i.from[0]];
        return;
      case Op::terminated:
        call.terminated = r[i.from[0]] != 0;
        return;
      case Op::when:
      case Op::end_when:
      case Op::until:
      case Op::end_until:
      case Op::repeat:
      case Op::end_repeat:
        return;  // after()
    }
  }

  // Throws if the instruction wrote a NaN: the first one, so it was not given any.
  void refuse_nan(const Instruction& i) const {
    const OpRow& row = op_rows[static_cast<size_t>(i.op)];
    const double* const to = registers_.data() + i.to;
    const size_t count = written(i, row.form);
    const double* const found = std::find_if(to, to + count, [](double x) { return x != x; });
    if (found == to + count) return;
    std::string what(row.name);
    if (row.form.find('F') != std::string_view::npos) {
      what = "sim." + program_->fields[i.place];
    }
    if (count > 1) {
      what += ", number " + std::to_string(found - to) + " of " + std::to_string(count) + ",";
    }
    throw std::domain_error(what + " is the first NaN");
  }
  static size_t written(const Instruction& i, std::string_view form) {
    for (const char letter : form) {
      if (letter == 'D') return i.count;
      if (letter == 'd') return 1;
      if (letter == 'R') return size_t{i.sizes[0]} * i.sizes[2];
      if (letter == 'S') return 6;
      if (letter == 'Y') return 2 * size_t{i.count};
    }
    return 0;
  }

  // The place of the instruction in front of the next one, at an end of a block.
  size_t after(const Instruction& i, size_t here) {
    const bool so = registers_[i.from[0]] != 0;
    switch (i.op) {
      case Op::when:
        return so ? here : i.other;
      case Op::until:
      case Op::repeat:
        rounds_[i.depth] = 0;
        return here;
      case Op::end_until:
        if (so) return here;
        if (++rounds_[i.depth] == i.number) {
          throw std::runtime_error("until: nothing was accepted in " + std::to_string(i.number) +
                                   " tries");
        }
        return i.other;
      case Op::end_repeat:
        return ++rounds_[i.depth] == i.number ? here : i.other;
      default:
        return here;
    }
  }

  // ---- numpy's loops --------------------------------------------------------------------------

  // Returns how many float32 an instruction's loop reads and writes; they lie in singles_.
  static size_t singles_of(const Instruction& i) {
    if (i.kind != Kind::float32) return 0;
    const size_t rows = i.sizes[0], inner = i.sizes[1], columns = i.sizes[2];
    return i.op == Op::matmul ? rows * inner + inner * columns + rows * columns
                              : 3 * size_t{i.count};
  }
  template <class T>
  static char* bytes(T* numbers) {
    return reinterpret_cast<char*>(numbers);
  }
  const NumpyLoop& loop(const Instruction& i) const {
    const NumpyLoop& found = numpy_->of(i.op, i.kind);
    if (found.run == nullptr) {
      throw std::runtime_error("the installed numpy's own function is not to be had");
    }
    return found;
  }
  float* single(const double* from, float* to, size_t count) const {
    for (size_t k = 0; k < count; ++k) to[k] = static_cast<float>(from[k]);
    return to + count;
  }

  void of_numpy(const Instruction& i) {
    const NumpyLoop& numpy = loop(i);
    const bool two = op_rows[static_cast<size_t>(i.op)].form.size() == 4;
    double* const r = registers_.data();
    char* arrays[3];
    ptrdiff_t strides[3];
    const auto count = static_cast<ptrdiff_t>(i.count);
    if (i.kind == Kind::float64) {
      arrays[0] = bytes(r + i.from[0]);
      arrays[1] = bytes(r + (two ? i.from[1] : i.to));
      arrays[2] = bytes(r + i.to);
    } else {
      float* end = singles_.data();
      for (size_t k = 0; k < (two ? 2 : 1); ++k) {
        arrays[k] = bytes(end);
        end = single(r + i.from[k], end, i.stride[k] == 0 ? 1 : i.count);
      }
      arrays[two ? 2 : 1] = bytes(end);
    }
    const auto size = static_cast<ptrdiff_t>(i.kind == Kind::float64 ? 8 : 4);
    strides[0] = i.stride[0] * size;
    strides[1] = two ? i.stride[1] * size : size;
    strides[2] = size;
    numpy.run(arrays, &count, strides, numpy.data);
    if (i.kind == Kind::float32) widen(arrays[two ? 2 : 1], i.to, i.count);
  }
  void widen(const char* from, uint32_t to, size_t count) {
    const float* const numbers = reinterpret_cast<const float*>(from);
    for (size_t k = 0; k < count; ++k) registers_[to + k] = static_cast<double>(numbers[k]);
  }

  void product(const Instruction& i) {
    const NumpyLoop& numpy = loop(i);
    double* const r = registers_.data();
    const size_t m = i.sizes[0], k = i.sizes[1], n = i.sizes[2];
    char* arrays[] = {bytes(r + i.from[0]), bytes(r + i.from[1]), bytes(r + i.to)};
    ptrdiff_t size = 8;
    if (i.kind == Kind::float32) {
      size = 4;
      float* const left = singles_.data();
      float* const right = single(r + i.from[0], left, m * k);
      float* const result = single(r + i.from[1], right, k * n);
      arrays[0] = bytes(left);
      // numpy computes a product with itself otherwise, which it knows by the place.
      arrays[1] = bytes(i.from[0] == i.from[1] ? left : right);
      arrays[2] = bytes(result);
    }
    const auto step = [size](bool turned, size_t rows, size_t columns, ptrdiff_t* strides) {
      strides[0] = turned ? size : static_cast<ptrdiff_t>(columns) * size;
      strides[1] = turned ? static_cast<ptrdiff_t>(rows) * size : size;
    };
    // Counts: one product, then its extents.
    const ptrdiff_t extents[] = {1, static_cast<ptrdiff_t>(m), static_cast<ptrdiff_t>(k),
                                 static_cast<ptrdiff_t>(n)};
    ptrdiff_t strides[9] = {};
    step((i.turned & 1) != 0, m, k, strides + 3);
    step((i.turned & 2) != 0, k, n, strides + 5);
    step(false, m, n, strides + 7);
    numpy.run(arrays, extents, strides, numpy.data);
    if (i.kind == Kind::float32) widen(arrays[2], i.to, m * n);
  }

  // ---- places ---------------------------------------------------------------------------------

  // The first NaN, else the first of those than which none is better.
  template <class Better>
  void first_of(const Instruction& i, Better&& better) {
    const double* const x = registers_.data() + i.from[0];
    size_t best = 0;
    for (size_t k = 1; k < i.count && !std::isnan(x[best]); ++k) {
      if (better(x[k], x[best]) || std::isnan(x[k])) best = k;
    }
    registers_[i.to] = static_cast<double>(best);
  }
  void look_up(const Instruction& i) {
    const auto rows = static_cast<double>(i.number);
    double row = registers_[i.from[0]];
    if (!(row >= -rows && row < rows)) {
      throw std::out_of_range("index " + std::to_string(whole(row)) +
                              " is out of bounds for axis 0 with size " + std::to_string(i.number));
    }
    if (row < 0) row += rows;
    std::memmove(registers_.data() + i.to,
                 registers_.data() + i.from[1] + static_cast<size_t>(row) * i.count,
                 i.count * sizeof(double));
  }

  template <class T>
  T* field(const Instruction& i) const {
    return reinterpret_cast<T*>(fields_[i.place]) + i.first;
  }
  // A state does not have what MuJoCo computed before this call of the environment.
  void expect(Computed needed) const {
    if (computed_ >= needed) return;
    throw std::logic_error(computed_ == Computed::nothing
                               ? "this is of the last sim.step() or sim.forward(), and none came "
                                 "before it in this step"
                               : "mj_step1, which comes last in control_step, computes no forces: "
                                 "sim.forward() first");
  }

  static double truth(bool value) { return value ? 1.0 : 0.0; }

  template <class Function>
  void each0(const Instruction& i, Function&& function) {
    double* const to = registers_.data() + i.to;
    for (size_t k = 0; k < i.count; ++k) to[k] = function();
  }
  template <class Function>
  void each1(const Instruction& i, Function&& function) {
    double* const to = registers_.data() + i.to;
    const double* const x = registers_.data() + i.from[0];
    const size_t count = i.count, dx = i.stride[0];
    for (size_t k = 0; k < count; ++k) to[k] = function(x[k * dx]);
    settle(i, count);
  }
  template <class Function>
  void each2(const Instruction& i, Function&& function) {
    double* const to = registers_.data() + i.to;
    const double* const x = registers_.data() + i.from[0];
    const double* const y = registers_.data() + i.from[1];
    const size_t count = i.count, dx = i.stride[0], dy = i.stride[1];
    for (size_t k = 0; k < count; ++k) to[k] = function(x[k * dx], y[k * dy]);
    settle(i, count);
  }
  template <class Function>
  void each3(const Instruction& i, Function&& function) {
    double* const to = registers_.data() + i.to;
    const double* const x = registers_.data() + i.from[0];
    const double* const y = registers_.data() + i.from[1];
    const double* const z = registers_.data() + i.from[2];
    const size_t count = i.count, dx = i.stride[0], dy = i.stride[1], dz = i.stride[2];
    for (size_t k = 0; k < count; ++k) to[k] = function(x[k * dx], y[k * dy], z[k * dz]);
    settle(i, count);
  }
  template <class Function>
  void fold(const Instruction& i, Function&& function) {
    const double* const x = registers_.data() + i.from[0];
    double result = x[0];
    if (i.kind == Kind::boolean) result = truth(result != 0);
    for (size_t k = 1; k < i.count; ++k) result = function(result, x[k]);
    registers_[i.to] = result;
  }

  // Makes the results numbers of their dtype.
  void settle(const Instruction& i, size_t count) {
    double* const to = registers_.data() + i.to;
    if (i.kind == Kind::float32) {
      // Rounded twice, from 53 to 24 bits, which is as rounded once for + - * / and sqrt.
      for (size_t k = 0; k < count; ++k) to[k] = static_cast<double>(static_cast<float>(to[k]));
    } else if (i.kind == Kind::int64) {
      constexpr double most = 9007199254740992.0;
      for (size_t k = 0; k < count; ++k) {
        if (!(std::fabs(to[k]) <= most)) {
          throw std::overflow_error("an integer is beyond 2 ** 53, the largest in a task");
        }
      }
    }
  }

  template <class T>
  static T sum(const double* x, size_t count) {
    return pp::mujoco::numpy_sum<T>([x](size_t i) { return static_cast<T>(x[i]); }, 0, count);
  }

  void take(const Instruction& i, const Call& call) {
    const auto put = [to = registers_.data() + i.to](auto numbers) {
      for (size_t k = 0; k < numbers.size(); ++k) to[k] = static_cast<double>(numbers[k]);
    };
    if (program_->action == Kind::float32) return put(call.action->get<float>(0));
    put(call.action->get<double>(0));
  }

  void write_model(const Instruction& i) {
    const Member& member = members_[i.place];
    for (size_t k = 0; k < i.count; ++k) {
      const double value = registers_[i.from[0] + k * i.stride[0]];
      if (!(std::fabs(value) <= most_of_model)) {
        throw std::domain_error(std::to_string(value) + " is written to sim.model." +
                                program_->members[i.place] +
                                ", expected a number up to 1e10 in size");
      }
      if (member.single != nullptr) {
        member.single[i.first + k] = static_cast<float>(value);
      } else {
        member.numbers[i.first + k] = value;
      }
    }
  }

  void show(const Instruction& i, Kind kind, const pp::Fields::Ref& rows) {
    switch (kind) {
      case Kind::float64:
        return put(i, rows.get<double>(i.place).data());
      case Kind::float32:
        return put(i, rows.get<float>(i.place).data());
      case Kind::int64:
        return put(i, rows.get<int64_t>(i.place).data());
      case Kind::boolean:
        return put(i, rows.get<bool>(i.place).data());
    }
  }
  template <class T>
  void put(const Instruction& i, T* row) {
    const double* const x = registers_.data() + i.from[0];
    for (size_t k = 0; k < i.count; ++k) {
      const double value = x[k * i.stride[0]];
      if constexpr (std::is_same_v<T, int64_t>) {
        row[i.first + k] = whole(value);
      } else {
        row[i.first + k] = static_cast<T>(value);
      }
    }
  }
  // A made up program may show any number as an integer, which C++ leaves undefined.
  static int64_t whole(double value) {
    constexpr double most = 9.2e18;
    return std::fabs(value) < most ? static_cast<int64_t>(value) : 0;
  }

  const std::shared_ptr<const Program> program_;
  pp::mujoco::Simulation& sim_;
  const bool fused_norm_;
  const bool refuses_nan_;
  const NumpyLoops* const numpy_;
  const std::vector<uint8_t*> fields_;
  const std::vector<Member> members_;
  Queries queries_;
  Computed computed_ = Computed::nothing;  // in this call
  std::vector<double> registers_;
  std::vector<float> singles_;   // operands and results of loops of float32
  std::vector<int64_t> rounds_;  // left for each loop that runs, by its depth
};

}  // namespace tasks
#endif  // PARALLEL_POOL_TASKS_MACHINE_HPP_
