"""Keeps the variants that were asked for, under their plain names."""

import shutil
from pathlib import Path

KERNEL = "{{ cookiecutter.kernel }}"
LICENSE = "{{ cookiecutter.license }}"
LIBRARY = "{{ cookiecutter.library }}"
LICENSES = {
    "MIT": "mit",
    "Apache-2.0": "apache",
    "BSD-3-Clause": "bsd",
    "GPL-3.0-or-later": "gpl",
    "proprietary": "proprietary",
}
TEXTS = {
    "Apache-2.0": "https://www.apache.org/licenses/LICENSE-2.0.txt",
    "GPL-3.0-or-later": "https://www.gnu.org/licenses/gpl-3.0.txt",
}
"""Long ones, of which LICENSE has the usual notice alone."""


def choose(folder: str, stem: str, suffix: str, wanted: str, variants: tuple[str, ...]) -> None:
    """Keeps the wanted one of the files stem.VARIANT.suffix, as stem.suffix."""
    for variant in variants:
        path = Path(folder, f"{stem}.{variant}{suffix}")
        if variant == wanted:
            path.rename(Path(folder, f"{stem}{suffix}"))
        else:
            path.unlink()


def add(folder: Path) -> None:
    """Adds its files to the project, to the end of those that are there."""
    for path in sorted(each for each in folder.rglob("*") if each.is_file()):
        target = path.relative_to(folder)
        target.parent.mkdir(parents=True, exist_ok=True)
        with target.open("a", encoding="utf-8") as file:
            file.write(path.read_text("utf-8"))


choose("src", "{{ cookiecutter.family }}", ".cpp", KERNEL, ("scalar", "batch"))
choose(".", "LICENSE", "", LICENSES[LICENSE], tuple(LICENSES.values()))
if LIBRARY == "yes":
    add(Path("library"))
shutil.rmtree("library")
if LICENSE in TEXTS:
    print(
        f"LICENSE has the notice of {LICENSE} alone. Before you publish, add the text of the licence, "
        f"{TEXTS[LICENSE]}, and name it in `license-files` of pyproject.toml."
    )
