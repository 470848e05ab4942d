// The velocity iterations of one island in one step.
//
// Gymnasium asks for 180 iterations. In many steps the velocities come back much earlier, to the
// last bit, to those of an iteration before, mostly of the one before. From there on iterations
// repeat themselves, but for the sums of impulses that joints keep. It is then enough to add these
// up, for as long as they have no influence on velocities.
#ifndef PARALLEL_POOL_BOX2D_ENGINE_ISLAND_ITERATIONS_HPP_
#define PARALLEL_POOL_BOX2D_ENGINE_ISLAND_ITERATIONS_HPP_

#include <Box2D/Box2D.h>
#include <Box2D/Dynamics/Contacts/b2ContactSolver.h>
#include <Box2D/Dynamics/b2Island.h>

#include <algorithm>
#include <array>
#include <cstring>

#include "engine/pivot.hpp"
#include "engine/repeats.hpp"

namespace box2d {
namespace {  // Pivot is in such a namespace too

constexpr size_t most_words = 192;
constexpr size_t most_pivots = 8;
constexpr int32 longest_period = 64;
constexpr size_t most_snapshot_words = 4096;

class IslandIterations {
 public:
  IslandIterations(b2Island& island, b2ContactSolver& contacts, const b2TimeStep& step)
      : contacts_(contacts),
        velocities_(island.m_velocities),
        bodies_(static_cast<size_t>(island.m_bodyCount)),
        pivot_count_(static_cast<size_t>(island.m_jointCount)) {
    words_ = 3 * bodies_;
    for (int32 i = 0; i < contacts_.m_count; ++i) {
      words_ += 2 * static_cast<size_t>(contacts_.m_velocityConstraints[i].pointCount);
    }
    known_ = words_ <= most_words && pivot_count_ <= most_pivots;
    for (size_t i = 0; known_ && i < pivot_count_; ++i) {
      known_ = island.m_joints[i]->GetType() == e_revoluteJoint;
      if (known_) pivots_[i] = Pivot(static_cast<b2RevoluteJoint&>(*island.m_joints[i]), step.dt);
    }
  }

  bool known() const { return known_; }

  // Reports of each repeat its period, and how many iterations did not have to be computed.
  template <class Report>
  void run(int32 count, Report report) {
    // Two joints that hold three bodies together are between different ones.
    const bool pair = bodies_ == 3 && pivot_count_ == 2 && contacts_.m_count == 0 &&
                      pivots_[0].a() == pivots_[1].a();
    for (int32 done = 0; done < count;) {
      const int32 period = pair ? search_pair(done, count) : search(done, count);
      if (period > 0) report(period, repeat(period, done, count));
    }
    for (size_t i = 0; i < pivot_count_; ++i) pivots_[i].store();
  }

 private:
  struct Round {
    std::array<Pivot::Change, most_pivots> changes;
  };

  // Iterates until a repeat that is worth it is found, and gives its period; else 0.
  int32 search(int32& done, int32 count) {
    Repeats<most_words> repeats(words_);
    while (done < count) {
      iterate([](size_t, const Pivot::Change&) {});
      ++done;
      read(repeats.next().data());
      const int32 period = repeats.period();
      if (worth(period, count - done)) return period;
    }
    return 0;
  }

  // Searches for two pivots at one body, whose velocities stay in registers.
  int32 search_pair(int32& done, int32 count) {
    Pivot& first = pivots_[0];
    Pivot& second = pivots_[1];
    b2Velocity middle = velocities_[first.a()];
    b2Velocity left = velocities_[first.b()];
    b2Velocity right = velocities_[second.b()];
    Repeats<9> repeats(9);
    int32 found = 0;
    while (done < count && found == 0) {
      first.apply(middle, left);
      second.apply(middle, right);
      ++done;
      // The numbers that change most are compared first.
      const float all[] = {right.w,  left.w,   middle.w,   right.v.x, right.v.y,
                           left.v.x, left.v.y, middle.v.x, middle.v.y};
      std::memcpy(repeats.next().data(), all, sizeof(all));
      const int32 period = repeats.period();
      if (worth(period, count - done)) found = period;
    }
    velocities_[first.a()] = middle;
    velocities_[first.b()] = left;
    velocities_[second.b()] = right;
    return found;
  }

  bool worth(int32 period, int32 left) const {
    return period > 0 && 2 * period < left && period <= longest_period &&
           static_cast<size_t>(period) * words_ <= most_snapshot_words;
  }

  template <class Record>
  void iterate(Record record) {
    for (size_t i = 0; i < pivot_count_; ++i) {
      pivots_[i].apply(velocities_[pivots_[i].a()], velocities_[pivots_[i].b()],
                       [&](const Pivot::Change& change) { record(i, change); });
    }
    contacts_.SolveVelocityConstraints();
  }

