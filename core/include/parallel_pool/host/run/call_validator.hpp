// parallel_pool/host/run/call_validator.hpp: whether environments can take work now, and why not.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "parallel_pool/host/base/error.hpp"
#include "parallel_pool/host/config/pool_config.hpp"
#include "parallel_pool/host/plugin/env_ids.hpp"
#include "parallel_pool/host/run/watchdog.hpp"
#include "parallel_pool/host/state/env_table.hpp"

namespace pp::host {

// Asked with the pool's state lock held.
class CallValidator {
 public:
  // `watchdog` may be NULL. It and `envs` outlive it.
  CallValidator(const EnvTable& envs, Autoreset autoreset, const Watchdog* watchdog)
      : envs_(envs), autoreset_(autoreset), watchdog_(watchdog), stamp_(envs.size(), 0) {}

  // Throws unless each of these environments can take work; changes nothing that another thread
  // sees. `idle`: nothing is in flight.
  void check(const EnvIds& envs, Op op, bool idle) {
    const bool fine = envs.all() ? all_fine(op, idle) : fine_one_by_one(envs, op);
    if (!fine) explain(envs, op);
  }

  // Throws, of the first environment that has work in hand; there is one.
  [[noreturn]] void refuse_pending() const {
    const auto first = std::find_if(envs_.pending.begin(), envs_.pending.end(),
                                    [](uint8_t pending) { return pending != 0; });
    refuse_pending(static_cast<uint32_t>(first - envs_.pending.begin()));
  }

 private:
  [[noreturn]] void refuse_pending(uint32_t env) const {
    throw Error(ErrorKind::busy,
                "environment " + std::to_string(env) +
                    (envs_.pending[env] == EnvTable::held
                         ? " is in another call (render, get_state, set_state, read_array or the "
                           "like), which has not returned: wait for it"
                         : " has a result on its way that was not received: call recv() first"));
  }

  bool stuck(uint32_t env) const { return watchdog_ != nullptr && watchdog_->stuck(env); }

  bool leaves_ends() const { return autoreset_ == Autoreset::disabled || envs_.apart; }

  bool all_fine(Op op, bool idle) const {
    if (!idle || (watchdog_ != nullptr && watchdog_->stuck() > 0)) return false;
    if (op == Op::reset) return true;
    return envs_.all_can_step() && envs_.n_failed.load() == 0 &&
           (!leaves_ends() || std::memchr(envs_.ended.data(), 1, envs_.ended.size()) == nullptr);
  }

  bool fine_one_by_one(const EnvIds& envs, Op op) {
    ++stamp_now_;
    for (uint32_t i = 0; i < envs.n; ++i) {
      const uint32_t env = envs.ids[i];
      const bool fine =
          env < envs_.size() && stamp_[env] != stamp_now_ && envs_.pending[env] == 0 &&
          !stuck(env) &&
          (op == Op::reset ||
           (envs_.can_step(env) && envs_.failed[env] == 0 &&
            (envs_.ended[env] == 0 || (autoreset_ == Autoreset::next_step && !envs_.apart))));
      if (!fine) return false;
      stamp_[env] = stamp_now_;
    }
    return true;
  }

  [[noreturn]] void explain(const EnvIds& envs, Op op) {
    ++stamp_now_;
    for (uint32_t i = 0; i < envs.n; ++i) {
      const uint32_t env = envs[i];
      const std::string name = "environment " + std::to_string(env);
      if (env >= envs_.size()) {
        throw no_such_env(std::to_string(static_cast<int32_t>(env)), envs_.size());
      }
      if (stamp_[env] == stamp_now_) throw occurs_twice(env);
      stamp_[env] = stamp_now_;
      if (envs_.pending[env] != 0) refuse_pending(env);
      if (stuck(env)) {
        throw Error(ErrorKind::stuck,
                    name +
                        " has not returned from a step that exceeded step_timeout: it takes no "
                        "actions and no reset until it does. Go on with the others (env_id=), "
                        "or close this pool and make a new one");
      }
      if (op == Op::reset) continue;
      if (envs_.failed[env] != 0) {
        throw Error(ErrorKind::reset_needed,
                    name + " failed earlier; reset it before stepping it: reset(env_id=[" +
                        std::to_string(env) + "])");
      }
      if (!envs_.can_step(env)) {
        throw Error(ErrorKind::reset_needed,
                    name + envs_.not_begun() + ": call reset() before step()");
      }
      if (envs_.ended[env] != 0 && leaves_ends()) {
        throw Error(ErrorKind::reset_needed,
                    name + " has ended, and autoreset is disabled: reset it first");
      }
    }
    // Unreachable: what made check() refuse is one of the above. Refuse all the same.
    throw Error(ErrorKind::busy, "the pool cannot take work now: call recv() first");
  }

  const EnvTable& envs_;
  Autoreset autoreset_;
  const Watchdog* watchdog_;
  std::vector<uint64_t> stamp_;  // finds duplicates without clearing anything
  uint64_t stamp_now_ = 0;
};

}  // namespace pp::host
