#!/usr/bin/env bash
# Usage: scripts/environment.sh [--build-dir DIR] [--device INDEX|UUID] [--after FILE]
#
# Prints what a result depends on, one "field: value" a line: GPU, driver, toolkit, build, system. A field that the system
# will not say is empty. Keep it beside a result.
#
#   --build-dir DIR   where the executables were built (default: build/ of the checkout)
#   --device GPU      its index, as nvidia-smi counts, or its uuid (default: 0)
#   --after FILE      print FILE, which was made before the measurement, with temperature_after_c as it is now
#   -h, --help        this text
#
# Exit status: 0; 2 for a wrong option; 3 when it cannot be written.

set -euo pipefail

root="$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.." && pwd)"
# shellcheck source=scripts/common.sh
source "$root/scripts/common.sh"

build="$root/build"
device=0
after=""
while [[ $# -gt 0 ]]; do
  case "$1" in
    --build-dir) need_value "$@" && build="$(absolute_path "$2")" && shift 2 ;;
    --device) need_value "$@" && device="$2" && shift 2 ;;
    --after) need_value "$@" && after="$2" && shift 2 ;;
    -h | --help) usage && exit 0 ;;
    *) die "no such option: $1 (try --help)" 2 ;;
  esac
done
[[ "$device" =~ ^([0-9]+|(GPU|MIG)-[A-Za-z0-9-]+)$ ]] || die "--device takes an index or a uuid, not '$device'" 2
[[ -z "$after" || -f "$after" ]] || die "--after: no such file: '$after'" 2

# gpu FIELD: what nvidia-smi says of it; empty where it is missing, fails, or answers [N/A] or the like.
gpu() {
  local value
  value="$(nvidia-smi --id="$device" --query-gpu="$1" --format=csv,noheader 2>/dev/null)" || value=""
  [[ "$value" != *[[\]]* && "$value" != N/A && "$value" != *rror* ]] || value=""
  # A field is one line.
  printf '%s' "${value//[[:cntrl:]]/ }"
}

# cached NAME: that entry of the build's CMake cache.
cached() { sed -nE "s/^$1:[A-Z]+=//p" "$build/CMakeCache.txt" 2>/dev/null || true; }

first_line() { "$@" 2>/dev/null | head -n 1 || true; }

# The compiler of the build; without one, what would build.
nvcc="$(cached CMAKE_CUDA_COMPILER)"
[[ -n "$nvcc" ]] || nvcc="$(find_nvcc)" || nvcc=""

nvcc_version() {
  [[ -n "$nvcc" ]] || return 0
  "$nvcc" --version 2>/dev/null | sed -nE 's/.*release [0-9.]+, V([0-9.]+).*/\1/p'
}

# The runtime is linked in statically: it is that of the toolkit.
runtime_version() {
  sed -nE 's/^#define +CUDART_VERSION +([0-9]+)$/\1/p' "$(dirname -- "$nvcc")/../include/cuda_runtime_api.h" 2>/dev/null |
    awk '{ printf "%d.%d\n", $1 / 1000, $1 % 1000 / 10 }'
}

field() { printf '%s: %s\n' "$1" "$2"; }

after() {
  TEMPERATURE="$(gpu temperature.gpu)" awk '
    /^temperature_after_c:/ { $0 = "temperature_after_c: " ENVIRON["TEMPERATURE"] }
    { print }' <"$after"
}

before() {
  field date "$(date -u +%Y-%m-%dT%H:%M:%SZ)"
  field gpu "$(gpu name)"
  field uuid "$(gpu uuid)"
  field driver "$(gpu driver_version)"
  field ecc "$(gpu ecc.mode.current)"
  field power_limit "$(gpu power.limit)"
  field power_limit_default "$(gpu power.default_limit)"
  field sm_clock "$(gpu clocks.sm)"
  field sm_clock_max "$(gpu clocks.max.sm)"
  field memory_clock "$(gpu clocks.mem)"
  field memory_clock_max "$(gpu clocks.max.mem)"
  field temperature_c "$(gpu temperature.gpu)"
  field temperature_after_c ""
  field runtime "$(runtime_version)"
  field nvcc "$(nvcc_version)"
  field host_compiler "$(first_line "$(cached CMAKE_CXX_COMPILER)" --version)"
  field cmake "$(first_line cmake --version)"
  field build_type "$(cached CMAKE_BUILD_TYPE)"
  field architectures "$(cached CMAKE_CUDA_ARCHITECTURES)"
  field version "$(sed -nE 's/.*version = "([0-9.]+)".*/\1/p' "$root/include/sectorscope/version.hpp" 2>/dev/null |
    head -n 1)"
  field commit "$(git -C "$root" describe --always --dirty 2>/dev/null || true)"
  field os "$(sed -nE 's/^PRETTY_NAME="?([^"]*)"?$/\1/p' /etc/os-release 2>/dev/null || true)"
  field cpu "$(sed -nE 's/^model name[[:space:]]*: //p' /proc/cpuinfo 2>/dev/null | head -n 1 || true)"
  field processors "$(processors)"
}

if [[ -n "$after" ]]; then
  text="$(after)" || die "--after: '$after' cannot be read" 3
else
  text="$(before)"
fi
printf '%s\n' "$text" 2>/dev/null || die "stdout took no more" 3
