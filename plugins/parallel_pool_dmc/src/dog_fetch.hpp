// Dog fetch: catch a ball and bring it to a target, with a dog. As dm_control's suite.dog has it.
#ifndef PARALLEL_POOL_DMC_DOG_FETCH_HPP_
#define PARALLEL_POOL_DMC_DOG_FETCH_HPP_

#include <cmath>

#include "dog.hpp"
#include "environment.hpp"
#include "tolerance.hpp"

namespace suite {

class DogFetch {
 public:
  static constexpr const char* id = "dmc/dog_fetch-v1";
  static constexpr const char* summary = "Bring a ball to a target, with a dog";
  using Options = SuiteOptions;
  static Entries observed(const Options&, const Model& model) {
    Entries entries = DogBody::observed(model);
    entries.push_back({"ball_state", {6}});
    entries.push_back({"target_position", {3}});
    return entries;
  }

  DogFetch(const Options&, Physics& physics)
      : physics_(physics),
        body_(physics),
        ball_position_(physics.joint_qpos("ball_root")),
        ball_velocity_(physics.joint_qvel("ball_root")),
        ball_(physics.geom_xpos("ball")),
        target_(physics.geom_xpos("target")),
        head_(physics.site_xpos("head")),
        head_frame_(physics.data<double>("mjData.site_xmat") + 9 * physics.site("head")),
        upper_bite_(physics.site_xpos("upper_bite")),
        lower_bite_(physics.site_xpos("lower_bite")),
        floor_size_(physics.geom_size("floor")[0]),
        target_radius_(physics.geom_size("target")[0]),
        bite_radius_(physics.site_size("upper_bite")[0]),
        gravity_(-(&physics.model.at<double>("mjModel.opt.gravity"))[2]),
        object_velocity_(physics.model.engine.function<ObjectVelocity>("mj_objectVelocity")),
        kind_geom_(static_cast<int>(physics.model.engine.constant("mjOBJ_GEOM"))),
        kind_site_(static_cast<int>(physics.model.engine.constant("mjOBJ_SITE"))),
        ball_geom_(static_cast<int>(physics.geom("ball"))),
        head_site_(static_cast<int>(physics.site("head"))) {}

  // Throws the ball roughly towards the middle.
  void initialize_episode(RandomState& random) {
    body_.initialize_episode(random);
    const double radius = 0.75 * floor_size_;
    const double azimuth = random.uniform(0, 2 * pi);
    const double sine = NumpyMath::sin(azimuth);
    const double cosine = NumpyMath::cos(azimuth);
    ball_position_[0] = radius * sine;
    ball_position_[1] = radius * cosine;
    ball_position_[2] = 0.05;
    const double peak = random.uniform(0, 3);
    const double speed = random.uniform(0, 5);
    const double x = -sine + 0.05 * random.randn();
    const double y = -cosine + 0.05 * random.randn();
    ball_velocity_[0] = speed * x;
    ball_velocity_[1] = speed * y;
    ball_velocity_[2] = std::sqrt(2 * gravity_ * peak);
  }

  void observe(ObservationWriter& out) const {
    body_.observe(out);
    double head[6], ball[6];  // rotation, then velocity
    object_velocity_(physics_.model.raw, physics_.simulation.raw, kind_site_, head_site_, head, 0);
    object_velocity_(physics_.model.raw, physics_.simulation.raw, kind_geom_, ball_geom_, ball, 0);
    double velocity[3];
    for (size_t axis = 0; axis < 3; ++axis) {
      velocity[axis] = ball[3 + axis] - head[3 + axis];
    }
    double* const state = out.next();
    physics_.in_frame(ball_, head_, head_frame_, state);
    NumpyMath::product(velocity, head_frame_, 3, 3, state + 3);
    physics_.in_frame(target_, head_, head_frame_, out.next());
  }

  double reward() const {
    const double to_mouth =
        0.5 * (physics_.distance(ball_, upper_bite_, 3) + physics_.distance(ball_, lower_bite_, 3));
    const double to_target = physics_.distance(ball_, target_, 3);
    double reach = (6 * tolerance(to_mouth, {0, bite_radius_}, 2, Sigmoid::reciprocal) + 1) / 7;
    const double near = tolerance(to_target, {0, target_radius_}, floor_size_, Sigmoid::reciprocal);
    if (to_target < 2 * target_radius_) reach = 1;  // here the dog may let go of the ball
    return body_.standing() * reach * ((near + 1) / 2);
  }

  void save(StateWriter& out) const { body_.save(out); }
  void load(StateReader& in) { body_.load(in); }

 private:
  using ObjectVelocity = void(const RawModel*, const RawData*, int kind, int number, double* out,
                              int local);

  Physics& physics_;
  DogBody body_;
  double* const ball_position_;
  double* const ball_velocity_;
  const double* const ball_;
  const double* const target_;
  const double* const head_;
  const double* const head_frame_;
  const double* const upper_bite_;
  const double* const lower_bite_;
  const double floor_size_;
  const double target_radius_;
  const double bite_radius_;
  const double gravity_;
  ObjectVelocity* const object_velocity_;
  const int kind_geom_, kind_site_;
  const int ball_geom_, head_site_;
};

}  // namespace suite
#endif  // PARALLEL_POOL_DMC_DOG_FETCH_HPP_
