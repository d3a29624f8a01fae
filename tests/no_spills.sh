#!/usr/bin/env bash
# Usage: tests/no_spills.sh ARCHITECTURE...
#
# No kernel keeps anything in local memory, neither spilled registers nor a stack: that traffic would stand between the
# pattern and its counters. Compiles the kernels of every experiment as a Release build does, reads the compiler's own
# report, and lists what it checked. An ARCHITECTURE is what CMAKE_CUDA_ARCHITECTURES takes: 90, 90-real, all-major ...
#
# Exit status: 0 no local memory, every kernel of the sources seen; 1 otherwise.
# Environment: CUDACXX (nvcc to use).

set -euo pipefail

root="$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.." && pwd)"
# shellcheck source=scripts/common.sh
source "$root/scripts/common.sh"
[[ $# -gt 0 ]] || die "which architectures? (usage: tests/no_spills.sh ARCHITECTURE...)" 2
need_nvcc
nvcc="$(find_nvcc)"

folder="$(mktemp -d)"
trap 'rm -rf "$folder"' EXIT

targets=()
for architecture in "$@"; do
  number="${architecture%%-*}"
  if [[ "$number" =~ ^[0-9]+[af]?$ ]]; then
    targets+=("-gencode=arch=compute_$number,code=sm_$number")
  else
    targets+=("-arch=$architecture")
  fi
done

# report FILE NVCC_OPTION...: compiles; one line for each function and architecture: its name, registers, and the bytes
# of its stack frame, spill stores and spill loads.
report() {
  local output="$folder/${1##*/}"
  "$nvcc" -std=c++17 -O3 -DNDEBUG -lineinfo -I"$root/include" -Xptxas -v "${@:2}" -fatbin "$1" -o "$output.fatbin" \
    >"$output.log" 2>&1 || die "nvcc failed: $(<"$output.log")"
  awk '
    / Function properties for / { name = $NF; next }
    /bytes stack frame/ { stack = $1; stores = $5; loads = $9; next }
    match($0, / Used [0-9]+ registers/) { print name, substr($0, RSTART + 6) + 0, stack, stores, loads }
  ' "$output.log" | c++filt -p
}

# judge: of such lines, a line for each kernel name; fails where there is local memory, or no line at all.
judge() {
  awk '
    {
      name = $1
      sub(/<.*/, "", name)
      sub(/^.*::/, "", name)
      if ($(NF - 3) > registers[name]) registers[name] = $(NF - 3)
      ++count[name]
      local[name] += $(NF - 2) + $(NF - 1) + $NF
      bad += $(NF - 2) + $(NF - 1) + $NF > 0
    }
    END {
      for (name in count) {
        printf "%-24s %4d compiled, at most %3d registers, %d bytes of local memory\n", name, count[name],
          registers[name], local[name] | "sort"
      }
      exit NR > 0 && bad == 0 ? 0 : 1
    }'
}

# The reading itself: a kernel that cannot do with 16 registers must be found, and an empty report is no pass.
cat >"$folder/spills.cu" <<'CUDA'
__global__ void spills(float* p) {
  float value[64];
#pragma unroll
  for (int i = 0; i < 64; ++i) value[i] = p[i * 32 + threadIdx.x];
  __syncthreads();
#pragma unroll
  for (int i = 0; i < 64; ++i) p[i * 32 + threadIdx.x] = value[63 - i] * value[i];
}
CUDA
report "$folder/spills.cu" "${targets[@]}" -maxrregcount=16 >"$folder/spills.txt"
! judge <"$folder/spills.txt" >/dev/null || die "registers that spill were not noticed: $(<"$folder/spills.txt")"
! judge </dev/null || die "an empty report passed"

for source in "$root"/src/*.cu; do report "$source" "${targets[@]}" >"$folder/${source##*/}.txt" & done
for job in $(jobs -p); do wait "$job"; done
cat "$folder"/*.cu.txt >"$folder/all"
status=0
judge <"$folder/all" >"$folder/kernels" || status=1
cat "$folder/kernels"
[[ $status -eq 0 ]] || die "a kernel keeps something in local memory"

# Every kernel of the sources has to be among them.
grep -ohE '__global__ void (__launch_bounds__\(.*\) )?[a-z_]+\(' "$root"/src/*.cu* | sed -E 's/.* ([a-z_]+)\($/\1/' |
  sort -u >"$folder/expected"
cut -d' ' -f1 "$folder/kernels" | sort -u | comm -23 "$folder/expected" - >"$folder/missing"
[[ -s "$folder/expected" && ! -s "$folder/missing" ]] || die "not seen: $(paste -sd ' ' "$folder/missing")"
printf '%s kernels of %s names: no spills, no stack\n' "$(wc -l <"$folder/all")" "$(wc -l <"$folder/kernels")"
