"""The index of a plugin, `FAMILY.envs.json` beside its library: what can be known without importing the plugin.

`parallel-pool index` writes it when the library is built; docs/abi.md describes the format. A core that does
not know a newer format, and an editable install whose Python changed since, ask the plugin itself.
"""

import hashlib
import importlib.metadata
import json
from base64 import urlsafe_b64encode
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from itertools import chain
from pathlib import Path, PurePosixPath
from typing import Any

from parallel_pool.errors import PluginError
from parallel_pool.plugin_api import EnvSpec, OldIds, places
from parallel_pool.registry.described import one_line

FORMAT = 1
SUFFIX = ".envs.json"
_SOURCES = (".py", ".json", ".toml", ".txt")
"""Files of a package that may say what its environments are."""
_DEFAULTS = {each.name: getattr(EnvSpec("a/A-v0"), each.name) for each in fields(EnvSpec)}


@dataclass(frozen=True, slots=True)
class Index:
    """An index that was read."""

    path: Path
    specs: Sequence[EnvSpec]
    library: Mapping[str, str]
    """`file`, its name beside the index, and `sha256`; empty: the plugin has no library."""
    old_ids: Sequence[OldIds]
    declarations: Sequence[Mapping[str, Any]]
    """All options that the library declares, each once."""
    natives: Mapping[str, Mapping[str, Sequence[int]]]
    """By id in the library, `options` and `reset_options`: numbers of declarations."""
    described: Mapping[str, Mapping[str, Any]]
    """By id, also what is no part of the EnvSpec, if nothing of this machine decides it: see cli/index.py."""

    def declaration(self, native: str) -> dict[str, Any]:
        """The options of an environment and those of its resets, as `_core.Plugin.declaration` has them."""
        return {
            name: [_declared(self.declarations[number]) for number in numbers]
            for name, numbers in self.natives[native].items()
        }

    def description(self, spec: EnvSpec) -> dict[str, Any]:
        """What `_core.Plugin.describe` gives for an environment that is in `described`, with its presets."""
        said = self.described[spec.id]["description"]
        return {**said, "fields": [*map(_field, said["fields"])]}

    def is_of(self, library: Path, distribution: str) -> bool:
        """Whether the index was made of this library, or both are as the RECORD of a repaired wheel says."""
        if (digest := _sha256(library)).hex() == self.library.get("sha256"):
            return True
        record = importlib.metadata.distribution(distribution).read_text("RECORD") or ""
        digests = {library.name: digest, self.path.name: _sha256(self.path)}
        pairs = ((name, urlsafe_b64encode(each).decode()[:-1]) for name, each in digests.items())
        return all(f"/{name},sha256={each}," in record for name, each in pairs)


def _declared(said: Mapping[str, Any]) -> dict[str, Any]:
    import numpy as np  # most of what reads an index needs none

    default = np.array(said["default"], float) if said["kind"] == "array" else said["default"]
    return {**said, "default": default, "choices": tuple(said["choices"])}


def _field(said: Mapping[str, Any]) -> dict[str, Any]:
    import numpy as np

    dtype = np.dtype(said["dtype"])
    ends = {name: said[name] for name in ("low", "high") if said[name] is not None}
    arrays = {name: np.array(end, dtype) for name, end in ends.items()}
    return {**said, **arrays, "dtype": dtype, "shape": tuple(said["shape"])}


def find(distribution: importlib.metadata.Distribution, family: str) -> Path | None:
    """The index beside the library that the distribution's RECORD names, or that RECORD names itself."""
    for line in (distribution.read_text("RECORD") or "").splitlines():
        name = PurePosixPath(line.partition(",")[0])
        if name.name.partition(".")[0] == family:
            path = Path(str(distribution.locate_file(name.with_name(family + SUFFIX))))
            if path.is_file():
                return path
    return None


