"""For ids of Gymnasium: `gymnasium.make_vec("parallel_pool.gymnasium:classic/CartPole-v1")`.

Importing this module enters every environment that is installed into Gymnasium's registry, as
`parallel_pool.register_gymnasium()` does. Gymnasium drops the prefix before it looks for the id, so the id
needs its family: "parallel_pool.gymnasium:CartPole-v1" is Gymnasium's own environment.
"""

from parallel_pool.registry.gymnasium_ids import register_gymnasium

register_gymnasium()
