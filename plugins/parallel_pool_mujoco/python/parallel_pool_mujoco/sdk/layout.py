"""Computes where the members of MuJoCo's structs are, from `mujoco.introspect` by C's rules.

MuJoCo ships the declarations of its structs as data. From them `ctypes` lays the structs out as the
C compiler of the same platform does. Nothing here knows a version of MuJoCo; that the result is true
is for `verify` to say.
"""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from typing import Any, NamedTuple

_PRIMITIVES: dict[str, Any] = {
    "bool": ctypes.c_bool,
    "char": ctypes.c_char,
    "double": ctypes.c_double,
    "float": ctypes.c_float,
    "int": ctypes.c_int,
    "int64_t": ctypes.c_int64,
    "mjtBool": ctypes.c_uint8,
    "mjtByte": ctypes.c_uint8,
    "mjtNum": ctypes.c_double,  # `verify` finds a build with floats
    "mjtSize": ctypes.c_int64,
    "signed char": ctypes.c_int8,
    "size_t": ctypes.c_size_t,
    "uint32_t": ctypes.c_uint32,
    "uint64_t": ctypes.c_uint64,
    "uintptr_t": ctypes.c_size_t,
    "unsigned char": ctypes.c_uint8,
    "unsigned int": ctypes.c_uint,
    "unsigned long long": ctypes.c_ulonglong,
}


class Member(NamedTuple):
    """A member of a struct; of a struct within a struct, the path has dots."""

    path: str
    type: str
    """The type as in C, `mjtNum *`."""
    offset: int
    """In bytes, from the beginning of the outermost struct."""
    extents: str
    """The sizes of the array that a pointer points to, `nbody 3`; else empty."""


class Layouts:
    """The structs of the installed MuJoCo. Raises KeyError or TypeError for a type not known here."""

    def __init__(self) -> None:
        from mujoco.introspect import ast_nodes, enums, structs

        self._nodes: Any = ast_nodes
        self._enums: Any = enums.ENUMS
        self._structs: Any = structs.STRUCTS
        self._made: dict[str, Any] = {}
        self._by_declaration = {
            _plain(each.declname): name for name, each in self._structs.items() if each.declname
        }

    def size(self, struct: str) -> int:
        """Bytes of one `struct`."""
        return ctypes.sizeof(self._struct(struct))

    def members(self, struct: str) -> Iterator[Member]:
        """All members of `struct`, and those of structs that lie within it by value."""
        yield from self._members(self._structs[struct].fields, self._struct(struct), "", 0)

    def _members(self, fields: Any, made: Any, prefix: str, base: int) -> Iterator[Member]:
        nodes = self._nodes
        for field in fields:
            if not getattr(field, "name", ""):
                continue
            offset = base + getattr(made, field.name).offset
            path, kind = prefix + field.name, field.type
            if isinstance(kind, nodes.AnonymousStructDecl):
                inner = dict(made._fields_)[field.name]
                yield from self._members(kind.fields, inner, path + ".", offset)
                continue
            if isinstance(kind, nodes.ValueType) and (name := self._name(kind.name)):
                fields_within = self._structs[name].fields
                yield from self._members(fields_within, self._struct(name), path + ".", offset)
                continue
            extents = " ".join(map(_extent, getattr(field, "array_extent", None) or ()))
            yield Member(path, str(kind), offset, extents)

    def _name(self, type_name: str) -> str | None:
        if type_name in self._structs:
            return type_name
        return self._by_declaration.get(_plain(type_name))

    def _struct(self, name: str) -> Any:
        if name not in self._made:
            self._made[name] = self._aggregate(name, self._structs[name].fields)
        return self._made[name]

    def _aggregate(self, name: str, fields: Any, base: Any = ctypes.Structure) -> Any:
        members = [(each.name, self._type(each.type)) for each in fields if hasattr(each, "name")]
        return type(name, (base,), {"_fields_": members})

    def _type(self, kind: Any) -> Any:
        nodes = self._nodes
        if isinstance(kind, nodes.PointerType):
            return ctypes.c_void_p
        if isinstance(kind, nodes.ArrayType):
            made = self._type(kind.inner_type)
            for extent in reversed(kind.extents):
                made = made * extent
            return made
        if isinstance(kind, nodes.AnonymousStructDecl):
            return self._aggregate("anonymous", kind.fields)
        if isinstance(kind, nodes.AnonymousUnionDecl):
            return self._aggregate("anonymous", kind.fields, ctypes.Union)
        if not isinstance(kind, nodes.ValueType):
            raise TypeError(f"a member of a kind that is not known here: {kind!r}")
        if kind.name in _PRIMITIVES:
            return _PRIMITIVES[kind.name]
        if kind.name in self._enums:
            return ctypes.c_int
        if (name := self._name(kind.name)) is None:
            raise KeyError(kind.name)
        return self._struct(name)


def _extent(extent: Any) -> str:
    import mujoco

    return str(getattr(mujoco, str(extent), extent))  # mjNREF is a macro: no enumeration has it


def _plain(declaration: str) -> str:
    return declaration.removeprefix("struct ").removesuffix("_")