def read(path: Path, distribution: importlib.metadata.Distribution, module: str) -> Index | None:
    """The index; None where it does not serve. Raises PluginError for a damaged file."""
    specs, described = [], {}
    field = "format"
    try:
        said = json.loads(path.read_text("utf-8"))
        if said["format"] != FORMAT or _changed(distribution, module, said["python"]):
            return None
        for number, row in enumerate(said["environments"]):
            field = f"environments[{number}]"
            row = dict(said["common"][each] for each in row.pop("common")) | row
            described[row["id"]] = row
            specs.append(EnvSpec(**{name: each for name, each in row.items() if name in _DEFAULTS}))
        field = "natives"
        for declared in said[field].values():
            [said["declarations"][number] for number in chain(*declared.values())]
        field = "old_ids"
        said[field] = [OldIds(tuple(names), dict(forms)) for names, forms in said[field]]
        field = "library"
        said |= {"specs": specs, "described": described, "library": dict(said[field])}
        return Index(path, **{each.name: said[each.name] for each in fields(Index)[1:]})
    except Exception as error:
        raise PluginError(f"{path}: {field} is damaged ({one_line(error)})") from error


def text_of(
    specs: Iterable[EnvSpec],
    library: Path | None,
    old_ids: Sequence[OldIds],
    natives: Mapping[str, Mapping[str, Sequence[Mapping[str, Any]]]],
    described: Mapping[str, Mapping[str, Any]],
    package: Path | None,
) -> str:
    """The text of an index. package: the folder of the plugin's Python. Raises TypeError for what is no JSON.

    natives and described: as in Index, with the declarations themselves.
    """
    rows = [{**_row(spec), **described[spec.id]} for spec in specs]
    # What several environments have in common stands once.
    times = Counter(map(_json, chain.from_iterable(row.items() for row in rows)))
    common: dict[str, int] = {}
    declarations: dict[str, int] = {}
    rows = [
        {
            "common": [_number(common, each) for each in row.items() if times[_json(each)] > 1],
            **{name: each for name, each in row.items() if times[_json((name, each))] == 1},
        }
        for row in rows
    ]
    said = {
        "format": FORMAT,
        "library": {"file": library.name, "sha256": _sha256(library).hex()} if library else {},
        "python": _sources(package) if package else "",
        "old_ids": [(each.names, each.forms) for each in old_ids],
        "natives": {
            native: {
                name: [_number(declarations, one) for one in each]
                for name, each in declared.items()
            }
            for native, declared in natives.items()
        },
        "declarations": [*map(json.loads, declarations)],
        "common": [*map(json.loads, common)],
        "environments": rows,
    }
    return _json(said) + "\n"


def equal(one: str, other: str) -> bool:
    """Whether two indexes say the same; files of the package, and the library, may differ."""
    said, also = ({**json.loads(text), "python": "", "library": ""} for text in (one, other))
    return said == also


def _number(table: dict[str, int], value: Any) -> int:
    """Of a value, which is once in the table, as JSON."""
    return table.setdefault(_json(value), len(table))


def _json(value: Any) -> str:
    # Arrays are lists there.
    return json.dumps(value, separators=(",", ":"), default=lambda each: each.tolist())


def _row(spec: EnvSpec) -> dict[str, Any]:
    said = {name: getattr(spec, name) for name in _DEFAULTS}
    return {name: value for name, value in said.items() if value != _DEFAULTS[name]}


def _changed(distribution: importlib.metadata.Distribution, module: str, python: str) -> bool:
    """Whether it is an editable install and its Python is not that of the index."""
    said = json.loads(distribution.read_text("direct_url.json") or "{}")
    editable = said.get("dir_info", {}).get("editable")
    return bool(editable) and python not in map(_sources, places(package_of(module)))


def package_of(module: str) -> str:
    """The package of what an entry point names."""
    return module.partition(":")[0].partition(".")[0]


def _sources(package: Path) -> str:
    digest = hashlib.sha256()
    for file in sorted(package.rglob("*")):
        if file.suffix in _SOURCES and not file.name.endswith(SUFFIX):
            digest.update(f"{file.relative_to(package).as_posix()}\0".encode() + file.read_bytes())
    return digest.hexdigest()


def _sha256(file: Path) -> bytes:
    with file.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").digest()
