"""Calls one plugin's hooks, and turns whatever goes wrong in there into an error that names it."""

import itertools
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeGuard

import pluggy

from parallel_pool.errors import OptionError, ParallelPoolError, PluginError
from parallel_pool.imports.undisturbed import undisturbed
from parallel_pool.plugin_api import About, Check, EnvSpec, Internal, OldIds, Part, Renderer
from parallel_pool.registry.described import described, one_line
from parallel_pool.registry.loading import load
from parallel_pool.registry.plugin import Plugin

MOST_ENVS = 20_000
"""That a plugin may list: more come from a generator that does not end."""

ABOUT = ("observation", "action", "reward", "ends", "original")


def names(plugin: Plugin) -> list[str]:
    """The hooks that a plugin has, which is loaded."""
    assert plugin.hook is not None
    return sorted(name for name, caller in vars(plugin.hook).items() if caller.get_hookimpls())


def list_envs(plugin: Plugin) -> list[object]:
    """What the plugin lists, not yet looked at. Raises whatever the hook raises."""
    assert plugin.hook is not None
    caller = plugin.hook.parallel_pool_envs
    if not caller.get_hookimpls():
        raise PluginError("no function of that name is marked @parallel_pool.plugin_api.hookimpl")
    items = itertools.chain.from_iterable(caller())
    listed = list(itertools.islice(items, MOST_ENVS + 1))
    if len(listed) > MOST_ENVS:
        raise PluginError(f"it lists more than {MOST_ENVS:,} environments")
    return listed


def library_path(plugin: Plugin) -> Path:
    """The shared library, seen to exist. Raises PluginError."""
    if plugin.library is not None:
        return plugin.library
    with _guard(plugin, "parallel_pool_library") as hook:
        path = hook(family=plugin.family)
        path = path if path is None or not hasattr(path, "__fspath__") else os.fspath(path)
    if path is None:
        raise PluginError(
            f"plugin {plugin.label} names no library; its hook parallel_pool_library is missing "
            f"or returned None. {plugin.fix}"
        )
    if not isinstance(path, str):
        raise PluginError(
            f"plugin {plugin.label}: parallel_pool_library must return a path, not {described(path)}"
        )
    library = Path(path)
    if not library.is_file():
        fix = f"Run `{plugin.reinstall}`"
        if plugin.by_program:
            fix = "Build it, or mend the path that was given to parallel_pool.register"
        raise PluginError(f"plugin {plugin.label}: the library {library} is missing. {fix}")
    index = None if library == plugin.compared else plugin.index
    if index is not None and index.library and not index.is_of(library, plugin.distribution):
        raise PluginError(
            f"plugin {plugin.label}: the library {library} is another than that of its index {index.path}. "
            f"Run `parallel-pool index {plugin.family}`, which writes it anew, or `{plugin.reinstall}`"
        )
    plugin.compared = library
    return library


def translate_options(plugin: Plugin, spec: EnvSpec, options: Mapping[str, Any]) -> dict[str, Any]:
    """What the user wrote, in options of the library; nothing of it checked yet.

    Raises OptionError as the plugin does; PluginError if the hook itself is broken.
    """
    return _mapping(plugin, "parallel_pool_translate", spec, options)


def complete_options(
    plugin: Plugin, spec: EnvSpec, options: Mapping[str, Any]
) -> tuple[dict[str, Any], frozenset[str]]:
    """The spec's presets overridden by `options`, checked and completed by the plugin; and the names of those
    that the library does not get as users see them.

    Raises OptionError as the plugin does; PluginError if the hook itself is broken.
    """
    completed = _mapping(plugin, "parallel_pool_options", spec, {**spec.options, **options})
    if lost := [name for name in options if name not in completed]:
        raise PluginError(
            f"plugin {plugin.label}: parallel_pool_options dropped {', '.join(map(repr, lost))} of {spec.id}; "
            "it must return all options that it is given, or None"
        )
    internal = {name: each.value for name, each in completed.items() if isinstance(each, Internal)}
    given = {name: each for name, each in completed.items() if name not in spec.python_options}
    return {**given, **internal}, frozenset([*internal, *spec.python_options])


def env_factory(plugin: Plugin, spec: EnvSpec, options: Mapping[str, Any]) -> Callable[[], Any]:
    """What makes one environment in Python. Raises PluginError if there is nothing."""
    factory = _first(plugin, "parallel_pool_env_factory", spec=spec, options=options)
    if not callable(factory):
        raise PluginError(
            f"plugin {plugin.label} cannot make {spec.id} in Python: its hook "
            f"parallel_pool_env_factory is missing or returned {described(factory)}"
        )
    made: Callable[[], Any] = factory
    return made


