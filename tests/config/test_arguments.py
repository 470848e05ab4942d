"""Each argument of a pool is declared once: what the page, the stub and the native struct say follows."""

from pathlib import Path
from typing import Any

import pytest
from parallel_pool import _core
from parallel_pool.config.arguments import ARGUMENTS, Argument, table
from parallel_pool.config.kinds import Choice, IntRange, Seconds
from parallel_pool.configure import make_config
from parallel_pool.errors import OptionError

ROOT = Path(__file__).parents[2]
ID = "test/Count-v0"


def test_the_page_has_the_table() -> None:
    page = (ROOT / "docs/pool.md").read_text(encoding="utf-8")
    assert table() in page, "docs/pool.md: put what config.arguments.table() gives in its place"


@pytest.mark.parametrize(
    "argument", [each for each in ARGUMENTS if each.native], ids=lambda a: a.name
)
def test_an_argument_goes_where_it_says(
    argument: Argument, test_envs: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    config = make_config(ID, {"num_envs": 3})
    monkeypatch.setattr(_core, "PoolConfig", dict)
    native: Any = config.native()
    assert native[argument.native] == config.values[argument.name]


def _bad(argument: Argument) -> list[Any]:
    kind = argument.kind
    if isinstance(kind, IntRange):
        return [kind.low - 1, kind.high + 1, 1.5, True, "1"]
    if isinstance(kind, Choice):
        return ["nothing of the kind", 3]
    return [0, -1, float("inf"), "1"] if isinstance(kind, Seconds) else []


@pytest.mark.parametrize(
    ("argument", "value"),
    [(argument, value) for argument in ARGUMENTS for value in _bad(argument)],
    ids=lambda each: each.name if isinstance(each, Argument) else repr(each),
)
def test_what_is_not_allowed_is_refused_by_name(
    argument: Argument, value: Any, test_envs: None
) -> None:
    with pytest.raises(OptionError, match=rf"{ID}: {argument.name} is .*, expected "):
        make_config(ID, {argument.name: value})


def test_effective_values_are_in_config(test_envs: None) -> None:
    values = make_config(ID, {}).values
    assert list(values)[: len(ARGUMENTS) + 1] == ["task_id", *(each.name for each in ARGUMENTS)]


def test_the_native_struct_refuses_words_and_members_it_does_not_know() -> None:
    with pytest.raises(ValueError, match="autoreset_mode is 'Sometimes'"):
        _core.PoolConfig(autoreset_mode="Sometimes")
    with pytest.raises(TypeError, match="no_such"):
        _core.PoolConfig(**{"num_envs": 1, "no_such": 2})
