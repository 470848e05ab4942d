"""Results on their way to a GPU: out of memory that it reads itself, in their own stream, two at a time.

Large results are read where the environments wrote them: their batch is registered with CUDA when it is first
seen, and circulates. What does not lie in such a batch is first gathered in one pinned block.

What is copied, and where the tensors are in it, is found out once for each form of results: `Plan`.
"""

from __future__ import annotations

import ctypes
import warnings
from collections import deque
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np

from parallel_pool.schema.trees import is_tuple, map_tree, tuple_like
from parallel_pool.tensors.convert import has_tensors, tensor_converter, torch_module, writeable
from parallel_pool.tensors.devices import Device

_ALIGNMENT = 512
_COLUMN = 128
"""A batch is aligned to that, and so is each of its columns."""
REGISTERED = 256 << 10
"""Bytes of a batch from which it is registered: those have pages of their own, smaller ones share theirs."""
_GAP = 64 << 10
"""What lies between two columns and is not wanted is copied with them up to so many bytes."""
_LARGEST = 16
"""Bytes of the largest elements; columns have room for a multiple of it."""
_ARRAY, _CONSTANT = object(), object()
"""Of a form: an array, by dtype and shape; one of equal elements, by value, dtype and shape."""

Blocks = Callable[[int, Callable[[int, int], Any]], tuple[int, int, Any] | None]
"""`_core.Pool.block`."""


class Plan(NamedTuple):
    """Where the arrays of results of one form lie, and where their tensors do on the device."""

    direct: bool
    """Whether the device reads the batch by itself."""
    stretches: list[tuple[int, int]]
    """Of the batch, relative to where it begins: what is copied in one piece, from one byte to another."""
    elsewhere: list[int]
    """The numbers of the tensors that lie elsewhere, or are not contiguous."""
    places: list[tuple[int, Any, Any]]
    """Where in the pinned block the stretches are gathered, unless `direct`, and then those elsewhere: byte,
    dtype and shape."""
    size: int
    """Bytes of the pinned block that these take."""
    kinds: list[tuple[int, Any]]
    """What is looked at on the device with which dtype: the number of the copied piece, and the dtype."""
    views: list[tuple[int, int, Any, Any, int]]
    """The tensors: number in the result, number of the kind, shape, strides and offset, in elements."""
    constants: list[Any]
    """By number in the result, what is the same in all results; None where `views` has it."""


class Lease:
    """The memory of a batch, which lives longer than this, as a tensor of bytes."""

    def __init__(self, begin: int, size: int, registration: Any) -> None:
        torch = torch_module()
        self.bytes = torch.frombuffer(
            (ctypes.c_uint8 * size).from_address(begin), dtype=torch.uint8
        )
        self.registration = registration
        """None: the device does not read it by itself."""


class Slot:
    """What a copy uses while it is under way."""

    def __init__(self) -> None:
        self.pinned: Any = None
        self.places: dict[int, list[Any]] = {}
        """By a plan's id, its places in the pinned block, as tensors."""
        self.read: Any = None
        self.done: Any = None


