"""Keeps the variants that were asked for, under their plain names."""

from pathlib import Path

KERNEL = "{{ cookiecutter.kernel }}"
LICENSE = "{{ cookiecutter.license }}"


def choose(folder: str, stem: str, suffix: str, wanted: str, others: tuple[str, ...]) -> None:
    """Of the files stem.VARIANT.suffix the wanted one stays, as stem.suffix."""
    for variant in others:
        Path(folder, f"{stem}.{variant}{suffix}").unlink()
    Path(folder, f"{stem}.{wanted}{suffix}").rename(Path(folder, f"{stem}{suffix}"))


choose(
    "src",
    "{{ cookiecutter.family }}",
    ".cpp",
    KERNEL,
    tuple(each for each in ("scalar", "batch") if each != KERNEL),
)
mit = LICENSE == "MIT"
choose(".", "LICENSE", "", "mit" if mit else "other", ("other",) if mit else ("mit",))
