"""A plugin installed by pip from a real wheel is found."""

import subprocess
import sys
import zipfile
from importlib.util import find_spec
from pathlib import Path

from .sites import HEADER, Site, listing


def test_installed_wheel_is_discovered(site: Site, tmp_path: Path) -> None:
    info = "pp_lander-0.3.dist-info"
    files = {
        "pp_lander/__init__.py": "",
        "pp_lander/_plugin.py": HEADER + listing("'lander/A-v0'"),
        f"{info}/METADATA": "Metadata-Version: 2.1\nName: pp-lander\nVersion: 0.3\n",
        f"{info}/WHEEL": "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\n"
        "Tag: py3-none-any\n",
        f"{info}/entry_points.txt": "[parallel_pool]\nlander = pp_lander._plugin\n",
    }
    record = "".join(f"{name},,\n" for name in [*files, f"{info}/RECORD"])
    wheel = tmp_path / "pp_lander-0.3-py3-none-any.whl"
    with zipfile.ZipFile(wheel, "w") as archive:
        for name, text in (files | {f"{info}/RECORD": record}).items():
            archive.writestr(name, text)

    pip = [sys.executable, "-m", "pip"] if find_spec("pip") else ["uv", "pip"]
    install = ["install", "--quiet", "--no-deps", "--no-index", "--target", str(site.root)]
    subprocess.run([*pip, *install, str(wheel)], check=True)
    answer = site.ask("p = r.resolve('A').plugin; answer = [p.label, p.module, r.list_all_envs()]")
    assert answer.value == ["lander (pp-lander 0.3)", "pp_lander._plugin", ["lander/A-v0"]]
    assert answer.warnings == []