class Transfer:
    """Copies results to a device. A result's tensors there are views of the few blocks it was copied in."""

    def __init__(self, device: Device, blocks: Blocks | None = None) -> None:
        """blocks: the memory of the batches of the pool."""
        self._device = device
        self._blocks = blocks
        self._from_numpy: Any = torch_module().from_numpy
        self._on_the_cpu = tensor_converter()
        self._slots = deque([Slot(), Slot()])
        self._plans: dict[Any, Plan] = {}
        self._true: Any = None
        """The last mask that was all true: results of a pool share one."""
        self._refused = False

    def __del__(self) -> None:
        for slot in self._slots:
            if slot.done is not None:
                self._device.wait(slot.done)  # or batches would circulate while they are read

    def move(self, result: Any, non_blocking: bool) -> Any:
        """A result of arrays, as tensors on the device. non_blocking: the copy may still be under way; what the
        caller's current stream does with it comes after it.
        """
        tensors: list[Any] = []
        form: list[Any] = []
        self._read(result, tensors, form)
        lease, plan = self._planned(tuple(form), tensors)
        sources = stretches = [] if lease is None else [lease.bytes[a:b] for a, b in plan.stretches]
        try:
            slot = self._slots.popleft()
        except IndexError:  # other threads, or what a signal handler interrupted, use them all
            slot = Slot()
        try:
            if slot.done is not None:
                self._device.wait(slot.done)  # or what is being copied would be written
            if plan.places:
                gathered = [tensors[number] for number in plan.elsewhere]
                if not plan.direct:
                    sources, gathered = [], stretches + gathered
                for place, source in zip(self._places(slot, plan), gathered, strict=True):
                    place.copy_(source)
                sources = [*sources, slot.pinned[: plan.size]]
            moved, slot.done = self._device.start(sources)
            slot.read = tensors
            if non_blocking:
                self._device.order(moved, slot.done)
            else:
                self._device.wait(slot.done)
        finally:
            self._slots.append(slot)
        kinds = [moved[piece].view(dtype) for piece, dtype in plan.kinds]
        views = plan.constants.copy()
        for number, kind, shape, strides, offset in plan.views:
            views[number] = kinds[kind].as_strided(shape, strides, offset)
        return self._shown(result, iter(views))

    def _read(self, part: Any, tensors: list[Any], form: list[Any], idle: bool = False) -> None:
        """Adds the arrays of a part of a result, in order, and to its form what tells it from others."""
        if type(part) is np.ndarray:
            if not has_tensors(part.dtype):
                form.append(None)
            elif idle or (not part.flags.writeable and self._all_true(part)):
                form.append((_CONSTANT, not idle, part.dtype, part.shape))
            else:
                form.append((_ARRAY, part.dtype, part.shape))
                tensors.append(self._from_numpy(writeable(part)))
        elif isinstance(part, dict):
            form.append(tuple(part))
            for name, member in part.items():
                # They are valid where an episode ended.
                last = name in ("final_obs", "final_obs_dense") and part.get(f"_{name}")
                unused = idle or (isinstance(last, np.ndarray) and not last.any())
                self._read(member, tensors, form, unused)
        elif is_tuple(part):
            form.append(len(part))
            for member in part:
                self._read(member, tensors, form, idle)
        else:
            form.append(None)

    def _all_true(self, mask: Any) -> bool:
        if mask is not self._true and mask.dtype == np.bool_ and mask.all():
            self._true = mask
        return mask is self._true

    def _planned(self, form: tuple[Any, ...], tensors: list[Any]) -> tuple[Lease | None, Plan]:
        """The memory of the batch that the largest of the tensors lies in, and the plan for such results."""
        block = None
        if self._blocks is not None and tensors:
            largest = max(tensors, key=lambda tensor: tensor.nbytes)
            block = self._blocks(largest.data_ptr(), self._lend)
        begin, size, lease = (0, 0, None) if block is None else block
        places = [tensor.data_ptr() - begin for tensor in tensors]
        offsets = tuple([place if 0 <= place < size else -1 for place in places])
        direct = lease is not None and lease.registration is not None
        key = form, offsets, direct
        plan = self._plans.get(key)
        if plan is None:
            with torch_module().inference_mode(False):  # or its constants were for that mode alone
                plan = self._plans.setdefault(key, self._plan(form, tensors, offsets, direct))
        return lease, plan

    def _plan(
        self, form: tuple[Any, ...], tensors: list[Any], offsets: tuple[int, ...], direct: bool
    ) -> Plan:
        torch = torch_module()
        inside = sorted(
            (offset, number)
            for number, offset in enumerate(offsets)
            if offset >= 0 and tensors[number].is_contiguous()
        )
        stretches: list[tuple[int, int]] = []
        at: dict[int, tuple[int, int]] = {}  # by number of a tensor, its piece and the byte there
        for offset, number in inside:
            end = offset + _rounded(tensors[number].nbytes, _LARGEST)
            if stretches and offset - stretches[-1][1] <= _GAP:
                stretches[-1] = stretches[-1][0], max(stretches[-1][1], end)
            else:
                # What follows is aligned as it is here.
                stretches.append((offset - offset % _COLUMN, end))
            at[number] = len(stretches) - 1, offset - stretches[-1][0]
        elsewhere = [number for number in range(len(tensors)) if number not in at]
        places, size = [], 0
        if not direct:
            begins = []
            for a, b in stretches:
                begins.append(size)
                places.append((size, torch.uint8, torch.Size([b - a])))
                size += _rounded(b - a, _ALIGNMENT)
            at = {number: (0, begins[piece] + byte) for number, (piece, byte) in at.items()}
        for number in elsewhere:
            tensor = tensors[number]
            at[number] = len(stretches) if direct else 0, size
            places.append((size, tensor.dtype, tensor.shape))
            size += _rounded(tensor.nbytes, _ALIGNMENT)
        kinds: dict[tuple[int, Any], int] = {}
        constants: list[Any] = []
        views = []
        numbers = iter(range(len(tensors)))
        for entry in form:
            if not isinstance(entry, tuple) or not entry:
                continue
            if entry[0] is _CONSTANT:
                _, value, dtype, shape = entry
                of_torch = self._from_numpy(np.empty(0, dtype)).dtype
                constants.append(self._device.constant(value, of_torch).expand(shape))
            elif entry[0] is _ARRAY:
                number = next(numbers)
                tensor, (piece, byte) = tensors[number], at[number]
                # As of a contiguous one.
                strides = torch.empty(tensor.shape, device="meta").stride()
                kind = kinds.setdefault((piece, tensor.dtype), len(kinds))
                views.append((len(constants), kind, tensor.shape, strides, byte // tensor.itemsize))
                constants.append(None)
        return Plan(direct, stretches, elsewhere, places, size, list(kinds), views, constants)

    def _lend(self, begin: int, size: int) -> Lease:
        registration = self._device.registered(begin, size) if size >= REGISTERED else None
        if registration is None and size >= REGISTERED and not self._refused:
            self._refused = True
            warnings.warn(
                "CUDA refuses to read the memory of results by itself (cudaHostRegister): the CPU copies them "
                "once more on their way to the device",
                stacklevel=2,
            )
        return Lease(begin, size, registration)

    def _places(self, slot: Slot, plan: Plan) -> list[Any]:
        places = slot.places.get(id(plan))
        if places is None:
            # Or nothing could be copied there outside of that mode.
            with torch_module().inference_mode(False):
                if slot.pinned is None or slot.pinned.numel() < plan.size:
                    slot.pinned = self._device.pinned(plan.size)
                    slot.places.clear()
                places = slot.places[id(plan)] = [
                    slot.pinned[at : at + shape.numel() * dtype.itemsize].view(dtype).view(shape)
                    for at, dtype, shape in plan.places
                ]
        return places

    def _shown(self, part: Any, views: Iterator[Any]) -> Any:
        """A part of a result with the next of `views` in place of each array."""
        if type(part) is np.ndarray:
            return next(views) if has_tensors(part.dtype) else self._on_the_cpu(part)
        if isinstance(part, dict):
            # Then its rows are those of the dense.
            again = "final_obs" in part and "final_obs_dense" in part
            shown = {
                name: member if again and name == "final_obs" else self._shown(member, views)
                for name, member in part.items()
            }
            if again:
                shown["final_obs"] = _rows(part["final_obs"], shown["final_obs_dense"])
            return shown
        if is_tuple(part):
            return tuple_like(part, [self._shown(member, views) for member in part])
        return part


def _rows(objects: Any, dense: Any) -> Any:
    """Of `dense` the rows that are not None, in an array of objects."""
    rows = np.full(len(objects), None, object)
    for row, member in enumerate(objects):
        if member is not None:
            rows[row] = map_tree(lambda leaf, row=row: leaf[row], dense)
    return rows


def _rounded(size: int, to: int) -> int:
    return -(-size // to) * to
