"""What a package around pools may use besides `parallel_pool` itself: an adapter, a buffer, pools on Ray.

docs/libraries.md lists the names by purpose.
"""

from parallel_pool._core import ActionChecker, ResultHandle, XlaTurn, xla_targets
from parallel_pool._core import Pool as NativePool
from parallel_pool.computed_once import computed_once
from parallel_pool.config.options import Declaration
from parallel_pool.config.pool_config import PoolConfig, in_envpools_layout
from parallel_pool.config.python_env import INFO_HANDLE
from parallel_pool.config.request import rows_of
from parallel_pool.config.seeds import apart, spread
from parallel_pool.configure import first_spec, make_config
from parallel_pool.imports.libraries import imported
from parallel_pool.imports.undisturbed import undisturbed
from parallel_pool.progress_line import Progress, ProgressLine
from parallel_pool.registry import registry
from parallel_pool.schema import result_tree
from parallel_pool.schema.batches import concatenated, is_mask, reordered, row_values
from parallel_pool.schema.fields import Field, bounds, tree_of
from parallel_pool.schema.masks import refuse_mask
from parallel_pool.schema.meanings import size as space_size
from parallel_pool.schema.players import is_multi_player, reward_is_per_player
from parallel_pool.schema.spaces import space_of
from parallel_pool.schema.text_spaces import expect_arrays, text_space
from parallel_pool.schema.texts import expect_array_fields
from parallel_pool.schema.trees import leaves, map_tree, paths, put, with_leaves
from parallel_pool.tensors.convert import torch_module
from parallel_pool.tensors.devices import torch_device
from parallel_pool.views import result_trees
from parallel_pool.views.base import PoolView, stacked
from parallel_pool.views.dm import DmPool
from parallel_pool.views.gym import GymPool
from parallel_pool.views.gymnasium import GymnasiumPool
from parallel_pool.views.player_actions import split_action
from parallel_pool.views.pool_spec import PoolSpec
from parallel_pool.views.reset_arguments import Options as ResetOptions
from parallel_pool.views.single import FIXED as SINGLE_FIXED
from parallel_pool.views.single import OneEnvironment

__all__ = [
    "INFO_HANDLE",
    "SINGLE_FIXED",
    "ActionChecker",
    "Declaration",
    "DmPool",
    "Field",
    "GymPool",
    "GymnasiumPool",
    "NativePool",
    "OneEnvironment",
    "PoolConfig",
    "PoolSpec",
    "PoolView",
    "Progress",
    "ProgressLine",
    "ResetOptions",
    "ResultHandle",
    "XlaTurn",
    "apart",
    "bounds",
    "computed_once",
    "concatenated",
    "expect_array_fields",
    "expect_arrays",
    "first_spec",
    "imported",
    "in_envpools_layout",
    "is_mask",
    "is_multi_player",
    "leaves",
    "make_config",
    "map_tree",
    "paths",
    "put",
    "refuse_mask",
    "registry",
    "reordered",
    "result_tree",
    "result_trees",
    "reward_is_per_player",
    "row_values",
    "rows_of",
    "space_of",
    "space_size",
    "split_action",
    "spread",
    "stacked",
    "text_space",
    "torch_device",
    "torch_module",
    "tree_of",
    "undisturbed",
    "with_leaves",
    "xla_targets",
]
