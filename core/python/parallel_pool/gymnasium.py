"""For ids of Gymnasium: `gymnasium.make_vec("parallel_pool.gymnasium:classic/CartPole-v1")`.

Importing this module enters every environment that is installed into Gymnasium's registry, as
`parallel_pool.register_gymnasium()` does. So does `import parallel_pool`, whatever was imported first: this
prefix is there for programs that use it. An id without a family, "parallel_pool.gymnasium:CartPole-v1", is
refused: Gymnasium drops the prefix before it looks for the id, and would make its own environment.
"""

from parallel_pool.imports.gymnasium_prefix import refuse_bare_ids
from parallel_pool.registry.gymnasium_ids import ids_of, register_on_import

register_on_import()
refuse_bare_ids(__name__, ids_of)
