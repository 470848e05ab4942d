#!/usr/bin/env bash
# Tests with the lowest versions that pyproject.toml of the core and classic promise, of what builds them too, in an
# environment of its own: without the workspace's pins, with which nothing lower can be resolved. Arguments go to pytest;
# without any it runs the tests of the views and of classic, but for transforms, which play other families.
set -euo pipefail
cd "$(dirname "$0")/.."
export VIRTUAL_ENV="$PWD/build/lowest"
uv venv --quiet --clear --python 3.11 "$VIRTUAL_ENV"
lowest() {
  uv pip install --quiet --no-config --no-sources --resolution lowest-direct "$@"
}

uv pip install --quiet cmake ninja
packages=(core plugins/parallel_pool_{author,classic,envpool,learning})
# shellcheck disable=SC2046  # words
lowest $("$VIRTUAL_ENV/bin/python" - "${packages[@]}" <<'PYTHON'
import sys, tomllib

for folder in sys.argv[1:]:
    with open(f"{folder}/pyproject.toml", "rb") as file:
        print(*(each for each in tomllib.load(file)["build-system"]["requires"] if "parallel" not in each))
PYTHON
)
for folder in "${packages[@]}"; do
  # Built with what is installed. All extras but those of wheels that are not here, and torch and JAX, which are large.
  extras=()
  [ "$folder" != core ] || extras=(--extra watch)
  [[ "$folder" != *learning ]] || extras=(--extra pettingzoo)
  [[ "$folder" != *classic ]] || extras=(--extra render)
  lowest --no-build-isolation -C "build-dir=$VIRTUAL_ENV/build/$folder" \
    "./$folder" -r "$folder/pyproject.toml" "${extras[@]}"
done
# After them, without pins: what is there stays.
uv pip install --quiet --no-config pytest pytest-timeout pytest-xdist hypothesis pyyaml
uv pip list --quiet
# In SameStep, Gymnasium 1.2's wrapper counts statistics in another way than 1.4's, whose numbers are ours.
[ $# != 0 ] || set -- tests/views plugins/parallel_pool_classic --ignore-glob "*/test_transform*" \
  --deselect tests/views/test_episode_statistics.py::test_statistics_equal_the_wrappers
"$VIRTUAL_ENV/bin/python" -m pytest -m "not slow and not training" "$@"
