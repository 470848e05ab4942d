"""Writes a new plugin from the template, as cookiecutter would, without needing it.

The template's files use plain `{{ cookiecutter.name }}` substitutions and `{% raw %}` blocks; its hooks, which
check the answers and choose between variants, are run as cookiecutter runs them. A test compares the two.
"""

from __future__ import annotations

import datetime
import importlib.util
import json
import re
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path

from parallel_pool.author_api import install_command, owner
from parallel_pool.errors import OptionError

TEMPLATE = Path(__file__).parents[1] / "template"
_PLACE = re.compile(r"\{\{ cookiecutter\.(\w+) \}\}")
_RAW = re.compile(r"\{% raw %\}(.*?)\{% endraw %\}", re.DOTALL)


def questions() -> dict[str, list[str]]:
    """The questions in order, each with its choices (the first is the default) or its default."""
    return {
        name: value if isinstance(value, list) else [value]
        for name, value in _declared().items()
        if not name.startswith("_")
    }


def _declared() -> dict[str, str | list[str]]:
    declared: dict[str, str | list[str]] = json.loads(_read(TEMPLATE / "cookiecutter.json"))
    return declared


def _read(path: Path) -> str:
    return path.read_text("utf-8")  # also where the locale says otherwise


def kind_of(family: str) -> Path:
    """The folder `template` in the package of a first-party family: files in place of ours, or, as FILE.append,
    at the end of them; FILE.removed takes one away. Raises OptionError where there is none.
    """
    package = importlib.util.find_spec(f"parallel_pool_{family}")
    if package is None:
        raise OptionError(
            f"--{family} needs {owner(family)}, which is not installed: run `{install_command(family)}`"
        )
    for folder in package.submodule_search_locations or ():
        if (template := Path(folder, "template")).is_dir():
            return template
    raise OptionError(f"{owner(family)} has no template of a plugin: leave --{family} out")


def complete(answers: Mapping[str, str]) -> dict[str, str]:
    """Every variable of the template. Raises OptionError for an answer that is none of the choices."""
    family = answers["family"]
    full = {name: choices[0] for name, choices in questions().items()}
    full["env"] = family.replace("_", " ").title().replace(" ", "")
    for name, value in answers.items():
        choices = questions()[name]
        if len(choices) > 1 and value not in choices:
            raise OptionError(f"{name} is {value!r}, expected one of {', '.join(choices)}")
        if not value.isprintable():
            raise OptionError(f"{name} is {value!r}: it has to be one line of plain text")
        if name != "author" and ('"' in value or "\\" in value):
            raise OptionError(f"{name} is {value!r}: quotes and backslashes cannot be part of it")
        full[name] = value
    proprietary = full["license"] == "proprietary"
    return full | {
        "__module": f"parallel_pool_{family}",
        "__distribution": f"parallel-pool-{family.replace('_', '-')}",
        "__spdx": "LicenseRef-Proprietary" if proprietary else full["license"],
        "__year": str(datetime.datetime.now(datetime.UTC).year),
        "__author": full["author"].replace("\\", "\\\\").replace('"', '\\"'),
        "__core": str(_declared()["__core"]),
        "__also": "",
    }


def check(answers: Mapping[str, str]) -> None:
    """Raises OptionError for invalid answers. Missing answers are accepted."""
    with tempfile.TemporaryDirectory() as nowhere:
        _hook("pre_gen_project", complete({"env": "Env", **answers}), Path(nowhere))


def write_plugin(
    answers: Mapping[str, str],
    parent: Path,
    say: Callable[[str], None] = lambda _: None,
    on: str | None = None,
) -> Path:
    """Writes the plugin's folder into `parent` and returns it. say: called with remarks of the template.

    on: the family whose package it builds on (`kind_of`). Raises OptionError for invalid answers, and if the
    folder exists.
    """
    kind = kind_of(on) if on else None
    variables = complete(answers)
    if on:
        variables["__also"] = f', "{owner(on)}>={variables["__core"]}"'
    target = parent / variables["__distribution"]
    if target.exists():
        raise OptionError(f"{target} is there already: move it away, or choose another family")
    check({name: variables[name] for name in questions()})
    source = TEMPLATE / "{{ cookiecutter.__distribution }}"
    parent.mkdir(parents=True, exist_ok=True)
    # Whole or not at all: a half-written plugin would be in the way of the next attempt.
    with tempfile.TemporaryDirectory(dir=parent) as scratch:
        draft = Path(scratch) / target.name
        _write(source, draft, variables)
        if remark := _hook("post_gen_project", variables, draft):
            say(remark)
        if kind:
            _write(kind, draft, variables)
        draft.rename(target)
    return target


def _write(source: Path, draft: Path, variables: Mapping[str, str]) -> None:
    for path in sorted(source.rglob("*")):
        if not path.is_file() or "__pycache__" in path.parts:
            continue
        written = draft / _render(str(path.relative_to(source)), variables)
        if written.suffix == ".removed":
            written.with_suffix("").unlink()
            if not any(written.parent.iterdir()):
                written.parent.rmdir()
            continue
        text = _render(_read(path), variables)
        if written.suffix == ".append":
            written = written.with_suffix("")
            text = _read(written) + text
        written.parent.mkdir(parents=True, exist_ok=True)
        written.write_text(text, "utf-8")


def _render(text: str, variables: Mapping[str, str]) -> str:
    return _RAW.sub(r"\1", _PLACE.sub(lambda place: variables[place[1]], text))


def _hook(name: str, variables: Mapping[str, str], folder: Path) -> str:
    """The output of the hook."""
    program = _render(_read(TEMPLATE / "hooks" / f"{name}.py"), variables)
    # By standard input, and in UTF-8 mode: the arguments of a process are in the locale's encoding.
    done = subprocess.run(
        [sys.executable, "-X", "utf8", "-"],
        input=program,
        cwd=folder,
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    if done.returncode != 0:
        raise OptionError(done.stderr.strip().removeprefix("error: "))
    return done.stdout.strip()
