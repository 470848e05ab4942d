// A revolute joint during the velocity iterations of a step.
#ifndef PARALLEL_POOL_BOX2D_ENGINE_PIVOT_HPP_
#define PARALLEL_POOL_BOX2D_ENGINE_PIVOT_HPP_

#include <Box2D/Box2D.h>

#include <cstdint>
#include <cstring>

#include "engine/private_members.hpp"

namespace box2d {

inline bool same_bits(float a, float b) {
  uint32_t bits[2];
  std::memcpy(&bits[0], &a, sizeof(a));
  std::memcpy(&bits[1], &b, sizeof(b));
  return bits[0] == bits[1];
}

namespace {

OPEN(Impulse, b2RevoluteJoint, m_impulse, b2Vec3);
OPEN(MotorImpulse, b2RevoluteJoint, m_motorImpulse, float32);
OPEN(MotorMass, b2RevoluteJoint, m_motorMass, float32);
OPEN(LimitState, b2RevoluteJoint, m_limitState, b2LimitState);
OPEN(IndexA, b2RevoluteJoint, m_indexA, int32);
OPEN(IndexB, b2RevoluteJoint, m_indexB, int32);
OPEN(ArmA, b2RevoluteJoint, m_rA, b2Vec2);
OPEN(ArmB, b2RevoluteJoint, m_rB, b2Vec2);
OPEN(InverseMassA, b2RevoluteJoint, m_invMassA, float32);
OPEN(InverseMassB, b2RevoluteJoint, m_invMassB, float32);
OPEN(InverseInertiaA, b2RevoluteJoint, m_invIA, float32);
OPEN(InverseInertiaB, b2RevoluteJoint, m_invIB, float32);
OPEN(Mass, b2RevoluteJoint, m_mass, b2Mat33);

// Computes what Box2D's SolveVelocityConstraints does, in the order in which it rounds. All that
// Box2D finds out anew in each iteration is found out once here.
class Pivot {
 public:
  // The change that an iteration made. It makes the same again to bodies of the same velocities, as
  // long as `predict` says so.
  struct Change {
    float wanted;  // impulse of the motor, before it is bounded
    float turn;    // impulse of the motor
    float x;
    float y;
    float z;      // impulse of the limit, before it is bounded
    float held;   // sum of the limit's impulses before
    bool let_go;  // the limit would have pulled
  };

  Pivot() = default;

  Pivot(b2RevoluteJoint& joint, float dt)
      : joint_(&joint),
        a_(joint.*get(IndexA{})),
        b_(joint.*get(IndexB{})),
        limit_(joint.*get(LimitState{})),
        arm_a_(joint.*get(ArmA{})),
        arm_b_(joint.*get(ArmB{})),
        mass_a_(joint.*get(InverseMassA{})),
        mass_b_(joint.*get(InverseMassB{})),
        inertia_a_(joint.*get(InverseInertiaA{})),
        inertia_b_(joint.*get(InverseInertiaB{})),
        k_(joint.*get(Mass{})),
        sum_(joint.*get(Impulse{})),
        motor_sum_(joint.*get(MotorImpulse{})) {
    turns_ = joint.IsMotorEnabled() && limit_ != e_equalLimits && inertia_a_ + inertia_b_ != 0;
    motor_mass_ = -(joint.*get(MotorMass{}));
    motor_speed_ = joint.GetMotorSpeed();
    motor_bound_ = dt * joint.GetMaxMotorTorque();
    inverse22_ = inverse(k_.ex.x * k_.ey.y - k_.ey.x * k_.ex.y);
    minus_k11_ = -k_.ex.x;
    minus_k12_ = -k_.ey.x;
    minus_k22_ = -k_.ey.y;
    if (limit_ == e_inactiveLimit) return;
    across_ = b2Cross(k_.ey, k_.ez);
    inverse33_ = -inverse(b2Dot(k_.ex, across_));
  }

  int32 a() const { return a_; }
  int32 b() const { return b_; }
  float& sum_x() { return sum_.x; }
  float& sum_y() { return sum_.y; }

  // With a record of the change, if it is wanted.
  template <class Record>
  void apply(b2Velocity& of_a, b2Velocity& of_b, Record record) {
    // Copies, which no store into `this` can change.
    b2Velocity a = of_a;
    b2Velocity b = of_b;
    Change change{};
    if (turns_) turn(a, b, change);
    const b2Vec2 gap((b.v.x - b.w * arm_b_.y) - a.v.x + a.w * arm_a_.y,
                     (b.v.y + b.w * arm_b_.x) - a.v.y - a.w * arm_a_.x);
    if (limit_ == e_inactiveLimit) {
      // Box2D negates the gap: to negate what it is multiplied with comes to the same.
      change.x = inverse22_ * (minus_k22_ * gap.x - minus_k12_ * gap.y);
      change.y = inverse22_ * (minus_k11_ * gap.y - minus_k12_ * gap.x);
      a.w -= inertia_a_ * (arm_a_.x * change.y - arm_a_.y * change.x);
      b.w += inertia_b_ * (arm_b_.x * change.y - arm_b_.y * change.x);
    } else {
      const float z = hold(gap, b.w - a.w, change);
      a.w -= inertia_a_ * ((arm_a_.x * change.y - arm_a_.y * change.x) + z);
      b.w += inertia_b_ * ((arm_b_.x * change.y - arm_b_.y * change.x) + z);
    }
    a.v.x -= mass_a_ * change.x;
    a.v.y -= mass_a_ * change.y;
    b.v.x += mass_b_ * change.x;
    b.v.y += mass_b_ * change.y;
    sum_.x += change.x;
    sum_.y += change.y;
    of_a = a;
    of_b = b;
    record(change);
  }
  void apply(b2Velocity& a, b2Velocity& b) {
    apply(a, b, [](const Change&) {});
  }

