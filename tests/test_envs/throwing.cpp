// Lets C++ exceptions out through the ABI, which its rules forbid, in the function that the option
// `where` names. The SDK's functions let none out, so this table has others around them.
#include <stdexcept>
#include <string>

#include "parallel_pool/env.hpp"

namespace {

struct Env {
  static constexpr const char* id = "throwing/Env-v0";
  struct Options {
    std::string where;
    static constexpr auto declared =
        pp::options(pp::option(&Options::where, "where", "", "the function that throws"));
  };
  using Obs = pp::Scalar<float>;
  using Action = pp::Discrete<2>;
  explicit Env(const Options&) {}
  void reset(pp::Rng&, Obs::Ref obs) { obs = 1; }
  pp::Outcome step(Action::Value, Obs::Ref obs) {
    obs = 1;
    return {1};
  }
};

std::string where;  // of the pool that was made last

void at(const std::string& here) {
  if (where == here) throw std::runtime_error("thrown in C++");
  if (where == "anything") throw 7;
}

constexpr pp_env throwing = [] {
  pp_env env = *pp::scalar<Env>();
  env.describe = [](const pp_host* host, const pp_value* option) {
    where = option[0].s;
    at("describe");
    return pp::scalar<Env>()->describe(host, option);
  };
  env.create = [](const pp_host* host, const pp_shard* shard) {
    at("create");
    return pp::scalar<Env>()->create(host, shard);
  };
  env.reset = [](void* self, const pp_lanes* lanes) {
    at("reset");
    return pp::scalar<Env>()->reset(self, lanes);
  };
  env.step = [](void* self, const pp_lanes* lanes) {
    at("step");
    return pp::scalar<Env>()->step(self, lanes);
  };
  return env;
}();

}  // namespace

PP_PLUGIN("throwing", &throwing);
