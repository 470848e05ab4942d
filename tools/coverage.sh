#!/usr/bin/env bash
# Which lines the tests run:
#
#     tools/coverage.sh python [ARGUMENTS OF PYTEST]    of the Python packages; HTML in build/coverage/python
#     tools/coverage.sh cpp                             of the pool's headers, by core/tests/pool; build/coverage/cpp
set -euo pipefail
cd "$(dirname "$0")/.."
run=(uv run --group coverage)
build=$PWD/build/coverage

python_lines() {
  export COVERAGE_FILE=$build/python.data
  rm -f "$COVERAGE_FILE"*
  # Processes that share the tests, and those that tests start, are measured too (tool.coverage in pyproject.toml).
  status=0
  "${run[@]}" coverage run -m pytest -m "not slow and not training" "$@" || status=$?
  "${run[@]}" coverage combine -q
  "${run[@]}" coverage html -q -d "$build/python"
  "${run[@]}" coverage report --skip-covered --skip-empty --sort=cover
  return "$status"
}

cpp_lines() {
  # Threads count at the same time. Without optimisation a line is a line.
  "${run[@]}" cmake -G Ninja -S core -B "$build/cpp_build" -DPP_PYTHON=OFF -DPP_TESTS=ON \
    -DCMAKE_BUILD_TYPE= -DCMAKE_CXX_FLAGS="-O0 --coverage -fprofile-update=atomic"
  "${run[@]}" cmake --build "$build/cpp_build"
  find "$build/cpp_build" -name "*.gcda" -delete
  status=0
  "${run[@]}" ctest --test-dir "$build/cpp_build" --output-on-failure || status=$?
  mkdir -p "$build/cpp"
  "${run[@]}" gcovr --root core --filter core/include --gcov-ignore-errors no_working_dir_found \
    --merge-lines --html-details "$build/cpp/index.html" --print-summary "$build/cpp_build"
  return "$status"
}

mkdir -p "$build"
case "${1-}" in
  python) shift && python_lines "$@" ;;
  cpp) cpp_lines ;;
  *) sed -n '2,5s/^# \?//p' "$0" && exit 2 ;;
esac
