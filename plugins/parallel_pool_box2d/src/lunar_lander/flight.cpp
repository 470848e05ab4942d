#include "lunar_lander/flight.hpp"

#include <algorithm>
#include <cmath>

#include "engine/world_copy.hpp"

namespace box2d::lunar {
namespace {

constexpr double fps = 50;
constexpr double pi = 3.141592653589793;
constexpr double leg_down = 18 / scale;
constexpr Filter lander_filter{0x0010, 0x0001};  // all of them collide with the ground alone
constexpr Filter leg_filter{0x0020, 0x0001};
constexpr Filter particle_filter{0x0100, 0x0001};

double gust(int64_t at, double power) {
  const double i = static_cast<double>(at);
  return std::tanh(std::sin(0.02 * i) + std::sin(pi * 0.01 * i)) * power;
}

}  // namespace

Flight::Result Flight::begin(pp::Rng& rng) {
  exhaust_.clear();
  world_ = make_world(weather_.gravity);
  world_->SetContactListener(this);
  crashed_ = false;
  touches_ = {};
  lander_ = nullptr;
  legs_ = {};
  has_shaping_ = false;
  add_moon(rng);
  add_lander(rng);
  if (weather_.windy) {
    wind_ = rng.integers(-9999, 9999);
    twist_ = rng.integers(-9999, 9999);
  }
  add_leg(0, -1, 0.9 - 0.5, 0.9);
  add_leg(1, 1, -0.9, -0.9 + 0.5);
  return step(Thrust{}, rng);
}

Flight::Result Flight::step(const Thrust& thrust, pp::Rng& rng) {
  blow();
  fire(thrust, rng);
  advance(world_);
  fade();
  return judge(thrust);
}

void Flight::copy_from(const Flight& other) {
  WorldCopy copy(*other.world_, std::move(world_));
  exhaust_.clear();
  world_ = copy.take();
  world_->SetContactListener(this);
  lander_ = copy.of(other.lander_);
  legs_ = copy.each_of(other.legs_);
  touches_ = other.touches_;
  ground_ = other.ground_;
  crashed_ = other.crashed_;
  has_shaping_ = other.has_shaping_;
  shaping_ = other.shaping_;
  pad_ = other.pad_;
  wind_ = other.wind_;
  twist_ = other.twist_;
}

void Flight::BeginContact(b2Contact* contact) {
  if (contact->GetFixtureA()->GetBody() == lander_ ||
      contact->GetFixtureB()->GetBody() == lander_) {
    crashed_ = true;
  }
  note_legs(*contact, true);
}

void Flight::note_legs(b2Contact& contact, bool touches) {
  for (size_t i = 0; i < legs_.size(); ++i) {
    if (contact.GetFixtureA()->GetBody() == legs_[i] ||
        contact.GetFixtureB()->GetBody() == legs_[i]) {
      touches_[i] = touches;
    }
  }
}

void Flight::add_moon(pp::Rng& rng) {
  constexpr size_t chunks = 11;
  std::array<double, chunks + 1> height;
  rng.fill_uniform(height.data(), height.size(), 0, world_height / 2);
  pad_ = world_height / 4;
  std::fill_n(height.begin() + chunks / 2 - 2, 5, pad_);
  for (size_t i = 0; i < chunks; ++i) {
    const double before = height[i == 0 ? chunks : i - 1];
    ground_[i] = {world_width / (chunks - 1) * static_cast<double>(i),
                  0.33 * (before + height[i] + height[i + 1])};
  }
  b2Body* moon = add_body(*world_, b2_staticBody, {0, 0});
  add_fixture(*moon, edge({0, 0}, {world_width, 0}), {0, 0.2});
  for (size_t i = 0; i + 1 < chunks; ++i)
    add_fixture(*moon, edge(ground_[i], ground_[i + 1]), {0, 0.1});
}

void Flight::add_lander(pp::Rng& rng) {
  lander_ = add_body(*world_, b2_dynamicBody, {world_width / 2, world_height});
  add_fixture(*lander_,
              polygon({{-14 / scale, 17 / scale},
                       {-17 / scale, 0 / scale},
                       {-17 / scale, -10 / scale},
                       {17 / scale, -10 / scale},
                       {17 / scale, 0 / scale},
                       {14 / scale, 17 / scale}}),
              {5.0, 0.1}, lander_filter);
  const double x = rng.uniform(-1000, 1000);
  const double y = rng.uniform(-1000, 1000);
  lander_->ApplyForceToCenter(vec(x, y), true);
}

void Flight::add_leg(size_t which, int side, double lower, double upper) {
  legs_[which] = add_body(*world_, b2_dynamicBody,
                          {world_width / 2 - side * 20 / scale, world_height}, side * 0.05);
  add_fixture(*legs_[which], box(2 / scale, 8 / scale), {1.0, 0.2}, leg_filter);
  add_hinge(*world_, *lander_, *legs_[which],
            {{0, 0}, {side * 20 / scale, leg_down}, 40, 0.3 * side, lower, upper});
}

void Flight::blow() {
  if (!weather_.windy || touches_[0] || touches_[1]) return;
  lander_->ApplyForceToCenter(vec(gust(wind_++, weather_.wind_power), 0), true);
  lander_->ApplyTorque(static_cast<float>(gust(twist_++, weather_.turbulence_power)), true);
}

// The engines push at places that depend on the angle in Gymnasium's own way, which its page calls
// a bug.
void Flight::fire(const Thrust& thrust, pp::Rng& rng) {
  const double angle = lander_->GetAngle();
  const double tip[2] = {std::sin(angle), std::cos(angle)};
  const double side[2] = {-tip[1], tip[0]};
  double dispersion[2];
  for (double& each : dispersion) each = rng.uniform(-1.0, 1.0) / scale;
  if (thrust.main > 0) {
    const double along = 4 / scale + 2 * dispersion[0];
    const Point offset{tip[0] * along + side[0] * dispersion[1],
                       -tip[1] * along - side[1] * dispersion[1]};
    push(offset, {0, 0}, 13.0, thrust.main, 3.5);
  }
  if (thrust.side > 0) {
    const double arm = 3 * dispersion[1] + thrust.direction * 12 / scale;
    const Point offset{tip[0] * dispersion[0] + side[0] * arm,
                       -tip[1] * dispersion[0] - side[1] * arm};
    push(offset, {tip[0] * 17 / scale, tip[1] * 14 / scale}, 0.6, thrust.side, 0.7);
  }
}

void Flight::push(Point offset, Point shift, double engine, double power, double mass) {
  const b2Vec2 place = lander_->GetPosition();
  const Point at{static_cast<double>(place.x) + offset.x - shift.x,
                 static_cast<double>(place.y) + offset.y + shift.y};
  if (with_exhaust_) {
    add_particle(mass, at, {offset.x * engine * power, offset.y * engine * power}, power);
  }
  lander_->ApplyLinearImpulse(vec(-offset.x * engine * power, -offset.y * engine * power), vec(at),
                              true);
}

void Flight::add_particle(double mass, Point at, Point impulse, double life) {
  b2CircleShape shape;
  shape.m_radius = static_cast<float>(2 / scale);
  b2Body* body = add_body(*world_, b2_dynamicBody, at);
  add_fixture(*body, shape, {mass, 0.1}, particle_filter)->SetRestitution(0.3f);
  exhaust_.push_back({body, life});
  drop_faded();
  body->ApplyLinearImpulse(vec(impulse), vec(at), true);
}

// In Gymnasium each picture takes of the particles' lives; here each step, of which films show one
// picture.
void Flight::fade() {
  for (Particle& each : exhaust_) each.left -= 0.15;
  drop_faded();
}

void Flight::drop_faded() {
  while (!exhaust_.empty() && exhaust_.front().left < 0) {
    world_->DestroyBody(exhaust_.front().body);
    exhaust_.pop_front();
  }
}

Flight::Result Flight::judge(const Thrust& thrust) {
  const b2Vec2 position = lander_->GetPosition();
  const b2Vec2 velocity = lander_->GetLinearVelocity();
  const std::array<double, 8> state = {
      (position.x - world_width / 2) / (world_width / 2),
      (position.y - (pad_ + leg_down)) / (world_height / 2),
      velocity.x * (world_width / 2) / fps,
      velocity.y * (world_height / 2) / fps,
      lander_->GetAngle(),
      20.0 * lander_->GetAngularVelocity() / fps,
      touches_[0] ? 1.0 : 0.0,
      touches_[1] ? 1.0 : 0.0,
  };
  const double shaping = -100 * std::sqrt(state[0] * state[0] + state[1] * state[1]) -
                         100 * std::sqrt(state[2] * state[2] + state[3] * state[3]) -
                         100 * std::abs(state[4]) + 10 * state[6] + 10 * state[7];
  double reward = has_shaping_ ? shaping - shaping_ : 0.0;
  shaping_ = shaping;
  has_shaping_ = true;
  reward -= thrust.main * 0.30;
  reward -= thrust.side * 0.03;
  if (!lander_->IsAwake()) return {state, 100, true};
  if (crashed_ || std::abs(state[0]) >= 1.0) return {state, -100, true};
  return {state, reward, false};
}

}  // namespace box2d::lunar
