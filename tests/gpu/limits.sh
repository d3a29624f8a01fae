#!/usr/bin/env bash
# The largest that fits into the GPU's memory is run and verified; one step more is refused before anything is launched,
# with the bytes needed and the bytes free.
export bin="${SECTORSCOPE_BIN:?the folder of the executables}"
# shellcheck source-path=SCRIPTDIR source=lib/common.bash
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.bash"
require_gpu
once=(-r 1 -i 1 -w 0)

# needed_and_free COMMAND LINE: sets needed and free to what its refusal says.
needed_and_free() {
  local out status=0
  out=$("$bin/$1" "${@:2}" "${once[@]}" -q 2>&1) || status=$?
  if [[ $status -ne 3 || ! $out =~ ([0-9]+)\ bytes\ of\ device\ memory\ needed,\ ([0-9]+)\ bytes\ free ]]; then
    fail "exit $status and no refusal: $*"$'\n'"$out"
    return 1
  fi
  needed=${BASH_REMATCH[1]} free=${BASH_REMATCH[2]}
}

# largest BYTES_AN_ELEMENT COMMAND LINE, with N for the size: the largest size that the message's figures allow, and one
# more. What is free moves by a little between processes, so that a step is 64 MiB.
largest() {
  local width=$1 step=$((67108864 / $1)) n wrong
  shift
  needed_and_free "${@/N/1099511627776}" || return 0
  n=$(((free / width / step - 1) * step))
  wrong=$(run_one "${*/N/$n} ${once[*]}")
  [[ -z $wrong ]] || fail "$wrong"
  needed_and_free "${@/N/$((n + 3 * step))}" || return 0
  [[ $needed -gt $free ]] || fail "refused although $needed bytes fit into $free: $*"
  printf 'ran with %s elements, refused with %s: %s bytes needed, %s free: %s\n' "$n" "$((n + 3 * step))" "$needed" \
    "$free" "$*"
}

wrong=$(
  run_one "offset -n 4294967311 -e 4 --offsets 1 ${once[*]}"
  run_one "stride -n 4294967311 -e 4 --strides 3 --access gather,scatter ${once[*]}"
  run_one "aos_soa -n 4294967311 --layouts aos,soa,aosoa ${once[*]}"
  run_one "transpose --rows 65537 --cols 65539 ${once[*]}"
)
[[ -z $wrong ]] || fail "$wrong"
printf 'more than 2^32 elements and 2^34 bytes: offset, stride, aos_soa, transpose\n'

largest 8 offset --offsets 0 -n N
largest 2 offset --offsets 0 -e 1 -n N
largest 8 stride --strides 1 -n N
largest 8 aos_soa --layouts soa -n N
finish "limits"
