"""For ids of Gymnasium: `gymnasium.make_vec("parallel_pool.gymnasium:classic/CartPole-v1")`.

Importing this module enters every environment that is installed into Gymnasium's registry, as
`parallel_pool.register_gymnasium()` does. `import parallel_pool` does so too, but only where gymnasium
was imported before it; with this prefix the order does not matter.
"""

from parallel_pool.registry.gymnasium_ids import register_on_import

register_on_import()
