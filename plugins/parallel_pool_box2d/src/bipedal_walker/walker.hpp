// BipedalWalker-v3 and BipedalWalkerHardcore-v3, equal to those of Gymnasium 1.4
// (gymnasium/envs/box2d/bipedal_walker.py, by Oleg Klimov) in every bit. As there, one world serves
// all episodes: see engine/world_memory.hpp.
//
// A state is what the empty world remembered when the episode began, the generator of then and the
// actions: it is restored by playing the episode again, and copied within a process.
#ifndef PARALLEL_POOL_BOX2D_BIPEDAL_WALKER_WALKER_HPP_
#define PARALLEL_POOL_BOX2D_BIPEDAL_WALKER_WALKER_HPP_

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <parallel_pool/env.hpp>
#include <stdexcept>
#include <utility>
#include <vector>

#include "bipedal_walker/scene.hpp"
#include "bipedal_walker/terrain.hpp"
#include "engine/bodies.hpp"
#include "engine/world_copy.hpp"
#include "engine/world_memory.hpp"

namespace box2d::walker {

constexpr double fps = 50;
constexpr double gravity = -10;
constexpr double lidar_range = 160 / scale;
constexpr double leg_down = -8 / scale;
constexpr double leg_width = 8 / scale;
constexpr double leg_height = 34 / scale;
constexpr double motor_torque = 80;
constexpr Filter only_ground{0x0020, 0x0001};

struct Options {
  bool hardcore;
  static constexpr auto declared = pp::options(
      pp::option(&Options::hardcore, "hardcore", false, "stumps, stairs and pits are in the way"));
};

class Walker : b2ContactListener {
 public:
  static constexpr const char* id = "box2d/BipedalWalker-v3";
  static constexpr const char* summary = "Walk over uneven ground on two legs";
  static constexpr double reward_threshold = 300;
  using Options = walker::Options;
  using Obs = pp::Box<float, 24>;
  using Action = pp::Box<float, 4>;

  static void describe(pp::Spec& spec, const Options& options) {
    const double pi = static_cast<float>(3.141592653589793);
    std::vector<double> low = {-pi, -5, -5, -5, -pi, -5, -pi, -5, 0, -pi, -5, -pi, -5, 0};
    std::vector<double> high = {pi, 5, 5, 5, pi, 5, pi, 5, 5, pi, 5, pi, 5, 5};
    low.resize(24, -1);
    high.resize(24, 1);
    spec.obs().bounds(low, high);
    spec.action().bounds(-1, 1);
    spec.max_episode_steps = options.hardcore ? 2000 : 1600;
  }

  explicit Walker(const Options& options) : options_(options), world_(make_world(gravity)) {
    played_.reserve(2000 * std::tuple_size_v<Command>);
  }
  Walker(const Walker&) = delete;
  ~Walker() override = default;

  void reset(pp::Rng& rng, Obs::Ref obs) {
    clear();
    memory_ = WorldMemory::of(*world_);
    beginning_ = rng;
    played_.clear();
    begin(rng);
    advance_by(Command{}, obs);
  }
  pp::Outcome step(Action::Value action, Obs::Ref obs) {
    Command command;
    std::copy(action.begin(), action.end(), command.begin());
    played_.insert(played_.end(), command.begin(), command.end());
    return advance_by(command, obs);
  }

  pp::FrameSize frame_size() const { return {scene_height, scene_width}; }
  void draw(uint8_t* rgb) const {
    const size_t step = played_.size() / std::tuple_size_v<Command>;
    Scene{terrain_, terrain_bodies_, legs_, hull_, rays_, step}.draw(rgb);
  }

  void save(pp::StateWriter& out) const {
    out(beginning_, memory_.free_nodes, memory_.inverse_dt, played_);
  }
  // The saved generator is the one that the episode began with, and steps draw nothing.
  void reseed(uint64_t) {}
  void load(pp::StateReader& in) {
    WorldMemory memory;
    std::vector<float> played;
    pp::Rng rng;
    in(rng, memory.free_nodes, memory.inverse_dt, played);
    check(memory, played);
    auto world = make_world(gravity);
    memory.restore(*world);
    forget();
    world_ = std::move(world);
    beginning_ = rng;
    memory_ = std::move(memory);
    played_ = std::move(played);
    play_again(rng);
  }
  void copy_from(const Walker& other) {
    WorldCopy copy(*other.world_, std::move(world_));
    world_ = copy.take();
    world_->SetContactListener(this);
    terrain_ = other.terrain_;
    terrain_bodies_ = copy.each_of(other.terrain_bodies_);
    hull_ = copy.of(other.hull_);
    legs_ = copy.each_of(other.legs_);
    joints_ = copy.each_of(other.joints_);
    touches_ = other.touches_;
    rays_ = other.rays_;
    fell_ = other.fell_;
    has_shaping_ = other.has_shaping_;
    shaping_ = other.shaping_;
    beginning_ = other.beginning_;
    memory_ = other.memory_;
    played_ = other.played_;
  }

