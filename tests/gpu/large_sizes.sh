#!/usr/bin/env bash
# Sizes past 2^31 bytes, past 2^32 elements and past the limits of a grid: no mismatch.
export bin="${SECTORSCOPE_BIN:?the folder of the executables}"
# shellcheck source-path=SCRIPTDIR source=lib/common.bash
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.bash"
require_gpu

# One after the other: they need most of a large card. A card without room refuses (exit 3), which is no failure here
# as long as it says how much was needed and how much was free.
while read -r line; do
  read -r -a words <<<"$line"
  status=0
  out=$("$bin/${words[0]}" "${words[@]:1}" -q 2>&1) || status=$?
  if [[ $status -eq 3 && $out == *"bytes of device memory needed"*"bytes free"* ]]; then
    printf 'not run, too little device memory: %s\n' "$line"
  elif [[ $status -ne 0 || ${out##*$'\n'} != "Verification: PASSED" ]]; then
    fail "exit $status: $line"$'\n'"$out"
  else
    printf 'passed: %s\n' "$line"
  fi
done <<'LINES'
offset -n 1073741824 -r 1 -i 1 --offsets 1
offset -n 1800000000 -r 1 -i 1 --offsets 1
offset -n 2200000000 -r 1 -i 1 --offsets 1
offset -n 4294967311 -e 1 -r 1 -i 1 --offsets 1 --access read,write
stride -n 268435456 -r 1 -i 1 --strides 33 --mapping disjoint
stride -n 4294967311 -e 1 -r 1 -i 1 --strides 3 --access gather,scatter,both
aos_soa -n 1100000000 -r 1 -i 1 --fields 4
transpose --rows 23171 --cols 23171 -r 1 -i 1
transpose --rows 46341 --cols 46341 -r 1 -i 1
transpose --rows 2097121 --cols 1 -r 1 -i 1
transpose --rows 1 --cols 2097121 -r 1 -i 1
transpose --rows 65537 --cols 65539 -e 1 -r 1 -i 1
LINES
finish "large sizes"
