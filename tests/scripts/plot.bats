#!/usr/bin/env bats
# plot.sh on the committed results: no GPU is needed. gnuplot and Miller are the real ones.
# shellcheck disable=SC1010,SC2016,SC2154 # "then" and "$" inside a Miller command are Miller's; bats assigns stderr

bats_require_minimum_version 1.5.0

setup() {
  command -v gnuplot >/dev/null || skip "gnuplot is not installed"
  command -v mlr >/dev/null || skip "mlr is not installed"
  root="$(cd "$BATS_TEST_DIRNAME/../.." && pwd)"
  results="$root/results/nvidia-h200"
  out="$BATS_TEST_TMPDIR/the pictures"
  export TMPDIR="$BATS_TEST_TMPDIR/temporary files"
  mkdir -p "$TMPDIR"
  export MLRRC=__none__
}

plot() { run --separate-stderr "$root/scripts/plot.sh" "$@"; }

says() {
  [[ "$stderr" == *"$1"* ]] || {
    printf 'not on stderr: %s\nstderr: %s\n' "$1" "$stderr"
    return 1
  }
}

# shows PICTURE TEXT...: all of them are written in it.
shows() {
  local text
  for text in "${@:2}"; do
    grep -qF -- "$text" "$out/$1" || {
      printf 'not in %s: %s\n' "$1" "$text"
      return 1
    }
  done
}

not() { ! "$@"; }

variants() { mlr --icsv --onidx uniq -g variant then cut -f variant "$@"; }

