// Catch: bsuite's (I. Osband et al., 2020, bsuite/environments/catch.py). A ball falls down a
// board, one row a step, from a random column; a paddle in the last row moves a column at a time
// and gets 1 for catching it, -1 for not. It moves before the ball does, and starts in the middle.
#ifndef PARALLEL_POOL_CLASSIC_TOY_TEXT_CATCH_HPP_
#define PARALLEL_POOL_CLASSIC_TOY_TEXT_CATCH_HPP_

#include <cstdint>
#include <vector>

#include "parallel_pool/env.hpp"

namespace classic {

class Catch {
 public:
  static constexpr const char* id = "classic/Catch-v0";
  static constexpr const char* summary = "Catch a falling ball with a paddle";

  // The board: 1 where the ball and the paddle are, else 0.
  using Obs = pp::Box<float, pp::dynamic, pp::dynamic>;
  // 0 to the left, 1 stay, 2 to the right.
  using Action = pp::Discrete<3>;

  struct Options {
    int32_t height;
    int32_t width;
    static constexpr auto declared =
        pp::options(pp::option(&Options::height, "height", 10, "number of rows of the board",
                               pp::Range{2, 4096}),
                    pp::option(&Options::width, "width", 5, "number of columns of the board",
                               pp::Range{1, 4096}));
  };

  static void describe(pp::Spec& spec, const Options& options);

  explicit Catch(const std::vector<Options>& options);
  void reset(const pp::Rows<Catch>& rows);
  void step(const pp::Rows<Catch>& rows);
  void save(uint32_t lane, pp::StateWriter& out) const;
  void load(uint32_t lane, pp::StateReader& in);
  void arrays(uint32_t lane, pp::ArrayList& list);

 private:
  void draw(uint32_t lane, float* board) const;

  int32_t height_;  // all lanes have the same, because observations have one shape
  int32_t width_;
  std::vector<int32_t> ball_row_;
  std::vector<int32_t> ball_column_;
  std::vector<int32_t> paddle_;
};

}  // namespace classic
#endif  // PARALLEL_POOL_CLASSIC_TOY_TEXT_CATCH_HPP_
