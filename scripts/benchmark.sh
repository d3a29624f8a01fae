#!/usr/bin/env bash
# Usage: scripts/benchmark.sh [--build-dir DIR] [--device INDEX]
#
# How far the suite can be trusted on this GPU, as one table: what its baselines and its best transpose reach of a device
# copy, how far runs and processes differ, and what its verification and a whole process cost. The targets are those that
# an NVIDIA H200 is held to; on another GPU the column says how that one compares. Takes about a minute and a half there.
#
#   --build-dir DIR   the build, with the executables in DIR/bin (default: $SECTORSCOPE_BIN, or build/bin of the checkout)
#   --device INDEX    CUDA device (default: 0)
#   -h, --help        this text
#
# The table goes to stdout as Markdown, what runs to stderr. Ratios are medians over the device copy of the same process.
#
# Needs mlr (Miller 6).
# Exit status: 0 all was measured, whatever came out; 1 a run failed; 2 wrong usage; 3 a tool or an executable is missing,
# or the table cannot be written; 77 no CUDA device.

# shellcheck disable=SC1010,SC2016 # "then" and "$" inside a Miller command are Miller's

set -euo pipefail

root="$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.." && pwd)"
# shellcheck source=scripts/common.sh
source "$root/scripts/common.sh"

bin="${SECTORSCOPE_BIN:-$root/build/bin}"
device=0
while [[ $# -gt 0 ]]; do
  case "$1" in
    --build-dir) need_value "$@" && bin="$2/bin" && shift 2 ;;
    --device) need_value "$@" && device="$2" && shift 2 ;;
    -h | --help) usage && exit 0 ;;
    *) die "no such option: '$1' (try --help)" 2 ;;
  esac
done
[[ "$device" =~ ^(0|[1-9][0-9]{0,3})$ ]] || die "--device takes an index, not '$device'" 2
bin="$(absolute_path "$bin")"
need_miller
for experiment in offset stride aos_soa transpose; do
  [[ -x "$bin/$experiment" ]] ||
    die "no executable $bin/$experiment: build first (scripts/quickstart.sh), or say where with --build-dir" 3
done

make_work_folder

# measure NAME EXPERIMENT OPTIONS...: its rows go to the file NAME. A run that fails ends the script with its status.
measure() {
  local name="$1" status=0
  shift
  say "$*"
  "$bin/$1" "${@:2}" --device "$device" -q --csv "$work/$name.csv" >/dev/null || status=$?
  [[ "$status" != 77 ]] || exit 77
  [[ "$status" == 0 ]] || die "'$*' failed with status $status"
}

# value NAME MILLER_VERBS...: the field "value" of what they make of the rows in the file NAME.
value() { mlr --icsv --onidx "${@:2}" then head -n 1 then cut -f value "$work/$1.csv"; }

# seconds COMMAND...: what it takes, its output left aside.
seconds() {
  local start="$EPOCHREALTIME"
  "$@" >/dev/null || die "'$*' failed"
  printf '%s %s\n' "$start" "$EPOCHREALTIME" | mlr --inidx --ifs ' ' --onidx put -q 'print fmtnum($2 - $1, "%.3f")'
}

# median_seconds TIMES COMMAND...
median_seconds() {
  local times="$1" i
  shift
  say "$times times: ${*#"$bin/"}"
  for ((i = 0; i < times; ++i)); do seconds "$@"; done |
    mlr --inidx --onidx stats1 -i -a p50 -f 1
}

# line WHAT RELATION TARGET MEASURED FORMAT: one of the table.
line() {
  [[ -n "$4" ]] || die "nothing was measured for: $1"
  mlr -n put -q -s what="$1" -s relation="$2" -s target="$3" -s measured="$4" -s format="$5" 'end {
    bool met = @relation == ">=" ? @measured >= @target : @measured <= @target;
    print "| ".@what." | ".@relation." ".@target." | ".fmtnum(@measured, @format)." | ".(met ? "met" : "short")." |";
  }'
}

# --- what reaches the ceiling --------------------------------------------------------------------------------------------

for width in 4 8 16; do
  measure "contiguous-$width" offset -n 2^28 --offsets 0 -e "$width"
  measure "contiguous-$width" stride -n 2^28 --strides 1 -e "$width"
done
measure contiguous-4 aos_soa -n 2^28 --layouts soa

transposes=(
  "4 16384 16384" "4 8192 8192"
  "1 32768 32768" "2 32768 16384" "8 16384 8192" "16 8192 8192"
  "1 16384 16384" "2 16384 16384" "8 16384 16384" "16 16384 16384"
  "4 8191 8193" "4 46341 46341"
)
for shape in "${transposes[@]}"; do
  read -r width rows cols <<<"$shape"
  measure "transpose-$width-$rows-$cols" transpose --rows "$rows" --cols "$cols" -e "$width" --variants copy,vectorized
done

