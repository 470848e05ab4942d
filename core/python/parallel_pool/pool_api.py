"""What a package around pools may use besides `parallel_pool` itself: an adapter, a buffer, pools on Ray.

docs/libraries.md lists the names by purpose.
"""

from parallel_pool import _core
from parallel_pool._core import ActionChecker as ActionChecker
from parallel_pool._core import ResultHandle as ResultHandle
from parallel_pool._core import XlaTurn as XlaTurn
from parallel_pool._core import xla_targets as xla_targets
from parallel_pool.computed_once import computed_once as computed_once
from parallel_pool.config.options import Declaration as Declaration
from parallel_pool.config.pool_config import PoolConfig as PoolConfig
from parallel_pool.config.pool_config import in_envpools_layout as in_envpools_layout
from parallel_pool.config.python_env import INFO_HANDLE as INFO_HANDLE
from parallel_pool.config.request import rows_of as rows_of
from parallel_pool.config.seeds import apart as apart
from parallel_pool.config.seeds import spread as spread
from parallel_pool.configure import explaining_memory as explaining_memory
from parallel_pool.configure import make_config as make_config
from parallel_pool.imports.libraries import imported as imported
from parallel_pool.imports.undisturbed import undisturbed as undisturbed
from parallel_pool.progress import Progress as Progress
from parallel_pool.registry import registry as registry
from parallel_pool.schema import result_tree as result_tree
from parallel_pool.schema.batches import concatenated as concatenated
from parallel_pool.schema.batches import is_mask as is_mask
from parallel_pool.schema.batches import reordered as reordered
from parallel_pool.schema.batches import row_values as row_values
from parallel_pool.schema.fields import Field as Field
from parallel_pool.schema.fields import bounds as bounds
from parallel_pool.schema.fields import tree_of as tree_of
from parallel_pool.schema.masks import refuse_mask as refuse_mask
from parallel_pool.schema.meanings import space_size as space_size
from parallel_pool.schema.players import is_multi_player as is_multi_player
from parallel_pool.schema.players import reward_is_per_player as reward_is_per_player
from parallel_pool.schema.spaces import space_of as space_of
from parallel_pool.schema.text_spaces import expect_arrays as expect_arrays
from parallel_pool.schema.text_spaces import text_space as text_space
from parallel_pool.schema.texts import expect_array_fields as expect_array_fields
from parallel_pool.schema.trees import leaves as leaves
from parallel_pool.schema.trees import map_tree as map_tree
from parallel_pool.schema.trees import paths as paths
from parallel_pool.schema.trees import put as put
from parallel_pool.schema.trees import with_leaves as with_leaves
from parallel_pool.tensors.convert import torch_module as torch_module
from parallel_pool.tensors.devices import torch_device as torch_device
from parallel_pool.views import result_trees as result_trees
from parallel_pool.views.base import PoolView as PoolView
from parallel_pool.views.base import stacked as stacked
from parallel_pool.views.dm import DmPool as DmPool
from parallel_pool.views.gym import GymPool as GymPool
from parallel_pool.views.gymnasium import GymnasiumPool as GymnasiumPool
from parallel_pool.views.player_actions import split_action as split_action
from parallel_pool.views.pool_spec import PoolSpec as PoolSpec
from parallel_pool.views.reset_arguments import ResetOptions as ResetOptions
from parallel_pool.views.single import SINGLE_FIXED as SINGLE_FIXED
from parallel_pool.views.single import OneEnvironment as OneEnvironment

NativePool = _core.Pool
