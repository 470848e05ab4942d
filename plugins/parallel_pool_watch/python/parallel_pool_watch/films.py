"""Writes pictures to a file: MP4, GIF, or the last picture as PNG."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from parallel_pool.errors import OptionError, ParallelPoolError
from parallel_pool.pool_api import imported

from parallel_pool_watch.mosaic import Picture
from parallel_pool_watch.watch import Episode, Watch

_COLOURS = 128
"""Colours of a GIF: the file has half the size of one with 256, and the pictures of environments hardly
differ."""

_LONGEST = 655_350
"""Milliseconds that a picture of a GIF can last."""


class Film(ABC):
    """A file to which pictures are added. `close` completes it."""

    def __init__(self, path: Path, fps: float) -> None:
        self.path, self.fps = path, fps

    @abstractmethod
    def add(self, picture: Picture) -> None:
        """Adds a picture, uint8 (height, width, 3). All pictures must have the same size."""

    @abstractmethod
    def close(self) -> None:
        """Completes the file. Raises ParallelPoolError if no picture was added."""


class _Mp4(Film):
    """H.264, which browsers can play."""

    def __init__(self, path: Path, fps: float) -> None:
        super().__init__(path, fps)
        self._library = imported("imageio_ffmpeg", "0.5", "a film in MP4", extra="watch")
        self._writer: Any = None

    def add(self, picture: Picture) -> None:
        if self._writer is None:
            size = picture.shape[1], picture.shape[0]
            self._writer = self._library.write_frames(
                str(self.path), size, fps=self.fps, quality=7, macro_block_size=2
            )
            self._writer.send(None)
        self._writer.send(picture.tobytes())

    def close(self) -> None:
        if self._writer is None:
            raise ParallelPoolError(f"{self.path} was not written: there was no picture")
        self._writer.close()


class _Images(Film):
    """A file that Pillow writes: an animated GIF, or a PNG of the last picture."""

    def __init__(self, path: Path, fps: float) -> None:
        super().__init__(path, fps)
        imported("PIL", "10.1", "a picture", extra="watch")
        self._images: list[Any] = []

    def add(self, picture: Picture) -> None:
        from PIL import Image

        image = Image.fromarray(picture)
        if self.path.suffix == ".png":
            self._images = [image]
        else:
            self._images.append(image.quantize(_COLOURS, dither=Image.Dither.NONE))

    def close(self) -> None:
        if not self._images:
            raise ParallelPoolError(f"{self.path} was not written: there was no picture")
        first, *rest = self._images
        if self.path.suffix == ".png":
            first.save(self.path, optimize=True)
        else:
            # Browsers show frames of less than 20 ms as if they had 100.
            first.save(
                self.path,
                save_all=True,
                append_images=rest,
                duration=min(max(20, round(1000 / self.fps)), _LONGEST),
                loop=0,
            )


_KINDS: dict[str, type[Film]] = {".mp4": _Mp4, ".gif": _Images, ".png": _Images}


def film(path: Path, fps: float) -> Film:
    """A new film in the format of the name's suffix: .mp4, .gif or .png.

    Raises OptionError for other suffixes and for a file that cannot be written; LibraryError if the format's
    library is missing.
    """
    kind = _KINDS.get(path.suffix)
    if kind is None:
        raise OptionError(f"{path}: expected a name that ends with {', '.join(_KINDS)}")
    if not path.parent.is_dir():
        raise OptionError(f"{path}: there is no folder {path.parent}")
    _try_to_write(path)
    return kind(path, fps)


def usual_path(task_id: str) -> Path:
    """A film in this folder, named like the environment."""
    return Path(task_id.rpartition("/")[2].replace(":", "-") + ".mp4")


def record(watch: Watch, out: Film, steps: int, every: int) -> Iterator[list[Episode]]:
    """Steps, and adds the picture of every `every`-th step, of a PNG only the last one. Yields episodes that
    ended, after each step."""
    only_last = out.path.suffix == ".png"
    for step in range(1, steps + 1):
        ended = watch.step()
        if step == steps or (not only_last and step % every == 0):
            out.add(watch.picture())
        yield ended


def _try_to_write(path: Path) -> None:
    """Now, and not when all pictures are there. Raises OptionError; leaves no file."""
    try:
        new = not path.exists()
        path.open("ab").close()
        if new:
            path.unlink()
    except OSError as error:
        raise OptionError(f"{path} cannot be written: {error.strerror}") from error