 private:
  using Command = std::array<float, 4>;

  static void check(const WorldMemory& memory, const std::vector<float>& played) {
    if (played.size() % std::tuple_size_v<Command> != 0)
      throw std::invalid_argument("a part of an action");
    if (!std::all_of(played.begin(), played.end(),
                     [](float each) { return std::isfinite(each); })) {
      throw std::invalid_argument("an action that is no number");
    }
    if (!(memory.inverse_dt >= 0 && memory.inverse_dt <= 51)) {
      throw std::invalid_argument("a step of another length");
    }
  }
  void play_again(pp::Rng rng) {
    std::array<float, 24> unseen{};
    begin(rng);
    advance_by(Command{}, unseen);
    for (size_t i = 0; i < played_.size(); i += 4) {
      advance_by({played_[i], played_[i + 1], played_[i + 2], played_[i + 3]}, unseen);
    }
  }

  void BeginContact(b2Contact* contact) override {
    if (contact->GetFixtureA()->GetBody() == hull_ || contact->GetFixtureB()->GetBody() == hull_) {
      fell_ = true;
    }
    note_legs(*contact, true);
  }
  void EndContact(b2Contact* contact) override { note_legs(*contact, false); }
  void note_legs(b2Contact& contact, bool touches) {
    for (const size_t k : {1, 3}) {
      if (contact.GetFixtureA()->GetBody() == legs_[k] ||
          contact.GetFixtureB()->GetBody() == legs_[k]) {
        touches_[k] = touches;
      }
    }
  }

  void clear() {
    if (world_ == nullptr) {  // thrown away
      world_ = make_world(gravity);
      forget();
    }
    world_->SetContactListener(nullptr);
    for (b2Body* each : terrain_bodies_) world_->DestroyBody(each);
    if (hull_ != nullptr) world_->DestroyBody(hull_);
    for (b2Body* each : legs_) {
      if (each != nullptr) world_->DestroyBody(each);
    }
    forget();
  }
  // Forgets what was built, which is gone, or goes with its world.
  void forget() {
    terrain_bodies_.clear();
    hull_ = nullptr;
    legs_ = {};
    joints_ = {};
  }

  void begin(pp::Rng& rng) {
    fell_ = false;
    touches_ = {};
    has_shaping_ = false;
    terrain_.generate(rng, options_.hardcore);
    work_in(world_, [&](b2World& world) { build(world, rng); });
  }

  void build(b2World& world, pp::Rng& rng) {
    world.SetContactListener(this);
    terrain_.build(world, terrain_bodies_);
    const double x = terrain_step * start_pad / 2;
    const double y = ground_level + 2 * leg_height;
    hull_ = add_body(world, b2_dynamicBody, {x, y});
    add_fixture(*hull_,
                polygon({{-30 / scale, 9 / scale},
                         {6 / scale, 9 / scale},
                         {34 / scale, 1 / scale},
                         {34 / scale, -8 / scale},
                         {-30 / scale, -8 / scale}}),
                {5.0, 0.1}, only_ground);
    hull_->ApplyForceToCenter(vec(rng.uniform(-5, 5), 0), true);
    add_leg(0, -1, x, y);
    add_leg(2, 1, x, y);
  }

  // An upper and a lower leg, and hip and knee.
  void add_leg(size_t k, int side, double x, double y) {
    legs_[k] = add_body(*world_, b2_dynamicBody, {x, y - leg_height / 2 - leg_down}, side * 0.05);
    add_fixture(*legs_[k], box(leg_width / 2, leg_height / 2), {1.0, 0.2}, only_ground);
    const Point top{0, leg_height / 2};
    joints_[k] =
        add_hinge(*world_, *hull_, *legs_[k],
                  {{0, leg_down}, top, motor_torque, static_cast<double>(side), -0.8, 1.1});
    legs_[k + 1] =
        add_body(*world_, b2_dynamicBody, {x, y - leg_height * 3 / 2 - leg_down}, side * 0.05);
    add_fixture(*legs_[k + 1], box(0.8 * leg_width / 2, leg_height / 2), {1.0, 0.2}, only_ground);
    joints_[k + 1] = add_hinge(*world_, *legs_[k], *legs_[k + 1],
                               {{0, -leg_height / 2}, top, motor_torque, 1, -1.6, -0.1});
  }

