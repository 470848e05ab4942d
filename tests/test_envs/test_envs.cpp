// Environments that do one thing each, for the tests of the pool.
#include "counts.hpp"
#include "failing.hpp"
#include "memory.hpp"
#include "players.hpp"
#include "spaces.hpp"
#include "waiting.hpp"
#include "walks.hpp"

PP_PLUGIN("test", pp::scalar<test_envs::Count>(), pp::scalar<test_envs::Walk<0>>(),
          pp::scalar<test_envs::Walk<1>, 8>(), pp::scalar<test_envs::Walk<2>, 8>(),
          pp::scalar<test_envs::Walk<3>>(), pp::batch<test_envs::WalkBatch, 64>(),
          pp::scalar<test_envs::Faulty>(), pp::batch<test_envs::FaultyBatch, 4>(),
          pp::scalar<test_envs::Sleepy<false>>(), pp::scalar<test_envs::Sleepy<true>>(),
          pp::scalar<test_envs::Exclusive>(), pp::scalar<test_envs::Types>(),
          pp::scalar<test_envs::Echo>(), pp::scalar<test_envs::Address>(),
          pp::scalar<test_envs::Optional>(), pp::scalar<test_envs::Memory>(),
          pp::scalar<test_envs::Discount>(), pp::scalar<test_envs::Mixed>(),
          pp::scalar<test_envs::Where>(), pp::scalar<test_envs::Team>(),
          pp::scalar<test_envs::Crowd>(), pp::scalar<test_envs::Shared>(),
          pp::scalar<test_envs::Lives>(), pp::scalar<test_envs::Drawn>(),
          pp::scalar<test_envs::Itself>(), pp::batch<test_envs::Marks, 4>());
