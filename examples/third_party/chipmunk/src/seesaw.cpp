// Seesaw: keep a ball on a plank by tilting it. The physics is Chipmunk2D's, a C library that is
// found on the machine and stays a dependency: nothing of it is copied here.
#include <chipmunk/chipmunk.h>

#include <cmath>
#include <memory>
#include <parallel_pool/env.hpp>

namespace {

// A C library's pairs of new and free, as owners: a reset that throws leaks nothing.
template <auto Free>
struct With {
  template <class T>
  void operator()(T* object) const {
    Free(object);
  }
};
using Space = std::unique_ptr<cpSpace, With<cpSpaceFree>>;
using Body = std::unique_ptr<cpBody, With<cpBodyFree>>;
using Shape = std::unique_ptr<cpShape, With<cpShapeFree>>;
using Constraint = std::unique_ptr<cpConstraint, With<cpConstraintFree>>;

// One world. Members are destroyed from the last to the first: what is in the space before the
// space.
class World {
 public:
  static constexpr double half_length = 1.0;  // the plank's, in m
  static constexpr double radius = 0.1;       // the ball's, in m

  World(double gravity, double friction, double ball_at) : space_(cpSpaceNew()) {
    cpSpaceSetGravity(space_.get(), cpv(0, -gravity));
    cpSpaceSetIterations(space_.get(), 20);

    plank_.reset(cpBodyNew(2.0, cpMomentForSegment(2.0, end(-1), end(1), thickness)));
    cpSpaceAddBody(space_.get(), plank_.get());
    pivot_.reset(cpPivotJointNew(plank_.get(), cpSpaceGetStaticBody(space_.get()), cpvzero));
    cpSpaceAddConstraint(space_.get(), pivot_.get());
    plank_shape_.reset(cpSegmentShapeNew(plank_.get(), end(-1), end(1), thickness));
    cpShapeSetFriction(plank_shape_.get(), friction);
    cpSpaceAddShape(space_.get(), plank_shape_.get());

    ball_.reset(cpBodyNew(0.5, cpMomentForCircle(0.5, 0, radius, cpvzero)));
    cpBodySetPosition(ball_.get(), cpv(ball_at, thickness + radius));
    cpSpaceAddBody(space_.get(), ball_.get());
    ball_shape_.reset(cpCircleShapeNew(ball_.get(), radius, cpvzero));
    cpShapeSetFriction(ball_shape_.get(), friction);
    cpSpaceAddShape(space_.get(), ball_shape_.get());
  }
  World(const World&) = delete;
  World& operator=(const World&) = delete;
  // Chipmunk wants everything out of a space before it is freed.
  ~World() {
    cpSpaceRemoveShape(space_.get(), ball_shape_.get());
    cpSpaceRemoveBody(space_.get(), ball_.get());
    cpSpaceRemoveShape(space_.get(), plank_shape_.get());
    cpSpaceRemoveConstraint(space_.get(), pivot_.get());
    cpSpaceRemoveBody(space_.get(), plank_.get());
  }

  void advance(double torque) {
    constexpr int substeps = 4;
    for (int i = 0; i < substeps; ++i) {
      cpBodySetTorque(plank_.get(), torque);  // Chipmunk forgets forces after each step
      cpSpaceStep(space_.get(), 0.02 / substeps);
    }
  }
  double angle() const { return cpBodyGetAngle(plank_.get()); }
  double turning() const { return cpBodyGetAngularVelocity(plank_.get()); }
  cpVect ball() const { return cpBodyGetPosition(ball_.get()); }
  cpVect rolling() const { return cpBodyGetVelocity(ball_.get()); }

 private:
  static constexpr double thickness = 0.05;
  static cpVect end(int side) { return cpv(side * half_length, 0); }

  Space space_;
  Body plank_;
  Constraint pivot_;
  Shape plank_shape_;
  Body ball_;
  Shape ball_shape_;
};

struct Balance {
  static constexpr const char* id = "seesaw/Balance-v0";
  static constexpr const char* summary = "Keep a ball on a plank by tilting it";
  static constexpr int64_t max_episode_steps = 500;
  struct Options {
    double gravity;
    double friction;
    double max_torque;
    static constexpr auto declared = pp::options(
        pp::option(&Options::gravity, "gravity", 9.81, "m/s^2", pp::Range{0.5, 50}),
        pp::option(&Options::friction, "friction", 0.8, "of ball and plank", pp::Range{0, 2}),
        pp::option(&Options::max_torque, "max_torque", 20.0, "N m, what an action of 1 means",
                   pp::Range{0, 100}));
  };
  // Angle and angular velocity of the plank, position and velocity of the ball (x, y).
  using Obs = pp::Box<double, 6>;
  using Action = pp::Box<float, 1>;

  explicit Balance(const Options& options)
      : gravity_(options.gravity), friction_(options.friction), max_torque_(options.max_torque) {}

  static void describe(pp::Spec& spec, const Options&) { spec.action().bounds(-1, 1); }

  // A new world for each episode: Chipmunk keeps contacts and impulses of the one before, and an
  // episode must not depend on the episode before it.
  void reset(pp::Rng& rng, Obs::Ref obs) {
    world_ = std::make_unique<World>(gravity_, friction_, rng.uniform(-0.3, 0.3));
    observe(obs);
  }

  pp::Outcome step(Action::Value action, Obs::Ref obs) {
    world_->advance(static_cast<double>(action[0]) * max_torque_);
    observe(obs);
    const cpVect ball = world_->ball();
    const bool lost = std::abs(ball.x) > World::half_length || std::abs(world_->angle()) > 1.0;
    return {lost ? 0.0 : 1.0, lost};
  }

 private:
  void observe(Obs::Ref obs) const {
    const cpVect ball = world_->ball();
    const cpVect rolling = world_->rolling();
    double* out = obs.data();
    for (const double value :
         {world_->angle(), world_->turning(), ball.x, ball.y, rolling.x, rolling.y}) {
      *out++ = value;
    }
  }

  double gravity_, friction_, max_torque_;
  std::unique_ptr<World> world_;
};

}  // namespace

PP_PLUGIN("seesaw", pp::scalar<Balance>());
