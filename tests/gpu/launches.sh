#!/usr/bin/env bash
# The launch numbers of the contract, under ncu: --launch-skip lands on the timed kernel of its configuration.
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

# profiled SKIP COMMAND...: the kernel's name and its load sectors.
profiled() {
  local skip=$1
  shift
  ncu --clock-control none --csv --metrics "$metric" --launch-skip "$skip" --launch-count 1 "$@" 2>/dev/null |
    awk -F'","' '/^"[0-9]/ { sub(/<.*/, "", $5); gsub(/[",]/, "", $NF); print $5, $NF }'
}

expect() {
  local wanted=$1 got
  shift
  got=$(profiled "$@")
  [[ $got == "$wanted" ]] || fail "launch $*: '$got' instead of '$wanted'"
}

expect "stride_gather 524288" 10 "$bin/stride" 4194304 1   # stride 1: 4 sectors a request
expect "stride_gather 4194304" 76 "$bin/stride" 4194304 1  # stride 65: 32
expect "offset_read 5120" 3 "$bin/offset" -n 32768 --offsets 1 -w 3 -r 1 -i 1
expect "offset_read 4096" 3 "$bin/offset" -n 32768 --offsets 0,1 -w 1 -r 1 -i 1 --order reversed
# Nothing else is launched: not by fills, ceiling, flush, poison or verification.
count=$(ncu --clock-control none --csv --metrics "$metric" "$bin/offset" -n 1024 --offsets 0,1 -w 2 -r 2 -i 3 --l2 cold \
  2>/dev/null | grep -c '^"[0-9]')
[[ $count -eq 16 ]] || fail "$count launches instead of 16"
finish "launches"
