#!/usr/bin/env bash
# The launch numbers of the contract, under ncu: --launch-skip lands on the timed kernel of its configuration.
export bin="${SECTORSCOPE_BIN:?the folder of the executables}"
# shellcheck source-path=SCRIPTDIR source=lib/common.bash
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.bash"
require_gpu
if ! command -v ncu >/dev/null; then
  echo "skipped: ncu is not installed"
  exit 77
fi
metric=l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum
if ! ncu --clock-control none --metrics "$metric" "$bin/offset" -n 32 -w 0 -i 1 -r 1 --offsets 0 >/dev/null 2>&1; then
  echo "skipped: ncu cannot read counters here"
  exit 77
fi

# counted OPTIONS_OF_NCU... -- COMMAND...: one line a profiled launch, the kernel's name and its load sectors.
counted() {
  local options=()
  while [[ $1 != -- ]]; do
    options+=("$1")
    shift
  done
  shift
  ncu --clock-control none --csv --metrics "$metric" "${options[@]}" "$@" 2>/dev/null |
    sed -nE 's/^"[0-9]+",.*[ :]([a-z_]+)<[^<>]*>\(.*"([0-9,]+)"$/\1 \2/p' | tr -d ','
}

expect() {
  local wanted=$1 got
  shift
  got=$(counted "$@" | tr '\n' ' ')
  [[ $got == "$wanted " ]] || fail "$*: '$got' instead of '$wanted'"
}

one=(--launch-count 1)
expect "stride_gather 524288" --launch-skip 10 "${one[@]}" -- "$bin/stride" 4194304 1   # stride 1: 4 sectors a request
expect "stride_gather 4194304" --launch-skip 76 "${one[@]}" -- "$bin/stride" 4194304 1  # stride 65: 32
expect "offset_read 5120" --launch-skip 3 "${one[@]}" -- "$bin/offset" -n 32768 --offsets 1 -w 3 -r 1 -i 1
expect "offset_read 4096" --launch-skip 3 "${one[@]}" -- "$bin/offset" -n 32768 --offsets 0,1 -w 1 -r 1 -i 1 --order reversed
# A kernel's name selects its variant and no other; then --launch-skip counts matching launches only.
expect "transpose_naive 32768" -k transpose_naive --launch-skip 1 -- "$bin/transpose" --rows 512 --cols 512 -w 1 -r 1 -i 1
# A configuration is selected by its NVTX range too.
expect "stride_gather 98304" --nvtx --nvtx-include "stride:stride_gather:stride=3/" --launch-skip 1 -- \
  "$bin/stride" -n 2^18 --strides 1,3 -w 1 -r 1 -i 1
# Nothing else is launched: not by fills, ceiling, flush, poison or verification.
launches=$(counted -- "$bin/offset" -n 1024 --offsets 0,1 -w 2 -r 2 -i 3 --l2 cold | wc -l)
[[ $launches -eq 16 ]] || fail "$launches launches instead of 16"
# Under a profiler the row says so.
flags=$(ncu --clock-control none --metrics "$metric" "$bin/offset" -n 1024 --offsets 0 -w 0 -r 1 -i 1 --csv - 2>/dev/null |
  grep -E '^(experiment|offset),' | column flags)
[[ $flags == *profiled* ]] || fail "flags under ncu: '$flags'"
finish "launches"
