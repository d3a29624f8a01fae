#!/usr/bin/env bash
# What a GPU is needed for to see of the contract: positional forms, orders, outputs, cold mode.
export bin="${SECTORSCOPE_BIN:?the folder of the executables}"
# shellcheck source-path=SCRIPTDIR source=lib/common.bash
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.bash"
require_gpu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# expect STATUS PHRASE COMMAND...: the exit status, and a phrase on stderr or stdout.
expect() {
  local wanted=$1 phrase=$2 status=0 out
  shift 2
  out=$("$@" 2>&1) || status=$?
  [[ $status -eq $wanted ]] || fail "exit $status instead of $wanted: $*"$'\n'"$out"
  [[ $out == *"$phrase"* ]] || fail "no '$phrase' from: $*"$'\n'"$out"
}

# The articles' forms: one run, so that their launch numbers hold.
expect 0 "1 run x 100 launches" "$bin/offset" 16777216 100
expect 0 "1 run x 100 launches" "$bin/stride" 4194304 100
expect 0 "SoA speedup over AoS: " "$bin/aos_soa" 8388608 100
expect 0 "Cross-layout mismatches: 0" "$bin/aos_soa" -n 1000 --fields 1:4
expect 0 "Maximum absolute error: 0" "$bin/aos_soa" -n 1000 --op step
expect 0 "Break-even count" "$bin/aos_soa" --conversion
skips=$("$bin/stride" 4194304 1 --csv - | column launch_skip)
[[ $skips == "10 21 32 43 54 65 76" ]] || fail "launch_skip of stride 4194304 1: $skips"

# The same rows whatever the order; the numbers that addresses decide are the same too.
for order in listed reversed shuffled; do
  "$bin/stride" -n 2^20 -r 3 -i 5 --order "$order" --csv "$folder/$order.csv" -q >/dev/null ||
    fail "stride --order $order"
done
sorted() { tail -n +2 "$1" | cut -d, -f 2-14,23-36 | sort; }
cmp <(sorted "$folder/listed.csv") <(sorted "$folder/reversed.csv") || fail "reversed gives other rows"
cmp <(sorted "$folder/listed.csv") <(sorted "$folder/shuffled.csv") || fail "shuffled gives other rows"
[[ $(column status <"$folder/shuffled.csv") == "ok ok ok ok ok ok ok" ]] || fail "shuffled: status"

# Samples: one row a run, and the row's median is their median.
"$bin/offset" -n 2^22 --offsets 3 -r 5 -i 10 --csv "$folder/row.csv" --samples "$folder/runs.csv" -q >/dev/null
median=$(column ms <"$folder/runs.csv" | tr ' ' '\n' | sort -g | sed -n 3p)
[[ $median == "$(column median_ms <"$folder/row.csv")" ]] || fail "the median of the samples is $median"
[[ $(column run <"$folder/runs.csv") == "1 2 3 4 5" ]] || fail "runs are numbered from 1"

# The regime is that of the GPU, whatever L2 the size was planned for.
regime=$("$bin/offset" -n 1024 --offsets 0 --l2-bytes 1K -r 1 --csv - 2>/dev/null | column regime)
[[ $regime == l2 ]] || fail "8 KiB are '$regime' once --l2-bytes is 1K"

# The closing lines say what the rows say.
"$bin/aos_soa" -n 2^22 --layouts aos,soa --csv "$folder/layouts.csv" >"$folder/layouts" || fail "aos_soa"
speedup=$(column median_ms <"$folder/layouts.csv" | awk '{ printf "SoA speedup over AoS: %.2fx", $1 / $2 }')
grep -qF "$speedup" "$folder/layouts" || fail "no '$speedup' below the table"

# A time that is that of launching says so, once; one of the memory does not.
"$bin/offset" -n 1024 >/dev/null 2>"$folder/tiny" || fail "offset -n 1024"
[[ $(grep -c "launching shows in its time" "$folder/tiny") -eq 1 ]] || fail "of 1024 elements: $(<"$folder/tiny")"
"$bin/offset" --offsets 0,1 >/dev/null 2>"$folder/large" || fail "offset"
! grep -q "launching shows" "$folder/large" || fail "with the automatic size: $(<"$folder/large")"

# Prediction and run describe the same launch.
for call in "offset -n 12345 --offsets 0,5" "stride -n 12345 --strides 2,7" "aos_soa -n 12345 --fields 1,3" \
  "transpose --rows 123 --cols 45"; do
  read -r -a words <<<"$call"
  "$bin/${words[0]}" "${words[@]:1}" -i 2 --csv "$folder/run.csv" -q >/dev/null || fail "$call"
  "$bin/${words[0]}" "${words[@]:1}" -i 2 --csv "$folder/predicted.csv" --predict -q >/dev/null || fail "$call"
  cmp <(sorted "$folder/run.csv") <(sorted "$folder/predicted.csv") || fail "prediction and run differ: $call"
  rm -f "$folder/run.csv" "$folder/predicted.csv"
done

# Cold mode is bounded however small the array is.
SECONDS=0
"$bin/offset" -i 1000 -n 1024 --l2 cold --offsets 0 -q >/dev/null || fail "cold mode"
[[ $SECONDS -le 5 ]] || fail "cold mode took $SECONDS s"

# No warm-up means no hidden launch: the counts say so, and it still verifies.
expect 0 "Verification: PASSED" "$bin/offset" -n 2^20 -w 0 -r 1 -i 1
finish "contract"
