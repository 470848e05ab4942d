#include "engine/velocity_iterations.hpp"

#include <array>
#include <cstring>
#include <utility>

#include "engine/private_members.hpp"
#include "engine/repeats.hpp"

// Gymnasium asks for 180 iterations. In many steps all that an iteration reads comes back much
// earlier, to the last bit, to what an iteration before has read, mostly the one before: what
// follows is known then. What no iteration reads, but only adds to, is added up alone.

namespace box2d {
namespace {

OPEN(Impulse, b2RevoluteJoint, m_impulse, b2Vec3);
OPEN(MotorImpulse, b2RevoluteJoint, m_motorImpulse, float32);
struct SolveVelocities {
  using type = void (b2Joint::*)(const b2SolverData&);
  friend type get(SolveVelocities);
};
template struct Open<SolveVelocities, &b2Joint::SolveVelocityConstraints>;

constexpr size_t most_words = 256;
constexpr size_t most_joints = 8;
constexpr int32 longest_period = 64;

using State = Repeats<most_words>::State;
// That no iteration reads: the impulses x and y of each joint.
using Sums = std::array<float, 2 * most_joints>;

class Iterations {
 public:
  Iterations(b2Island& island, b2ContactSolver& contacts, const b2TimeStep& step)
      : contacts_(contacts),
        data_{step, island.m_positions, island.m_velocities},
        bodies_(island.m_bodyCount),
        joints_(island.m_jointCount) {
    size_t words = 3 * static_cast<size_t>(bodies_);
    for (int32 i = 0; i < contacts_.m_count; ++i) words += 4;
    words += 2 * static_cast<size_t>(joints_);
    known_ = words <= most_words && joints_ <= static_cast<int32>(most_joints);
    for (int32 i = 0; known_ && i < joints_; ++i) {
      known_ = island.m_joints[i]->GetType() == e_revoluteJoint;
      hinges_[static_cast<size_t>(i)] = static_cast<b2RevoluteJoint*>(island.m_joints[i]);
    }
  }

  bool known() const { return known_; }

  int32 run(int32 count) {
    State state;
    Repeats<most_words> repeats(read(state));
    for (int32 done = 0; done < count;) {
      iterate();
      ++done;
      read(state);
      const int32 period = repeats.period_of(state);
      if (period > 0 && period <= longest_period && 2 * period < count - done) {
        return done + finish(period, count - done);
      }
    }
    return count;
  }

 private:
  void iterate() {
    for (int32 j = 0; j < joints_; ++j) {
      (static_cast<b2Joint*>(hinges_[static_cast<size_t>(j)])->*get(SolveVelocities{}))(data_);
    }
    contacts_.SolveVelocityConstraints();
  }

  // What an iteration reads and may change, and the number of words of it.
  size_t read(State& state) const {
    uint32_t* out = state.data();
    const auto put = [&](const void* from, size_t words) {
      std::memcpy(out, from, words * sizeof(uint32_t));
      out += words;
    };
    static_assert(sizeof(b2Velocity) == 3 * sizeof(float));
    put(data_.velocities, 3 * static_cast<size_t>(bodies_));
    for (int32 j = 0; j < joints_; ++j) {
      const b2RevoluteJoint& hinge = *hinges_[static_cast<size_t>(j)];
      put(&(hinge.*get(MotorImpulse{})), 1);
      put(&(hinge.*get(Impulse{})).z, 1);
    }
    for (int32 i = 0; i < contacts_.m_count; ++i) {
      const b2ContactVelocityConstraint& contact = contacts_.m_velocityConstraints[i];
      for (int32 j = 0; j < contact.pointCount; ++j) {
        const b2VelocityConstraintPoint& point = contact.points[j];
        put(&point.normalImpulse, 1);
        put(&point.tangentImpulse, 1);
      }
    }
    return static_cast<size_t>(out - state.data());
  }

  void exchange(Sums& sums) {
    for (int32 j = 0; j < joints_; ++j) {
      b2Vec3& impulse = hinges_[static_cast<size_t>(j)]->*get(Impulse{});
      std::swap(impulse.x, sums[2 * static_cast<size_t>(j)]);
      std::swap(impulse.y, sums[2 * static_cast<size_t>(j) + 1]);
    }
  }

  // The iterations that are left, when each is what it was `period` iterations ago.
  int32 finish(int32 period, int32 left) {
    // A round is computed to see what it adds: a sum that begins at -0 becomes just that.
    Sums sums{};
    exchange(sums);
    std::array<Sums, longest_period> added;
    for (int32 i = 0; i < period; ++i) {
      Sums zeros;
      zeros.fill(-0.0f);
      exchange(zeros);
      iterate();
      exchange(added[static_cast<size_t>(i)]);
    }
    add_up(sums, added, period, left);
    for (int32 i = 0; i < left % period; ++i) iterate();
    exchange(sums);
    return period + left % period;
  }

  void add_up(Sums& sums, const std::array<Sums, longest_period>& added, int32 period,
              int32 left) const {
    const size_t count = 2 * static_cast<size_t>(joints_);
    const auto add = [&](int32 iterations) {
      for (size_t i = 0; i < static_cast<size_t>(iterations); ++i) {
        for (size_t k = 0; k < count; ++k) sums[k] += added[i][k];
      }
    };
    for (int32 rounds = left / period; rounds > 0; --rounds) {
      const Sums before = sums;
      add(period);
      if (std::memcmp(before.data(), sums.data(), count * sizeof(float)) == 0) break;
    }
    add(left % period);
  }

  b2ContactSolver& contacts_;
  b2SolverData data_;
  int32 bodies_;
  int32 joints_;
  bool known_;
  std::array<b2RevoluteJoint*, most_joints> hinges_;
};

}  // namespace

int32 iterate_velocities(b2Island& island, b2ContactSolver& contacts, const b2TimeStep& step) {
  Iterations iterations(island, contacts, step);
  return iterations.known() ? iterations.run(step.velocityIterations) : 0;
}

}  // namespace box2d
