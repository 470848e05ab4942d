#include "car_racing/race.hpp"

#include <cmath>

namespace box2d::racing {
namespace {

// Returns what a body carries: the number of its tile and one, or nothing.
size_t tile_of(const b2Fixture* fixture) {
  return reinterpret_cast<uintptr_t>(const_cast<b2Body*>(fixture->GetBody())->GetUserData());
}

}  // namespace

void Race::clear() {
  if (world_ == nullptr) {
    world_ = make_world(0);
    tiles_.clear();
    car_.forget();
  }
  for (b2Body* each : tiles_) world_->DestroyBody(each);
  tiles_.clear();
  car_.destroy(*world_);
}

void Race::renew(const WorldMemory& memory) {
  auto world = make_world(0);
  memory.restore(*world);
  tiles_.clear();
  car_.forget();
  world_ = std::move(world);
}

void Race::begin(pp::Rng& rng) {
  reward_ = reward_before_ = time_ = 0;
  visits_ = 0;
  new_lap_ = false;
  track_.generate(rng);
  visited_.assign(track_.tiles.size(), 0);
  touched_.assign(track_.tiles.size(), 0);
  work_in(world_, [this](b2World& world) { build(world); });
  advance_world();
}

void Race::build(b2World& world) {
  world.SetContactListener(this);
  for (const Quad& each : track_.tiles) {
    b2Body* tile = add_body(world, b2_staticBody, {0, 0});
    add_fixture(*tile, polygon({each[0], each[1], each[2], each[3]}), {0, 0.2})->SetSensor(true);
    tiles_.push_back(tile);
    tile->SetUserData(reinterpret_cast<void*>(static_cast<uintptr_t>(tiles_.size())));
  }
  const Track::Place& start = track_.places.front();
  car_.build(world, start.beta, {start.x, start.y});
}

Race::Result Race::step(const Controls& controls) {
  car_.control(controls);
  advance_world();
  reward_ -= 0.1;
  const double reward = reward_ - reward_before_;
  reward_before_ = reward_;
  const bool finished = visits_ == tiles_.size() || new_lap_;
  const b2Vec2 at = car_.hull()->GetPosition();
  if (std::abs(static_cast<double>(at.x)) > playfield ||
      std::abs(static_cast<double>(at.y)) > playfield) {
    return {-100, true, false};
  }
  return {reward, finished, finished};
}

void Race::copy_from(const Race& other) {
  WorldCopy copy(*other.world_, std::move(world_));
  world_ = copy.take();
  world_->SetContactListener(this);
  track_ = other.track_;
  car_.copy_from(other.car_, copy);
  tiles_ = copy.each_of(other.tiles_);
  visited_ = other.visited_;
  touched_ = other.touched_;
  visits_ = other.visits_;
  new_lap_ = other.new_lap_;
  time_ = other.time_;
  reward_ = other.reward_;
  score_ = other.score_;
  reward_before_ = other.reward_before_;
}

void Race::advance_world() {
  car_.push();
  advance(world_);
  time_ += 1.0 / 50;
  score_ = reward_;
}

void Race::note(b2Contact& contact, bool begins) {
  const size_t first = tile_of(contact.GetFixtureA());
  const size_t second = tile_of(contact.GetFixtureB());
  const size_t number = second != 0 ? second : first;
  if (number == 0) return;
  touched_[number - 1] = 1;
  const b2Fixture* other = second != 0 ? contact.GetFixtureA() : contact.GetFixtureB();
  Wheel* wheel = car_.wheel_of(other->GetBody());
  if (wheel == nullptr) return;
  wheel->tiles += begins ? 1 : -1;
  if (begins && visited_[number - 1] == 0) visit(number - 1);
}

void Race::visit(size_t tile) {
  const double count = static_cast<double>(tiles_.size());
  visited_[tile] = 1;
  reward_ += 1000.0 / count;
  ++visits_;
  if (tile == 0 && static_cast<double>(visits_) / count > lap_complete_) new_lap_ = true;
}

}  // namespace box2d::racing
