// The keys of `info` in Gymnasium's tasks: one list of them per generation of ids.
#ifndef PARALLEL_POOL_MUJOCO_INFO_HPP_
#define PARALLEL_POOL_MUJOCO_INFO_HPP_

#include "sdk_names.hpp"

namespace gymnasium_tasks {

// The two generations of Gymnasium's ids that are alive. EnvPool's v2 and v3 are v4 with options.
enum class Generation { v4, v5 };

PP_KEY(x_position);
PP_KEY(y_position);
PP_KEY(z_distance_from_origin);
PP_KEY(distance_from_origin);
PP_KEY(x_velocity);
PP_KEY(y_velocity);
PP_KEY(tendon_length);
PP_KEY(tendon_velocity);
PP_KEY(reward_forward);
PP_KEY(reward_run);
PP_KEY(reward_fwd);
PP_KEY(forward_reward);
PP_KEY(reward_linvel);
PP_KEY(reward_ctrl);
PP_KEY(reward_quadctrl);
PP_KEY(reward_contact);
PP_KEY(reward_impact);
PP_KEY(reward_survive);
PP_KEY(reward_alive);
PP_KEY(reward_linup);
PP_KEY(reward_dist);
PP_KEY(reward_near);
PP_KEY(distance_penalty);
PP_KEY(velocity_penalty);

}  // namespace gymnasium_tasks
#endif  // PARALLEL_POOL_MUJOCO_INFO_HPP_