  // Returns true if an iteration that finds the velocities of that change would make the same
  // change. If all pivots agree, `follow` changes it.
  bool predict(const Change& change) {
    next_motor_sum_ = motor_sum_;
    if (turns_) {
      next_motor_sum_ = bounded(motor_sum_ + change.wanted);
      if (!same_bits(next_motor_sum_ - motor_sum_, change.turn)) return false;
    }
    next_z_ = sum_.z;
    if (limit_ == e_inactiveLimit) return true;
    next_z_ = sum_.z + change.z;
    if (pulls(next_z_) != change.let_go) return false;
    if (!change.let_go) return true;
    next_z_ = 0;
    return same_bits(sum_.z, change.held);
  }

  void follow(const Change& change) {
    sum_.x += change.x;
    sum_.y += change.y;
    sum_.z = next_z_;
    motor_sum_ = next_motor_sum_;
  }

  // Both are what iterations read besides velocities.
  bool same_sums(float motor, float z) const {
    return same_bits(motor_sum_, motor) && same_bits(sum_.z, z);
  }
  float motor_sum() const { return motor_sum_; }
  float limit_sum() const { return sum_.z; }

  void store() const {
    (*joint_).*get(Impulse{}) = sum_;
    (*joint_).*get(MotorImpulse{}) = motor_sum_;
  }

 private:
  static float inverse(float determinant) {
    return determinant != 0 ? 1 / determinant : determinant;
  }

  float bounded(float impulse) const {
    const float above = impulse < motor_bound_ ? impulse : motor_bound_;
    return -motor_bound_ > above ? -motor_bound_ : above;
  }

  // Returns true if the motor has been at its bound before, too.
  bool stays_at_bound(float impulse) const {
    return motor_bound_ > 0 && ((motor_sum_ == motor_bound_ && impulse >= motor_bound_) ||
                                (motor_sum_ == -motor_bound_ && impulse <= -motor_bound_));
  }

  bool pulls(float z) const {
    return limit_ == e_atLowerLimit ? z < 0 : limit_ == e_atUpperLimit && z > 0;
  }

  void turn(b2Velocity& a, b2Velocity& b, Change& change) {
    change.wanted = motor_mass_ * (b.w - a.w - motor_speed_);
    float sum = motor_sum_ + change.wanted;
    // Branches, which processors predict: they go on before the impulse is known.
    if (!(-motor_bound_ <= sum && sum < motor_bound_)) {
      if (stays_at_bound(sum)) {
        change.turn = 0;
        b.w += 0.0f;  // makes -0 to 0, as the sum with no impulse does
        return;
      }
      sum = bounded(sum);
    }
    change.turn = sum - motor_sum_;
    motor_sum_ = sum;
    a.w -= inertia_a_ * change.turn;
    b.w += inertia_b_ * change.turn;
  }

  // The impulse of the limit; that of the pivot is in the change.
  float hold(const b2Vec2& gap, float speed, Change& change) {
    const b2Vec3 ex = k_.ex;
    const b2Vec3 ey = k_.ey;
    const b2Vec3 ez = k_.ez;
    const float z =
        inverse33_ * (ex.x * (ey.y * speed - ey.z * gap.y) + ex.y * (ey.z * gap.x - ey.x * speed) +
                      ex.z * (ey.x * gap.y - ey.y * gap.x));
    const float sum = sum_.z + z;
    change.z = z;
    change.held = sum_.z;
    change.let_go = pulls(sum);
    if (!change.let_go) {
      change.x = inverse33_ * (gap.x * across_.x + gap.y * across_.y + speed * across_.z);
      change.y = inverse33_ *
                 (ex.x * (gap.y * ez.z - speed * ez.y) + ex.y * (speed * ez.x - gap.x * ez.z) +
                  ex.z * (gap.x * ez.y - gap.y * ez.x));
      sum_.z = sum;
      return z;
    }
    const b2Vec2 right(-gap.x + sum_.z * k_.ez.x, -gap.y + sum_.z * k_.ez.y);
    change.x = inverse22_ * (k_.ey.y * right.x - k_.ey.x * right.y);
    change.y = inverse22_ * (k_.ex.x * right.y - k_.ex.y * right.x);
    const float back = -sum_.z;
    sum_.z = 0;
    return back;
  }

  b2RevoluteJoint* joint_;
  int32 a_;
  int32 b_;
  b2LimitState limit_;
  bool turns_;
  b2Vec2 arm_a_;
  b2Vec2 arm_b_;
  float mass_a_;
  float mass_b_;
  float inertia_a_;
  float inertia_b_;
  float motor_mass_;  // negative, as are impulses against a speed
  float motor_speed_;
  float motor_bound_;
  b2Mat33 k_;
  b2Vec3 across_;
  float minus_k11_;
  float minus_k12_;
  float minus_k22_;
  float inverse22_;
  float inverse33_;  // negative
  b2Vec3 sum_;
  float motor_sum_;
  float next_z_;
  float next_motor_sum_;
};

}  // namespace
}  // namespace box2d

#endif
