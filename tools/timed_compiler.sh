#!/usr/bin/env bash
# CMAKE_CXX_COMPILER_LAUNCHER: compiles, and adds a line to the file that PP_COMPILED names: the CPU seconds of it (user and
# system), the build's folder and the object. tools/build_seconds.py sums them.
[ -n "${PP_COMPILED:-}" ] || exec "$@"
object=
for ((i = 1; i < $#; ++i)); do
  [ "${!i}" != -o ] || { next=$((i + 1)); object=${!next}; }
done
TIMEFORMAT="%3U %3S"$'\t'"$PWD"$'\t'"$object"
{ time "$@" 2>&3; } 3>&2 2>>"$PP_COMPILED"
