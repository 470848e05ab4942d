#include "car_racing/track.hpp"

#include <algorithm>
#include <cmath>

namespace box2d::racing {
namespace {

constexpr double pi = 3.141592653589793;
constexpr size_t checkpoint_count = 12;
constexpr int most_places = 2500;
constexpr size_t least_curb = 4;
constexpr double start_alpha = 2 * pi * -0.5 / static_cast<double>(checkpoint_count);

// Python's index: -1 is the last.
size_t before(size_t i, size_t steps, size_t size) {
  return (i + size - steps) % size;
}

}  // namespace

void Track::generate(pp::Rng& rng) {
  while (!try_to_generate(rng)) {
  }
}

bool Track::try_to_generate(pp::Rng& rng) {
  walk(rng);
  if (!keep_one_lap()) return false;
  const Place& first = places.front();
  const Place& last = places.back();
  const double gap_x = std::cos(first.beta) * (first.x - last.x);
  const double gap_y = std::sin(first.beta) * (first.y - last.y);
  if (std::sqrt(gap_x * gap_x + gap_y * gap_y) > track_step) return false;
  make_tiles();
  return true;
}

// From checkpoint to checkpoint, more than four times around.
void Track::walk(pp::Rng& rng) {
  struct Checkpoint {
    double alpha;
    double x;
    double y;
  };
  std::array<Checkpoint, checkpoint_count> checkpoints;
  for (size_t c = 0; c < checkpoint_count; ++c) {
    const double at = 2 * pi * static_cast<double>(c) / static_cast<double>(checkpoint_count);
    double alpha = at + rng.uniform(0, 2 * pi / static_cast<double>(checkpoint_count));
    double radius = rng.uniform(track_radius / 3, track_radius);
    if (c == 0 || c == checkpoint_count - 1) {
      alpha = c == 0 ? 0 : at;
      radius = 1.5 * track_radius;
    }
    checkpoints[c] = {alpha, radius * std::cos(alpha), radius * std::sin(alpha)};
  }

  places.clear();
  double x = 1.5 * track_radius;
  double y = 0;
  double beta = 0;
  size_t next = 0;
  int laps = 0;
  bool other_side = false;
  for (int left = most_places; left > 0; --left) {
    double alpha = std::atan2(y, x);
    if (other_side && alpha > 0) {
      ++laps;
      other_side = false;
    }
    if (alpha < 0) {
      other_side = true;
      alpha += 2 * pi;
    }
    const Checkpoint* target = nullptr;
    while (target == nullptr) {
      do {
        const Checkpoint& candidate = checkpoints[next % checkpoint_count];
        if (alpha <= candidate.alpha) {
          target = &candidate;
          break;
        }
      } while (++next % checkpoint_count != 0);
      if (target == nullptr) alpha -= 2 * pi;
    }
    const double along_x = std::cos(beta);
    const double along_y = std::sin(beta);
    const double ahead_x = target->x - x;
    const double ahead_y = target->y - y;
    double turn = along_x * ahead_x + along_y * ahead_y;
    while (beta - alpha > 1.5 * pi) beta -= 2 * pi;
    while (beta - alpha < -1.5 * pi) beta += 2 * pi;
    const double beta_before = beta;
    turn *= scale;
    if (turn > 0.3) beta -= std::min(turn_rate, std::abs(0.001 * turn));
    if (turn < -0.3) beta += std::min(turn_rate, std::abs(0.001 * turn));
    x += -along_y * track_step;
    y += along_x * track_step;
    places.push_back({alpha, beta_before * 0.5 + beta * 0.5, x, y});
    if (laps > 4) break;
  }
}

// The last whole lap; false if the start is not passed twice.
bool Track::keep_one_lap() {
  size_t last = 0;
  for (size_t i = places.size() - 1; i > 0; --i) {
    if (!(places[i].alpha > start_alpha && places[i - 1].alpha <= start_alpha)) continue;
    if (last == 0) {
      last = i;
      continue;
    }
    places.assign(places.begin() + static_cast<ptrdiff_t>(i),
                  places.begin() + static_cast<ptrdiff_t>(last - 1));
    return true;
  }
  return false;
}

std::vector<bool> Track::sharp_turns() const {
  const size_t n = places.size();
  std::vector<bool> sharp(n, false);
  for (size_t i = 0; i < n; ++i) {
    bool good = true;
    double side = 0;
    for (size_t k = 0; k < least_curb; ++k) {
      const double turn = places[before(i, k, n)].beta - places[before(i, k + 1, n)].beta;
      good &= std::abs(turn) > turn_rate * 0.2;
      side += sign(turn);
    }
    sharp[i] = good && std::abs(side) == static_cast<double>(least_curb);
  }
  // In place, as there: what is set at the end of the list spreads again when the loop comes to it.
  for (size_t i = 0; i < n; ++i) {
    if (!sharp[i]) continue;
    for (size_t k = 0; k < least_curb; ++k) sharp[before(i, k, n)] = true;
  }
  return sharp;
}

void Track::make_tiles() {
  const std::vector<bool> sharp = sharp_turns();
  tiles.clear();
  curbs.clear();
  const auto beside = [](const Place& place, double distance) {
    return Point{place.x + distance * std::cos(place.beta),
                 place.y + distance * std::sin(place.beta)};
  };
  for (size_t i = 0; i < places.size(); ++i) {
    const Place& here = places[i];
    const Place& there = places[before(i, 1, places.size())];
    tiles.push_back({beside(here, -track_width), beside(here, track_width),
                     beside(there, track_width), beside(there, -track_width)});
    if (!sharp[i]) continue;
    const double side = sign(there.beta - here.beta);
    const double inner = side * track_width;
    const double outer = side * (track_width + curb_width);
    curbs.push_back(
        {i,
         {beside(here, inner), beside(here, outer), beside(there, outer), beside(there, inner)}});
  }
}

}  // namespace box2d::racing
