// The limit: CartPole's dynamics as one loop over arrays, on one thread, without a pool, checks or
// Python. In Gymnasium's arithmetic (double precision, libm's sine and cosine); starting states
// come from a cheap generator, and episodes restart within the step.
#include <cmath>
#include <cstdint>
#include <vector>

namespace {

struct Batch {
  static constexpr size_t action_batches = 64;

  explicit Batch(uint32_t n)
      : x(n),
        x_dot(n),
        theta(n),
        theta_dot(n),
        sine(n),
        cosine(n),
        reward(n),
        obs(4 * n),
        steps(n),
        terminated(n),
        truncated(n),
        actions(action_batches * n) {
    for (uint32_t i = 0; i < n; ++i) reset(i);
    for (int32_t& action : actions) action = static_cast<int32_t>(next() >> 63);
  }

  uint64_t next() {
    seed ^= seed << 13;
    seed ^= seed >> 7;
    return seed ^= seed << 17;
  }
  double small() { return static_cast<double>(next() >> 11) * 0x1p-53 * 0.1 - 0.05; }
  void reset(uint32_t i) {
    x[i] = small();
    x_dot[i] = small();
    theta[i] = small();
    theta_dot[i] = small();
    steps[i] = 0;
  }

  void step() {
    const auto n = static_cast<uint32_t>(x.size());
    for (uint32_t i = 0; i < n; ++i) {
      sine[i] = std::sin(theta[i]);
      cosine[i] = std::cos(theta[i]);
    }
    const int32_t* action = &actions[turn++ % action_batches * n];
    uint32_t ended = 0;
    for (uint32_t i = 0; i < n; ++i) {
      const double force = action[i] == 1 ? 10.0 : -10.0;
      const double temp = (force + 0.05 * (theta_dot[i] * theta_dot[i]) * sine[i]) / 1.1;
      const double theta_acc = (9.8 * sine[i] - cosine[i] * temp) /
                               (0.5 * (4.0 / 3.0 - 0.1 * (cosine[i] * cosine[i]) / 1.1));
      const double x_acc = temp - 0.05 * theta_acc * cosine[i] / 1.1;
      x[i] += 0.02 * x_dot[i];
      x_dot[i] += 0.02 * x_acc;
      theta[i] += 0.02 * theta_dot[i];
      theta_dot[i] += 0.02 * theta_acc;
      reward[i] = 1.0;
      const bool over = (x[i] < -2.4) | (x[i] > 2.4) | (theta[i] < -0.20943951023931953) |
                        (theta[i] > 0.20943951023931953);
      terminated[i] = over;
      truncated[i] = ++steps[i] >= 500;
      ended += terminated[i] | truncated[i];
    }
    for (uint32_t i = 0; i < n; ++i) {
      obs[4 * i] = static_cast<float>(x[i]);
      obs[4 * i + 1] = static_cast<float>(x_dot[i]);
      obs[4 * i + 2] = static_cast<float>(theta[i]);
      obs[4 * i + 3] = static_cast<float>(theta_dot[i]);
    }
    if (ended == 0) return;
    for (uint32_t i = 0; i < n; ++i) {
      if ((terminated[i] | truncated[i]) != 0) reset(i);
    }
  }

  uint64_t seed = 88172645463325252ull;
  std::vector<double> x, x_dot, theta, theta_dot, sine, cosine, reward;
  std::vector<float> obs;
  std::vector<int32_t> steps;
  std::vector<uint8_t> terminated, truncated;
  std::vector<int32_t> actions;  // drawn before, as for the others
  size_t turn = 0;
};

}  // namespace

extern "C" {
void* bare_new(uint32_t n) {
  return new Batch(n);
}
void bare_step(void* batch, uint32_t steps) {
  for (uint32_t i = 0; i < steps; ++i) static_cast<Batch*>(batch)->step();
}
void bare_delete(void* batch) {
  delete static_cast<Batch*>(batch);
}
}