  // Calls `exchange` with each number that an iteration changes, but for the sums of pivots.
  template <class Exchange>
  void each_number(Exchange exchange) const {
    for (size_t i = 0; i < bodies_; ++i) {
      exchange(velocities_[i].w);
      exchange(velocities_[i].v.x);
      exchange(velocities_[i].v.y);
    }
    for (int32 i = 0; i < contacts_.m_count; ++i) {
      b2ContactVelocityConstraint& contact = contacts_.m_velocityConstraints[i];
      for (int32 j = 0; j < contact.pointCount; ++j) {
        exchange(contact.points[j].normalImpulse);
        exchange(contact.points[j].tangentImpulse);
      }
    }
  }
  void read(uint32_t* out) const {
    each_number([&](const float& number) { std::memcpy(out++, &number, sizeof(number)); });
  }
  void write(const uint32_t* in) const {
    each_number([&](float& number) { std::memcpy(&number, in++, sizeof(number)); });
  }

  // Goes on as far as iterations repeat those of `period` iterations ago, and gives the number of
  // those that it did not have to compute.
  int32 repeat(int32 period, int32& done, int32 count) {
    std::array<uint32_t, most_snapshot_words> snapshots;
    std::array<Round, longest_period> rounds;
    const auto snapshot = [&](int32 at) { return &snapshots[static_cast<size_t>(at) * words_]; };
    std::array<float, most_pivots> motors;
    std::array<float, most_pivots> limits;
    for (size_t k = 0; k < pivot_count_; ++k) {
      motors[k] = pivots_[k].motor_sum();
      limits[k] = pivots_[k].limit_sum();
    }
    for (int32 i = 0; i < period; ++i) {
      read(snapshot(i));
      iterate([&](size_t k, const Pivot::Change& change) {
        rounds[static_cast<size_t>(i)].changes[k] = change;
      });
      ++done;
    }
    std::array<uint32_t, most_words> now;
    read(now.data());
    if (std::memcmp(now.data(), snapshot(0), words_ * sizeof(uint32_t)) != 0) return 0;

    bool settled = true;
    for (size_t k = 0; k < pivot_count_; ++k) settled &= pivots_[k].same_sums(motors[k], limits[k]);
    const int32 left = count - done;
    int32 followed = settled ? left - left % period : 0;
    if (settled) add_up(rounds, period, left / period);
    while (followed < left && predict(rounds[static_cast<size_t>(followed % period)])) ++followed;
    done += followed;
    write(snapshot(followed % period));
    return followed;
  }

  bool predict(const Round& round) {
    for (size_t k = 0; k < pivot_count_; ++k) {
      if (!pivots_[k].predict(round.changes[k])) return false;
    }
    for (size_t k = 0; k < pivot_count_; ++k) pivots_[k].follow(round.changes[k]);
    return true;
  }

  // So many whole rounds, in which nothing changes but sums that nothing reads. Two pivots at a
  // time, as each addition waits for the one before.
  void add_up(const std::array<Round, longest_period>& rounds, int32 period, int32 times) {
    for (size_t k = 0; k < pivot_count_; k += 2) {
      const size_t other = std::min(k + 1, pivot_count_ - 1);
      b2Vec2 one(pivots_[k].sum_x(), pivots_[k].sum_y());
      b2Vec2 two(pivots_[other].sum_x(), pivots_[other].sum_y());
      const auto add = [&](const Pivot::Change& to_one, const Pivot::Change& to_two) {
        one.x += to_one.x;
        one.y += to_one.y;
        two.x += to_two.x;
        two.y += to_two.y;
      };
      const Pivot::Change last_one = rounds[static_cast<size_t>(period - 1)].changes[k];
      const Pivot::Change last_two = rounds[static_cast<size_t>(period - 1)].changes[other];
      for (int32 i = 0; i < times; ++i) {
        for (int32 j = 1; j < period; ++j) {
          const auto& changes = rounds[static_cast<size_t>(j - 1)].changes;
          add(changes[k], changes[other]);
        }
        add(last_one, last_two);
      }
      pivots_[k].sum_x() = one.x;
      pivots_[k].sum_y() = one.y;
      pivots_[other].sum_x() = two.x;
      pivots_[other].sum_y() = two.y;
    }
  }

  b2ContactSolver& contacts_;
  b2Velocity* velocities_;
  size_t bodies_;
  size_t pivot_count_;
  size_t words_;
  bool known_;
  std::array<Pivot, most_pivots> pivots_;
};

}  // namespace
}  // namespace box2d

#endif
