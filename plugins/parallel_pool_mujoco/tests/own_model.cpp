// A task that changes one member of its model, with all that follows from it, in every episode: to
// numbers that it is given, or to random ones. test_own_model.py builds it.
#include <sys/mman.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <parallel_pool/env.hpp>
#include <parallel_pool_mujoco/sdk.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace {

using namespace pp::mujoco;

class Own : public Task {
 public:
  static constexpr const char* id = "own_model/Own-v0";
  struct Options : TaskOptions, ObserverOptions {
    std::string member;
    std::vector<double> values;
    bool own;
    bool derived;
    bool guarded;
    bool described;
    static constexpr auto declared = pp::options(
        TaskOptions::declared, ObserverOptions::declared,
        pp::option(&Options::member, "member", "", "of mjModel"),
        pp::option(&Options::values, "values", "of the member; none: random ones"),
        pp::option(&Options::own, "own", true, "False: the shared model"),
        pp::option(&Options::derived, "derived", true, "False: nothing follows"),
        pp::option(&Options::guarded, "guarded", false, "writing what is shared ends the process"),
        pp::option(&Options::described, "described", true, "False: without what is edited"));
  };
  using Obs = Observer::Obs;
  using Info = pp::Dict<pp::At<"drawn", double>, WarningKey>;

  static void describe(pp::Spec& spec, const Options& options) {
    const auto model = Model::share(options);
    const auto size = static_cast<size_t>(model->nq + model->nv);
    if (options.described) {
      Observer::describe(spec, options, Own(options).sim_, size);
    } else {
      Observer::describe(spec, options, model, size);
    }
    Task::describe(spec, *model);
  }
  explicit Own(const Options& options)
      : Task(options, options.own ? Model::own(options) : Model::share(options)),
        values_(options.values) {
    if (!options.member.empty()) edit(options);
    observer_.emplace(options, static_cast<size_t>(nq() + nv()), sim_);
  }

  void reset(pp::Rng& rng, Obs::Ref obs, Info::Ref info) {
    for (size_t i = 0; i < count_; ++i) {
      numbers_[i] = values_.empty() ? compiled_[i] * rng.uniform(0.5, 2) : values_[i];
    }
    sim_.reset();
    for (int64_t i = 0; i < nv(); ++i) sim_.qvel[i] = rng.uniform(-1, 1);
    sim_.forward();
    observe(obs, true);
    const InfoWriter<Info> out(info);
    out.zero();
    put<"drawn">(out, count_ > 1 ? numbers_[1] : 0.0);
  }
  pp::Outcome step(Action::Value action, Obs::Ref obs, Info::Ref info) {
    simulate(action);
    observe(obs, false);
    const InfoWriter<Info> out(info);
    put<"drawn">(out, count_ > 1 ? numbers_[1] : 0.0);
    return outcome(0, false, out);
  }
  // Adds the whole model: for each member with numbers its name, a zero, the count of bytes
  // (int64), and the bytes.
  void arrays(pp::ArrayList& list) {
    Task::arrays(list);
    all_.clear();
    const Engine& engine = sim_.model.engine;
    for (const pp_mujoco_symbol& symbol : engine) {
      if (std::string_view(symbol.name).substr(0, 8) != "mjModel.") continue;
      const auto bytes =
          static_cast<int64_t>(item_size(symbol.type) * sim_.model.count(symbol.name));
      auto* place = reinterpret_cast<const uint8_t*>(sim_.model.raw) + symbol.value;
      if (is_array(symbol)) place = *reinterpret_cast<const uint8_t* const*>(place);
      all_.insert(all_.end(), symbol.name, symbol.name + std::strlen(symbol.name) + 1);
      const auto* const size = reinterpret_cast<const uint8_t*>(&bytes);
      all_.insert(all_.end(), size, size + sizeof bytes);
      all_.insert(all_.end(), place, place + bytes);
    }
    list.array("model", std::as_const(all_).data(), {static_cast<int64_t>(all_.size())});
  }

 private:
  void edit(const Options& options) {
    const std::string member = "mjModel." + options.member;
    count_ = sim_.model.count(member.c_str());
    numbers_ = options.derived ? sim_.edit_with_derived<double>(member.c_str())
                               : sim_.edit<double>(member.c_str(), std::max<size_t>(count_, 7));
    compiled_.assign(numbers_, numbers_ + count_);
    if (options.guarded) guard();
  }
  // Puts every array that is still the shared one where nobody can write.
  void guard() const {
    const Engine& engine = sim_.model.engine;
    for (const pp_mujoco_symbol& symbol : engine) {
      if (std::string_view(symbol.name).substr(0, 8) != "mjModel." || !is_array(symbol)) continue;
      const size_t bytes = item_size(symbol.type) * sim_.model.count(symbol.name);
      void*& place =
          *reinterpret_cast<void**>(reinterpret_cast<char*>(sim_.model.raw) + symbol.value);
      const void* const shared = *reinterpret_cast<void* const*>(
          reinterpret_cast<const char*>(sim_.model.compiled_raw()) + symbol.value);
      if (bytes == 0 || place != shared) continue;
      void* const page =
          mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
      std::memcpy(page, shared, bytes);
      mprotect(page, bytes, PROT_READ);
      place = page;
    }
  }
  void observe(Obs::Ref obs, bool first) {
    double* const out = std::copy(sim_.qpos, sim_.qpos + nq(), observer_->begin(obs));
    std::copy(sim_.qvel, sim_.qvel + nv(), out);
    observer_->end(obs, first);
  }

  const std::vector<double> values_;
  size_t count_ = 0;
  double* numbers_ = nullptr;
  std::vector<double> compiled_;
  std::vector<uint8_t> all_;
  std::optional<Observer> observer_;  // made after the edits
};

}  // namespace

PP_PLUGIN("own_model", pp::scalar<Own>());
