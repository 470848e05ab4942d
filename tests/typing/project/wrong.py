"""Mistakes that a type checker finds: each line marked so, and no other."""

import parallel_pool

parallel_pool.make(3)  # wrong
parallel_pool.make("CartPole-v1", 4)  # wrong
parallel_pool.makes("CartPole-v1")  # wrong
parallel_pool.make("CartPole-v1").get_states()  # wrong
parallel_pool.make("CartPole-v1", env_type="gymnasium").set_state(None, 3)  # wrong
parallel_pool.ThreadPool("2")  # wrong
parallel_pool.make("CartPole-v1", num_envs="3")  # wrong
parallel_pool.make_spec("CartPole-v1", num_envs="3")  # wrong