# --- how far runs and processes differ -----------------------------------------------------------------------------------

for experiment in offset stride aos_soa transpose; do measure defaults "$experiment"; done
for process in 1 2 3 4 5; do
  say "process $process of 5"
  for n in 2^25 2^28; do
    measure "processes-$n" offset -n "$n" --offsets 0
    measure "processes-$n" stride -n "$n" --strides 1
    measure "processes-$n" aos_soa -n "$n" --layouts soa
  done
  measure processes-2^25 transpose --rows 8192 --cols 8192 --variants copy
  measure processes-2^28 transpose --rows 16384 --cols 16384 --variants copy
done
stride_seconds="$(median_seconds 3 "$bin/stride" -n 2^25 --device "$device" -q --csv "$work/stride-rows.csv")"

# --- what it costs -------------------------------------------------------------------------------------------------------

offset_wall="$(median_seconds 10 "$bin/offset" -n 16777216 --offsets 0:7 -i 100 -r 1 --device "$device")"
stride_wall="$(median_seconds 5 "$bin/stride" -n 67108864 -i 100 -r 1 --device "$device")"
# The same input serves all strides, so what five more of them cost is five launches, five outputs and their verification.
once=(-n 2^28 -i 1 -r 1 -w 0 --device "$device")
one_stride="$(median_seconds 3 "$bin/stride" "${once[@]}" --strides 1)"
six_strides="$(median_seconds 3 "$bin/stride" "${once[@]}" --strides 1,3,5,7,9,11)"

# --- the table -----------------------------------------------------------------------------------------------------------

share='$value = $pct_of_ceiling / 100'
lowest=(stats1 -a min -f value then rename "value_min,value")
highest=(stats1 -a max -f value then rename "value_max,value")
process_spread=(stats1 -a "min,max,p50" -f median_ms -g "experiment,variant,value"
  then put '$value = 100 * ($median_ms_max - $median_ms_min) / $median_ms_p50')
of_variant() { value "$1" filter '$variant == "'"$2"'"' then put "$share"; }

table() {
  mlr --icsv --onidx head -n 1 then put -q '
    print $gpu . ", driver " . $driver . ", CUDA " . $runtime . ", sectorscope " . $version . ", " . $timestamp . "\n"' \
    "$work/defaults.csv" || die "mlr cannot read the rows" 3
  printf '| what | target | measured | |\n| --- | --- | ---: | --- |\n'
  for width in 4 8 16; do
    line "contiguous baselines / device copy, n = 2^28, $width B" ">=" 0.99 \
      "$(value "contiguous-$width" put "$share" then "${lowest[@]}")" %.4f
  done
  line "transpose_copy / device copy, 16384 x 16384 x 4 B" ">=" 0.97 \
    "$(of_variant transpose-4-16384-16384 transpose_copy)" %.4f
  for shape in "${transposes[@]}"; do
    read -r width rows cols <<<"$shape"
    case "$width $rows" in
      "4 16384" | "4 8192") target=0.975 ;;
      "4 8191") target=0.85 ;;
      "4 46341") target=0.80 ;;
      1\ *) target=0.90 ;;
      *) target=0.95 ;;
    esac
    line "transpose_vectorized / device copy, $rows x $cols x $width B" ">=" "$target" \
      "$(of_variant "transpose-$width-$rows-$cols" transpose_vectorized)" %.4f
  done
  line "stddev / median, default rows in the dram regime, %" "<=" 0.3 \
    "$(value defaults filter '$regime == "dram"' then put '$value = 100 * $stddev_ms / $median_ms' then "${highest[@]}")" %.3f
  for n in 2^25 2^28; do
    line "five processes, contiguous rows, n = $n: (max - min) / median, %" "<=" 0.3 \
      "$(value "processes-$n" "${process_spread[@]}" then "${highest[@]}")" %.3f
  done
  line "stride, defaults at n = 2^25: seconds a row, whole process" "<=" 0.4 \
    "$(value stride-rows count -o value then put '$value = '"$stride_seconds"' / ($value / 3)')" %.3f
  line "the same, strides up to 17, three processes: (max - min) / median, %" "<=" 0.1 \
    "$(value stride-rows filter '$value <= 17' then "${process_spread[@]}" then "${highest[@]}")" %.3f
  line "offset -n 16777216 --offsets 0:7 -i 100 -r 1, median of 10, s" "<=" 0.65 "$offset_wall" %.3f
  line "stride -n 67108864 -i 100 -r 1, median of 5, s" "<=" 1.3 "$stride_wall" %.3f
  line "one configuration of 2^28 floats: poison, launch, verification, s" "<=" 0.3 \
    "$(mlr -n put -q 'end { print ('"$six_strides - $one_stride"') / 5 }')" %.3f
}

# Miller does not tell when its output cannot be written; cat does.
table >"$work/table"
cat "$work/table" || die "stdout took no more" 3
