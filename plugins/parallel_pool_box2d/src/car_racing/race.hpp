// A race of CarRacing without its pictures: the world, the car, which tiles it has visited, and
// rewards. As Gymnasium's CarRacing (gymnasium/envs/box2d/car_racing.py, by Oleg Klimov), one world
// serves all episodes.
#ifndef PARALLEL_POOL_BOX2D_CAR_RACING_RACE_HPP_
#define PARALLEL_POOL_BOX2D_CAR_RACING_RACE_HPP_

#include <cstdint>
#include <memory>
#include <parallel_pool/rng.hpp>
#include <vector>

#include "car_racing/car.hpp"
#include "car_racing/track.hpp"
#include "engine/world_memory.hpp"

namespace box2d::racing {

class Race : b2ContactListener {
 public:
  struct Result {
    double reward;
    bool terminated;
    bool lap_finished;
  };

  // lap_complete: the share of tiles to visit before the first one is passed again.
  // with_marks: for pictures.
  explicit Race(double lap_complete, bool with_marks = false)
      : lap_complete_(lap_complete), world_(make_world(0)), car_(with_marks) {}
  Race(const Race&) = delete;
  ~Race() override = default;

  // Empties the world, which keeps its memory. Makes another if one was thrown away.
  void clear();
  WorldMemory memory() { return WorldMemory::of(*world_); }
  // Goes on with a world of that memory. std::invalid_argument where there can be none.
  void renew(const WorldMemory& memory);

  // Draws a track and puts the car on it, in an empty world; takes the first step, without an
  // action.
  void begin(pp::Rng& rng);
  Result step(const Controls& controls);
  // Goes on as the other one, without marks.
  void copy_from(const Race& other);

  const Track& track() const { return track_; }
  const Car& car() const { return car_; }
  double time() const { return time_; }  // in seconds
  // The score of the episode so far, without the cost of the last step: Gymnasium draws before it
  // counts it.
  double score() const { return score_; }
  double reward() const { return reward_; }  // the reward of the episode so far
  // Returns true if the car has touched the tile, which makes its colour that of the others.
  bool touched(size_t tile) const { return touched_[tile] != 0; }

 private:
  void build(b2World& world);
  void advance_world();
  void BeginContact(b2Contact* contact) override { note(*contact, true); }
  void EndContact(b2Contact* contact) override { note(*contact, false); }
  void note(b2Contact& contact, bool begins);
  void visit(size_t tile);

  double lap_complete_;
  std::unique_ptr<b2World> world_;
  Track track_;
  Car car_;
  std::vector<b2Body*> tiles_;
  std::vector<uint8_t> visited_;
  std::vector<uint8_t> touched_;
  size_t visits_ = 0;
  bool new_lap_ = false;
  double time_ = 0;
  double reward_ = 0;
  double score_ = 0;
  double reward_before_ = 0;
};

}  // namespace box2d::racing

#endif
