#!/usr/bin/env bash
# Usage: scripts/quickstart.sh [-j JOBS] [--build-dir DIR]
#
# From a fresh checkout to a first result: installs what is missing (Debian, Ubuntu: cmake, g++, make, libcli11-dev,
# libfmt-dev), builds, and runs offset, stride, aos_soa and transpose with their defaults. Without a GPU it shows what
# they predict instead. The CUDA Toolkit (12.0 or newer) must be there.
#
#   -j JOBS           parallel compilations (default: the processors)
#   --build-dir DIR   default: build/ of the checkout
#   -h, --help        this text
#
# Exit status: 0 when every step did well; 1 when one failed; 2 for a wrong option; 3 without nvcc.
# Environment: CUDACXX (nvcc to use), CUDAARCHS (architectures to build for, such as 90).

set -euo pipefail

root="$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.." && pwd)"
# shellcheck source=scripts/common.sh
source "$root/scripts/common.sh"

jobs="$(processors)"
build="$root/build"
while [[ $# -gt 0 ]]; do
  case "$1" in
    -j) need_value "$@" && jobs="$2" && shift 2 ;;
    --build-dir) need_value "$@" && build="$(absolute_path "$2")" && shift 2 ;;
    -h | --help) usage && exit 0 ;;
    *) die "no such option: $1 (try --help)" 2 ;;
  esac
done
check_jobs "$jobs"

need_nvcc
need_packages cmake make g++ -- libcli11-dev libfmt-dev
need_cmake
[[ ${#packages_left_out[@]} -eq 0 ]] || warn "CMake will fetch what it does not find of: ${packages_left_out[*]}"

say "building in $build"
cmake -S "$root" -B "$build" -DCMAKE_BUILD_TYPE=Release >&2 || die "cmake failed to configure $build"
cmake --build "$build" -j "$jobs" --target sectorscope_experiments >&2 || die "the build failed"

no_device=77
failed=()
predicted=false
for experiment in offset stride aos_soa transpose; do
  say "$experiment"
  status=0
  $predicted || "$build/bin/$experiment" || status=$?
  if [[ $status -eq $no_device ]]; then
    say "no CUDA device here: showing what the experiments predict (--predict), nothing is measured"
    predicted=true
    status=0
  fi
  if $predicted; then
    "$build/bin/$experiment" --predict || status=$?
  fi
  [[ $status -eq 0 ]] || failed+=("$experiment (exit $status)")
done

[[ ${#failed[@]} -eq 0 ]] || die "failed: ${failed[*]}"
if $predicted; then
  say "done, predictions only: no CUDA device"
else
  say "done: all four measured and verified"
fi
