// Environments that observe a text: one object each, and a kernel that does the same.
#include <cstdint>
#include <string>
#include <vector>

#include "parallel_pool/env.hpp"

namespace {

constexpr int64_t room = 24;

// What is said after so many steps. Nothing at the third.
std::string words(int32_t steps, const std::string& letters) {
  return steps == 3 ? "" : "step " + std::to_string(steps) + letters;
}

struct Said {
  std::string letters;
  static constexpr auto declared =
      pp::options(pp::option(&Said::letters, "letters", "", "what each text ends with"));
};

void describe_texts(pp::Spec& spec, const Said& options) {
  for (const char letter : options.letters) {
    if (static_cast<unsigned char>(letter) > 127) spec.obs("said").bounds(0, 255);
  }
}

struct Teller {
  static constexpr const char* id = "told/Teller-v0";
  using Options = Said;
  using Obs = pp::Dict<pp::At<"said", pp::Text<room>>, pp::At<"number", int32_t>>;
  using Info = pp::Dict<pp::At<"heard", pp::Text<8>>>;
  using Action = pp::Discrete<2>;

  static void describe(pp::Spec& spec, const Options& options) { describe_texts(spec, options); }
  explicit Teller(const Options& options) : letters_(options.letters) {}
  void reset(pp::Rng&, Obs::Ref obs, Info::Ref info) {
    steps_ = 0;
    write(obs);
    info.get<"heard">() = "nothing";
  }
  pp::Outcome step(Action::Value action, Obs::Ref obs, Info::Ref info) {
    ++steps_;
    write(obs);
    info.get<"heard">() = action == 1 ? "yes" : "no";
    return {1.0, steps_ == 5};
  }
  void save(pp::StateWriter& out) const { out(steps_); }
  void load(pp::StateReader& in) { in(steps_); }

 private:
  void write(Obs::Ref obs) const {
    obs.get<"said">() = words(steps_, letters_);
    obs.get<"number">() = steps_;
  }
  std::string letters_;
  int32_t steps_ = 0;
};

struct Tellers {
  static constexpr const char* id = "told/Tellers-v0";
  using Options = Said;
  using Obs = Teller::Obs;
  using Info = Teller::Info;
  using Action = Teller::Action;

  static void describe(pp::Spec& spec, const Options& options) { describe_texts(spec, options); }
  explicit Tellers(const std::vector<Options>& lanes) : steps_(lanes.size()) {
    for (const Options& each : lanes) letters_.push_back(each.letters);
  }
  void reset(const pp::Rows<Tellers>& rows) {
    for (uint32_t i = 0; i < rows.size(); ++i) {
      if (!rows.selected(i)) continue;
      steps_[rows.first() + i] = 0;
      write(rows, i, "nothing");
    }
  }
  void step(const pp::Rows<Tellers>& rows) {
    for (uint32_t i = 0; i < rows.size(); ++i) {
      if (!rows.selected(i)) continue;
      const bool over = ++steps_[rows.first() + i] == 5;
      write(rows, i, rows.action()[i] == 1 ? "yes" : "no");
      rows.reward()[i] = 1.0;
      rows.terminated()[i] = over ? 1 : 0;
      rows.truncated()[i] = 0;
    }
  }

 private:
  void write(const pp::Rows<Tellers>& rows, uint32_t i, const char* reply) const {
    const uint32_t lane = rows.first() + i;
    pp::write_text(rows.obs<"said">() + i * room, room, words(steps_[lane], letters_[lane]));
    rows.obs<"number">()[i] = steps_[lane];
    pp::write_text(rows.info<"heard">() + i * size_t{8}, 8, reply);
  }
  std::vector<std::string> letters_;
  std::vector<int32_t> steps_;
};

// Observes nothing but a text.
struct Alone {
  static constexpr const char* id = "told/Alone-v0";
  using Obs = pp::Text<pp::dynamic>;
  using Action = pp::Discrete<2>;
  static constexpr int64_t max_episode_steps = 3;

  static void describe(pp::Spec& spec, const pp::Options&) { spec.obs().text(12); }
  void reset(pp::Rng&, Obs::Ref obs) { obs = "begin"; }
  pp::Outcome step(Action::Value action, Obs::Ref obs) {
    obs = action == 1 ? "one" : "nought";
    return {};
  }
};

// Its rows are no texts.
struct Wrong {
  static constexpr const char* id = "told/Wrong-v0";
  struct Options {
    std::string bytes;
    bool utf8;
    static constexpr auto declared = pp::options(
        pp::option(&Options::bytes, "bytes", "", "of a row; '.' stands for 0, '#' for 255"),
        pp::option(&Options::utf8, "utf8", false, "whether the space has all letters"));
  };
  using Obs = pp::Text<6>;
  using Action = pp::Discrete<2>;
  static void describe(pp::Spec& spec, const Options& options) {
    if (options.utf8) spec.obs().bounds(0, 255);
  }
  explicit Wrong(const Options& options) : bytes_(options.bytes) {}
  void reset(pp::Rng&, Obs::Ref obs) { write(obs); }
  pp::Outcome step(Action::Value, Obs::Ref obs) {
    write(obs);
    return {};
  }

 private:
  void write(Obs::Ref obs) const {
    obs = "";
    for (size_t i = 0; i < bytes_.size(); ++i)
      obs[i] = static_cast<uint8_t>(bytes_[i] == '.' ? 0 : bytes_[i] == '#' ? 0xFF : bytes_[i]);
  }
  std::string bytes_;
};

}  // namespace

PP_PLUGIN("told", pp::scalar<Teller>(), pp::batch<Tellers, 4>(), pp::scalar<Alone>(),
          pp::scalar<Wrong>());
