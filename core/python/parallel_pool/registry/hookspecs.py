"""The nine hooks of a plugin. Two suffice for a native family: `envs` and `library`.

A hook may accept fewer arguments than listed here, so that hooks can gain arguments later. Whatever
a hook raises is reported with the plugin's name and never disturbs other plugins.
"""

from collections.abc import Callable, Iterable, Mapping
from os import PathLike
from typing import Any

from parallel_pool.plugin_api import About, Check, EnvSpec, OldIds, Renderer, hookspec


@hookspec
def parallel_pool_envs() -> Iterable[EnvSpec]:  # type: ignore[empty-body]
    """Every environment of this plugin, as data. No numpy, no library, no disk scan; under 5 ms."""


@hookspec(firstresult=True)
def parallel_pool_about(spec: EnvSpec) -> About | None:
    """What the numbers of this environment mean. Called when a user asks, so its texts may be in a module of
    their own that is imported here. None: nothing is known.
    """


@hookspec(firstresult=True)
def parallel_pool_library(family: str) -> str | PathLike[str] | None:
    """Path of the shared library. Called when the first environment of the family is made."""


@hookspec(firstresult=True)
def parallel_pool_translate(spec: EnvSpec, options: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """Say what the user wrote in options of the library: other names for them, dicts, one of several types.

    Called with what the user passed, before it is checked. Returns all of it, not only what it
    changed; what it does not know it leaves alone, and is refused afterwards. None: nothing to change.
    Other names of arguments that all environments have in common are translated to those, too: Gymnasium's
    `width` to `render_width`. Not in `env_options`, which has options only.
    """


@hookspec(firstresult=True)
def parallel_pool_options(spec: EnvSpec, options: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """Check and complete options: find the ROM, the XML, the WAD. None: nothing to change.

    `options` holds the spec's presets overridden by what the user passed, and `spec.max_episode_steps` is the
    pool's, where it was given. Returns all options, not only the changed ones. Users see the values, unless
    they are of class `plugin_api.Internal` or of internal options. Raises `OptionError` with a message that
    says how to fix it.
    """


@hookspec(firstresult=True)
def parallel_pool_env_factory(
    spec: EnvSpec, options: Mapping[str, Any]
) -> Callable[[], Any] | None:
    """For `backend="python"`, of the spec or of `make`: what makes one gymnasium.Env. Most leave it out."""


@hookspec(firstresult=True)
def parallel_pool_renderer(
    spec: EnvSpec, mode: str, arguments: Mapping[str, Any]
) -> Renderer | None:
    """What draws environments in Python. Called at the first `render()` of a pool, not in a step; with
    `from_pixels`, when the pool is made, for each thread that draws (see `plugin_api.SceneRenderer`).

    mode: one of `spec.render_modes`. arguments: `width` and `height` in pixels (None: the usual),
    `camera` (an id, -1 for the free one, a name, or None for the usual). Raises `OptionError` for an
    argument that makes no sense, and where a package is missing says which command installs it. None, or
    no such hook: the library draws itself ("pp.render/1").
    """


@hookspec
def parallel_pool_doctor() -> Iterable[Check]:  # type: ignore[empty-body]
    """Health checks for `parallel-pool doctor`: assets found, engine version as expected."""


@hookspec
def parallel_pool_old_ids() -> Iterable[OldIds]:  # type: ignore[empty-body]
    """Ids from before or from other packages, with what to use here instead: for errors. Light, as the list."""