nothing_left() { [ -z "$(find "$TMPDIR" "$out" -mindepth 1 \( -path "$TMPDIR/*" -o -name '*partial*' \) 2>/dev/null)" ]; }

@test "the committed rows: a picture a kind, with GPU, date, regime, units and every variant" {
  plot --out "$out" "$results"/{offset,stride,aos_soa,transpose}.csv
  [ "$status" -eq 0 ]
  [ -z "$stderr" ]
  [ "$output" = "$(printf '%s\n' "$out"/{offset,stride,aos_soa,transpose}.svg)" ]
  local kind variant
  for kind in offset stride aos_soa transpose; do
    [ -s "$out/$kind.svg" ]
    shows "$kind.svg" "NVIDIA H200, 2026-11-29, regime: dram" "useful bandwidth (GB/s)" 'width="1200"'
    for variant in $(variants "$results/$kind.csv"); do shows "$kind.svg" "$variant"; done
  done
  shows offset.svg "offset (elements)" "predicted sectors a request"
  shows stride.svg "stride (elements" "predicted sectors a request"
  shows aos_soa.svg "1 field read"
  shows transpose.svg "8192 x 8192" "ceiling: device copy"
  nothing_left
}

@test "the committed counters: predicted against counted, all equal" {
  plot --out "$out" "$results"/counters/*-default.csv
  [ "$status" -eq 0 ]
  [[ "$output" == *"$out/counters.svg" ]]
  local counts variant
  counts=$((2 * $(mlr --icsv --onidx count "$results"/counters/*-default.csv)))
  shows counters.svg "$counts of $counts counts equal the prediction" "predicted sectors of one launch (32 B each" "NVIDIA H200"
  for variant in $(variants "$results"/counters/*-default.csv); do shows counters.svg "$variant"; done
  shows aos_soa.svg "4 fields read"
}

@test "a wrong count is counted as such" {
  mlr --csv put 'NR == 1 { $counted_load_sectors += 1 }' "$results/counters/offset-default.csv" >"$BATS_TEST_TMPDIR/rows.csv"
  plot --out "$out" "$BATS_TEST_TMPDIR/rows.csv"
  shows counters.svg "15 of 16 counts equal"
}

@test "one variant, one colour, whatever else is in the picture" {
  plot --out "$out" "$results/transpose.csv"
  shows transpose.svg "rgb(  0, 158, 115)"
  mlr --csv filter '$variant == "transpose_padded"' "$results/transpose.csv" >"$BATS_TEST_TMPDIR/rows.csv"
  plot --out "$out" "$BATS_TEST_TMPDIR/rows.csv"
  shows transpose.svg "rgb(  0, 158, 115)" transpose_padded
  not shows transpose.svg transpose_naive
}

@test "--format png and both" {
  plot --format png --out "$out" "$results/offset.csv"
  [ "$status" -eq 0 ]
  [ "$output" = "$out/offset.png" ]
  [ "$(head -c 4 "$out/offset.png" | tail -c 3)" = PNG ]
  plot --format both --out "$out" "$results/offset.csv"
  [ "$output" = "$(printf '%s\n' "$out"/offset.{svg,png})" ]
}

@test "n: drawn from three sizes on, shaded where the regime leaves the L2" {
  local file="$BATS_TEST_TMPDIR/rows.csv"
  mlr --csv head -n 1 then put -q '
    for (k in [16, 20, 24]) {
      map row = $*;
      row["n"] = 2 ** k;
      row["regime"] = k < 21 ? "l2" : "dram";
      emit1 mapsum(row, {})
    }' "$results/offset.csv" >"$file"
  plot --out "$out" "$file"
  [ "$status" -eq 0 ]
  [[ "$output" == *"$out/n.svg"* ]]
  shows n.svg "n (elements" offset_read "the footprint passes the L2 size" "regime: dram, l2"
  mlr --csv put '$regime = ""' "$file" >"$file.unknown"
  plot --out "$out" "$file.unknown"
  shows n.svg "regime: unknown"
  not shows n.svg "L2 size"
  mlr --csv head -n 2 "$file" >"$file.two"
  plot --out "$out" "$file.two"
  [[ "$output" != *n.svg* ]]
}

@test "a stride of 0 has its place" {
  plot --out "$out" "$results/counters/disjoint-e4-u4.csv"
  [ "$status" -eq 0 ]
  shows stride.svg stride_disjoint
}

@test "beside other conditions the usual ones are drawn, every variant, and what is left out is named" {
  plot --out "$out" "$results"/counters/*.csv
  [ "$status" -eq 0 ]
  says "offset: 66 of 78 rows left out, of other conditions: 1 B elements; 2 B elements; 8 B elements; 16 B elements; 1 item a thread"
  says "transpose: 96 of 128 rows left out"
  # The n of the rows that measure memory, not of the many small ones.
  shows offset.svg "4 B elements, 4 items a thread, 256 threads a block, L2 hot" "offset_read, n = 2^25" "offset_write, n = 1003"
  shows aos_soa.svg "aos_transform, n = 2^25"
  local variant
  for variant in $(variants "$results"/counters/transpose*.csv); do shows transpose.svg "$variant"; done
  for variant in $(variants "$results"/counters/stride*.csv); do shows stride.svg "$variant"; done
  for variant in $(variants "$results"/counters/{aos,step}*.csv); do shows aos_soa.svg "$variant"; done
}

# sizes: rows of one stride variant at many n, hot and cold, and three strides.
sizes() {
  mlr --csv filter '$value == 1 || $value == 9 || $value == 65' then put -q '
    for (k in [16, 18, 20, 22, 24, 25, 26, 27, 28]) {
      for (l2 in ["hot", "cold"]) {
        map row = $*;
        row["n"] = 2 ** k;
        row["l2"] = l2;
        row["regime"] = k <= 22 ? "l2" : k == 24 ? "mixed" : "dram";
        emit1 mapsum(row, {})
      }
    }' "$results/stride.csv"
}

@test "a stride at many n: the smallest, the usual and the largest, and it is said" {
  sizes >"$BATS_TEST_TMPDIR/rows.csv"
  mlr --csv put '$n = 2 ** 25' "$results/stride.csv" >"$BATS_TEST_TMPDIR/usual.csv"
  plot --out "$out" "$BATS_TEST_TMPDIR"/{rows,usual}.csv
  [ "$status" -eq 0 ]
  says "stride: 27 of 61 rows left out, of other conditions: L2 cold"
  says "stride: too many lines for one picture: not all of the values of n are shown"
  shows stride.svg "stride_gather, n = 2^16" "stride_gather, n = 2^25" "stride_gather, n = 2^28" "L2 hot"
  not shows stride.svg "n = 2^20"
  shows n.svg "stride_gather, stride 9" "the footprint passes the L2 size"
}

@test "--where chooses: other conditions, several of them, never by an empty cell" {
  sizes >"$BATS_TEST_TMPDIR/rows.csv"
  plot --out "$out" --where l2=cold --where n=33554432 "$BATS_TEST_TMPDIR/rows.csv"
  [ "$status" -eq 0 ]
  [ -z "$stderr" ]
  [ "$output" = "$out/stride.svg" ]
  shows stride.svg "n = 2^25, 4 B elements" "L2 cold"
  plot --out "$out" --where l2=hot,cold --where n=33554432 "$BATS_TEST_TMPDIR/rows.csv"
  shows stride.svg "stride_gather, L2 hot" "stride_gather, L2 cold"
  plot --out "$out" --where lanes=32 "$results/aos_soa.csv"
  shows aos_soa.svg aos_transform soa_transform aosoa_transform
  plot --out "$out" --where l2=warm "$results/aos_soa.csv"
  [ "$status" -eq 1 ]
  plot --where cache=hot "$results/aos_soa.csv"
  [ "$status" -eq 2 ]
  says "no column 'cache'"
  plot --where l2 "$results/aos_soa.csv"
  [ "$status" -eq 2 ]
  plot --where l2=hot --where l2=cold "$results/aos_soa.csv"
  [ "$status" -eq 2 ]
  says "given twice"
}

@test "predictions that coincide are one line" {
  mlr --csv put -q 'emit1 mapsum($*, {}); emit1 mapsum($*, {"variant": "offset_write"})' "$results/offset.csv" \
    >"$BATS_TEST_TMPDIR/rows.csv"
  plot --out "$out" "$BATS_TEST_TMPDIR/rows.csv"
  shows offset.svg "predicted sectors: read, write"
  mlr --csv put '$variant == "offset_write" && $value == 1 { $load_sectors_per_request = 4 }' \
    "$BATS_TEST_TMPDIR/rows.csv" >"$BATS_TEST_TMPDIR/other.csv"
  plot --out "$out" "$BATS_TEST_TMPDIR/other.csv"
  not shows offset.svg "predicted sectors: read, write"
  shows offset.svg "predicted sectors: write"
}

@test "rows that are not ok, or flagged, are left out and counted" {
  local file="$BATS_TEST_TMPDIR/rows.csv"
  mlr --csv put 'NR == 1 { $status = "mismatch"; $variant = "transpose_wrong" }
    NR == 2 { $flags = "spread;throttled"; $variant = "transpose_hot" }
    NR == 3 { $flags = "profiled"; $variant = "transpose_watched" }
    NR == 4 { $flags = "spread" }' "$results/transpose.csv" >"$file"
  plot --out "$out" "$file"
  [ "$status" -eq 0 ]
  says "1 rows left out: their status is not ok"
  says "2 rows left out: their flags say profiled, debug or throttled"
  shows transpose.svg transpose_naive_write
  not grep -qE 'transpose_(wrong|hot|watched)' "$out/transpose.svg"
}

@test "predicted rows only: exit 1, says why, no picture" {
  mlr --csv put '$status = "predicted"; for (c in ["median_ms", "stddev_ms", "useful_gbps"]) { $[c] = "" }' \
    "$results/offset.csv" >"$BATS_TEST_TMPDIR/rows.csv"
  plot --out "$out" "$BATS_TEST_TMPDIR/rows.csv"
  [ "$status" -eq 1 ]
  says "8 predicted rows have no time"
  says "nothing to draw"
  [ -z "$output" ]
  [ ! -e "$out" ]
  head -n 1 "$results/offset.csv" >"$BATS_TEST_TMPDIR/header.csv"
  plot --out "$out" "$BATS_TEST_TMPDIR/header.csv"
  [ "$status" -eq 1 ]
  nothing_left
}

@test "what is no CSV of rows: exit 2, the missing columns named" {
  printf 'a,b\n1,2\n' >"$BATS_TEST_TMPDIR/foreign.csv"
  plot --out "$out" "$BATS_TEST_TMPDIR/foreign.csv"
  [ "$status" -eq 2 ]
  says "foreign.csv' is no CSV of rows"
  says useful_gbps
  plot --out "$out" "$results/offset-samples.csv"
  [ "$status" -eq 2 ]
  says median_ms
  mlr --csv cut -x -f regime "$results/offset.csv" >"$BATS_TEST_TMPDIR/foreign.csv"
  plot --out "$out" "$results/stride.csv" "$BATS_TEST_TMPDIR/foreign.csv"
  [ "$status" -eq 2 ]
  says "its header lacks regime"
  : >"$BATS_TEST_TMPDIR/foreign.csv"
  plot --out "$out" "$BATS_TEST_TMPDIR/foreign.csv"
  [ "$status" -eq 2 ]
  [ ! -e "$out" ]
  nothing_left
}

@test "a half row: exit 2" {
  head -c -300 "$results/offset.csv" >"$BATS_TEST_TMPDIR/half.csv"
  plot --out "$out" "$BATS_TEST_TMPDIR/half.csv"
  [ "$status" -eq 2 ]
  says "half.csv' is no whole CSV"
}

@test "usage: exit 2 naming what is wrong" {
  plot
  [ "$status" -eq 2 ]
  plot --format gif "$results/offset.csv"
  [ "$status" -eq 2 ]
  says "'gif'"
  plot --wrong
  [ "$status" -eq 2 ]
  says "'--wrong'"
  plot --out
  [ "$status" -eq 2 ]
  plot --out "$out" "$BATS_TEST_TMPDIR/none.csv"
  [ "$status" -eq 2 ]
  says "no such file: '$BATS_TEST_TMPDIR/none.csv'"
  plot "$BATS_TEST_TMPDIR"
  [ "$status" -eq 2 ]
}

@test "a missing tool is named: exit 3; --help needs none" {
  local tools="$BATS_TEST_TMPDIR/tools" tool
  mkdir "$tools"
  for tool in awk bash dirname mktemp mlr rm; do ln -s "$(command -v "$tool")" "$tools/$tool"; done
  PATH="$tools" plot --out "$out" "$results/offset.csv"
  [ "$status" -eq 3 ]
  says "gnuplot was not found"
  rm "$tools/mlr"
  PATH="$tools" plot --out "$out" "$results/offset.csv"
  [ "$status" -eq 3 ]
  says "mlr (Miller 6) was not found"
  PATH="$tools" plot --help
  [ "$status" -eq 0 ]
  [[ "${lines[0]}" == "Usage: scripts/plot.sh"* && "$output" != *shellcheck* ]]
}

@test "spaces in paths; the default is beside the first file; a picture that exists is replaced" {
  local folder="$BATS_TEST_TMPDIR/my results"
  mkdir "$folder"
  cp "$results/offset.csv" "$folder/the rows.csv"
  cp "$results/stride.csv" "$BATS_TEST_TMPDIR/"
  echo old >"$folder/offset.svg"
  cd "$BATS_TEST_TMPDIR"
  plot "my results/the rows.csv" stride.csv
  [ "$status" -eq 0 ]
  [ "$output" = "$(printf '%s\n' "$folder"/{offset,stride}.svg)" ]
  grep -q offset_read "$folder/offset.svg"
  [ "$(cd "$folder" && printf '%s ' *)" = "offset.svg stride.svg the rows.csv " ]
}

@test "a folder that cannot be written: exit 3, no partial file" {
  echo file >"$BATS_TEST_TMPDIR/file"
  plot --out "$BATS_TEST_TMPDIR/file" "$results/offset.csv"
  [ "$status" -eq 3 ]
  says "cannot be made"
  [ "$(id -u)" -ne 0 ] || skip "root writes everywhere"
  mkdir -p "$out"
  chmod a-w "$out"
  plot --out "$out" "$results/offset.csv"
  [ "$status" -eq 3 ]
  says "cannot be written"
  nothing_left
}

@test "a GPU's name may hold quotes" {
  mlr --csv put '$gpu = "The \"X\"'"'"'s, 1_a"' "$results/offset.csv" >"$BATS_TEST_TMPDIR/rows.csv"
  plot --out "$out" "$BATS_TEST_TMPDIR/rows.csv"
  [ "$status" -eq 0 ]
  grep -qE "The (\"|&quot;)X(\"|&quot;)('|&#39;|&apos;)s, 1_a, 2026" "$out/offset.svg"
}

@test "a locale with a decimal comma, and a ~/.mlrrc, change nothing" {
  local german
  german="$(locale -a 2>/dev/null | grep -i -m 1 '^de_DE' || true)"
  plot --out "$out" "$results/transpose.csv"
  mv "$out/transpose.svg" "$out/before.svg"
  printf 'ofs=;\n' >"$BATS_TEST_TMPDIR/.mlrrc"
  unset MLRRC
  HOME="$BATS_TEST_TMPDIR" LC_ALL="${german:-de_DE.UTF-8}" LANG="${german:-de_DE.UTF-8}" plot --out "$out" "$results/transpose.csv"
  [ "$status" -eq 0 ]
  cmp "$out/before.svg" "$out/transpose.svg"
}