def renderer(
    plugin: Plugin, spec: EnvSpec, mode: str, arguments: Mapping[str, Any]
) -> Renderer | None:
    """What draws this environment in Python; None: its library does. Raises as the plugin does."""
    made: Renderer | None = _first(
        plugin, "parallel_pool_renderer", spec=spec, mode=mode, arguments=dict(arguments)
    )
    return made


def about(plugin: Plugin, spec: EnvSpec) -> About | None:
    """What the numbers of this environment mean; None: not known. Raises PluginError if the hook is broken."""
    said = plugin.index.described.get(spec.id, {}) if plugin.index else {}
    if said.keys() >= set(ABOUT):
        observation, action = (tuple(itertools.starmap(Part, said[name])) for name in ABOUT[:2])
        return About(observation, action, *(said[name] for name in ABOUT[2:]))
    answer = _first(plugin, "parallel_pool_about", spec=spec)
    if answer is None or isinstance(answer, About):
        return answer
    raise PluginError(
        f"plugin {plugin.label}: parallel_pool_about must return an About or None, not {described(answer)}"
    )


def old_ids(plugin: Plugin) -> Sequence[OldIds]:
    """Ids that the plugin says something of, though no environment has them. Raises PluginError if its hook is
    broken."""
    if plugin.index is not None:
        return plugin.index.old_ids
    found = _gather(plugin, "parallel_pool_old_ids")
    for each in found:
        if not isinstance(each, OldIds):
            raise PluginError(
                f"plugin {plugin.label}: parallel_pool_old_ids must yield OldIds, not {described(each)}"
            )
    return [each for each in found if isinstance(each, OldIds)]


def checks(plugin: Plugin) -> list[Check]:
    """The plugin's own health checks; a hook that fails becomes a failed check."""
    name = "parallel_pool_doctor"
    try:
        results = _gather(plugin, name)
    except ParallelPoolError as error:
        return [Check(name, False, str(error), plugin.reinstall)]
    return [
        each
        if _is_check(each)
        else Check(name, False, f"must yield Check with texts, not {described(each)}")
        for each in results
    ]


def _is_check(value: object) -> TypeGuard[Check]:
    return isinstance(value, Check) and all(
        isinstance(text, str) for text in (value.name, value.detail, value.hint, value.advice)
    )


def _first(plugin: Plugin, name: str, **arguments: Any) -> Any:
    with _guard(plugin, name) as hook:
        return hook(**arguments)


def _mapping(
    plugin: Plugin, name: str, spec: EnvSpec, options: Mapping[str, Any]
) -> dict[str, Any]:
    # A copy, so that a hook that edits its argument and returns None changes nothing.
    with _guard(plugin, name) as hook, _file_of(spec, options):
        changed = hook(spec=spec, options=dict(options))
        made = dict(changed) if isinstance(changed, Mapping) else None  # may run its code
    if changed is None:
        return dict(options)
    if made is None or not all(isinstance(key, str) for key in made):
        wanted = "a mapping or None" if made is None else "a mapping with texts as keys"
        raise PluginError(
            f"plugin {plugin.label}: {name} must return {wanted}, not {described(changed)}"
        )
    return made


def _gather(plugin: Plugin, name: str) -> list[object]:
    with _guard(plugin, name) as hook:
        # Iterated in here: a hook may be a generator, which runs only now.
        return [item for result in hook() for item in result]


@contextmanager
def _file_of(spec: EnvSpec, options: Mapping[str, Any]) -> Iterator[None]:
    """A file that cannot be used because of an option is the option's error."""
    try:
        yield
    except OSError as error:
        for name, value in options.items():
            if isinstance(value, str | Path) and str(value) and str(value) in str(error.filename):
                raise OptionError(
                    f"{spec.id}: option {name!r} is {described(str(value))}: {error.strerror}"
                ) from error
        raise


@contextmanager
def _guard(plugin: Plugin, name: str) -> Iterator[pluggy.HookCaller]:
    if plugin.hook is None and not undisturbed(load, plugin):
        raise PluginError(f"plugin {plugin.label} cannot be used: {plugin.reason}")
    try:
        yield getattr(plugin.hook, name)
    except (KeyboardInterrupt, ParallelPoolError):
        raise
    except BaseException as error:  # SystemExit too, and Rust panics, which are no Exceptions
        raise PluginError(
            f"plugin {plugin.label}: its hook {name} raised {one_line(error)}. {plugin.fix}"
        ) from error
