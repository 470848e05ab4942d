#!/usr/bin/env bash
# Gets a Python without a global lock, for the tests that need one, and prints where it is:
# uv's, or where uv cannot download that, one built from Debian's source package (2 minutes).
#
#     tools/free_threaded_python.sh FOLDER      # FOLDER: where to build and install, if need be
set -euo pipefail

if uv python find --quiet --no-project 3.14t 2>/dev/null; then exit; fi
if uv python install --quiet 3.14t 2>/dev/null; then exec uv python find --no-project 3.14t; fi

mkdir -p "$1"
folder=$(cd "$1" && pwd)
python="$folder/installed/bin/python3.13t"
if [ ! -e "$folder/whole" ]; then
  # The mirror that this machine has its packages from; Debian's stable release has Python 3.13.
  mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' 'Label: Debian' | head -1)
  mkdir -p "$folder/apt/lists/partial" "$folder/apt/archives/partial" "$folder/source"
  echo "deb-src [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $mirror trixie main" >"$folder/apt/sources"
  apt=(apt-get -qq -o Dir::Etc::sourcelist="$folder/apt/sources" -o Dir::Etc::sourceparts=-
    -o Dir::State::lists="$folder/apt/lists" -o Dir::Cache="$folder/apt" -o APT::Sandbox::User=root)
  cd "$folder"
  {
    "${apt[@]}" update
    "${apt[@]}" source --download-only python3.13
    tar --extract --file python3.13_*.orig.tar.xz --directory source --strip-components 1
    cd source
    # Nothing in it is measured: no optimization by a profile, and -O1 without debug information takes half of the time.
    ./configure --quiet --disable-gil --disable-test-modules --without-ensurepip \
      --prefix "$folder/installed" CFLAGS="-O1 -g0"
    make --silent -j"$(nproc)"
    # Modules are compiled when they are imported, not each of them three times.
    make --silent install COMPILEALL_OPTS=--help
    touch "$folder/whole"
  } >"$folder/log" 2>&1 || { tail -n 20 "$folder/log" >&2; exit 1; }
fi
echo "$python"