  struct Ray : b2RayCastCallback {
    float fraction = 1;
    b2Vec2 end{0, 0};
    float32 ReportFixture(b2Fixture* fixture, const b2Vec2& point, const b2Vec2&,
                          float32 at) override {
      if ((fixture->GetFilterData().categoryBits & 1) == 0) return -1;
      fraction = at;
      end = point;
      return at;
    }
  };

  template <class Row>
  void look(Row&& lidar) {
    const b2Vec2 from = hull_->GetPosition();
    for (int i = 0; i < 10; ++i) {
      Ray ray;
      const double x = static_cast<double>(from.x) + std::sin(1.5 * i / 10.0) * lidar_range;
      const double y = static_cast<double>(from.y) - std::cos(1.5 * i / 10.0) * lidar_range;
      world_->RayCast(&ray, from, vec(x, y));
      lidar[i] = ray.fraction;
      rays_[static_cast<size_t>(i)] =
          ray.fraction < 1 ? Point{static_cast<double>(ray.end.x), static_cast<double>(ray.end.y)}
                           : Point{x, y};
    }
  }

  template <class Row>
  pp::Outcome advance_by(const Command& command, Row&& obs) {
    for (size_t k = 0; k < 4; ++k) {
      const float a = command[k];
      joints_[k]->SetMotorSpeed((k % 2 == 0 ? 4.0f : 6.0f) * sign(a));
      joints_[k]->SetMaxMotorTorque(static_cast<float>(motor_torque) * std::min(std::abs(a), 1.0f));
    }
    advance(world_);

    const double x = hull_->GetPosition().x;
    const b2Vec2 velocity = hull_->GetLinearVelocity();
    const double state[14] = {
        hull_->GetAngle(),
        2.0 * hull_->GetAngularVelocity() / fps,
        0.3 * velocity.x * (600 / scale) / fps,
        0.3 * velocity.y * (400 / scale) / fps,
        joints_[0]->GetJointAngle(),
        static_cast<double>(joints_[0]->GetJointSpeed()) / 4,
        static_cast<double>(joints_[1]->GetJointAngle()) + 1.0,
        static_cast<double>(joints_[1]->GetJointSpeed()) / 6,
        touches_[1] ? 1.0 : 0.0,
        joints_[2]->GetJointAngle(),
        static_cast<double>(joints_[2]->GetJointSpeed()) / 4,
        static_cast<double>(joints_[3]->GetJointAngle()) + 1.0,
        static_cast<double>(joints_[3]->GetJointSpeed()) / 6,
        touches_[3] ? 1.0 : 0.0,
    };
    for (size_t i = 0; i < 14; ++i) obs[i] = static_cast<float>(state[i]);
    look(&obs[14]);

    double shaping = 130 * x / scale;
    shaping -= 5.0 * std::abs(state[0]);
    // A difference of doubles that numpy 2 rounds to float32 with the first cost of an action,
    // which is float32.
    float reward = static_cast<float>(has_shaping_ ? shaping - shaping_ : 0.0);
    shaping_ = shaping;
    has_shaping_ = true;
    for (const float a : command) {
      reward -= static_cast<float>(0.00035 * motor_torque) * std::min(std::abs(a), 1.0f);
    }
    const bool arrived = x > (terrain_length - grass_points) * terrain_step;
    if (fell_ || x < 0) return {-100, true};
    return {reward, arrived};
  }

  Options options_;
  std::unique_ptr<b2World> world_;
  Terrain terrain_;
  std::vector<b2Body*> terrain_bodies_;
  b2Body* hull_ = nullptr;
  std::array<b2Body*, 4> legs_{};
  std::array<b2RevoluteJoint*, 4> joints_{};
  std::array<bool, 4> touches_{};
  std::array<Point, 10> rays_{};
  bool fell_ = false;
  bool has_shaping_ = false;
  double shaping_ = 0;
  pp::Rng beginning_;
  WorldMemory memory_;
  std::vector<float> played_;
};

}  // namespace box2d::walker

#endif
