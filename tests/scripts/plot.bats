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

# title FILE...: the GPU, the days and the regimes of rows, as a picture names them.
title() {
  mlr --icsv --onidx put -q '
    str day = substr1(string($timestamp), 1, 10);
    @first = min(@first, day);
    @last = max(@last, day);
    @gpu[$gpu] = 1;
    if ($regime != "") { @regime[$regime] = 1 }
    end { print joink(sort(@gpu), ", ") . ", " . (@first == @last ? @first : @first . " to " . @last) . ", regime: " . joink(sort(@regime), ", ") }' "$@"
}

nothing_left() { [ -z "$(find "$TMPDIR" "$out" -mindepth 1 \( -path "$TMPDIR/*" -o -name '*partial*' \) 2>/dev/null)" ]; }

@test "the committed rows: a picture a kind, with GPU, date, regime, units and every variant" {
  plot --out "$out" "$results"/{offset,stride,aos_soa,transpose}.csv
  [ "$status" -eq 0 ]
  [ -z "$stderr" ]
  [ "$output" = "$(printf '%s\n' "$out"/{offset,stride,aos_soa,transpose}.svg)" ]
  local kind variant
  for kind in offset stride aos_soa transpose; do
    [ -s "$out/$kind.svg" ]
    shows "$kind.svg" "$(title "$results/$kind.csv")" "useful bandwidth (GB/s)" 'width="1200"'
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
  shows counters.svg "$counts of $counts counts equal the prediction" "predicted sectors of one launch (32 B each" "$(title "$results"/counters/*-default.csv)"
  for variant in $(variants "$results"/counters/*-default.csv); do shows counters.svg "$variant"; done
  shows aos_soa.svg "4 fields read"
}

@test "markers of several variants on one point: each is smaller than the one under it" {
  plot --out "$out" "$results/counters/transpose-default.csv"
  # The scales of the filled diamonds, one for each variant.
  local sizes
  sizes="$(grep -oE "gpPt12' transform='[^']*scale\\([0-9.]+\\)" "$out/counters.svg" | sed 's/.*scale(//; s/)$//' | uniq)"
  echo "sizes: $sizes"
  [ "$(sort -u <<<"$sizes" | wc -l)" -eq "$(variants "$results/counters/transpose-default.csv" | wc -l)" ]
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
  shows n.svg "n (elements" offset_read "the data passes the L2 size" "regime: dram, l2"
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
  local kind
  for kind in offset stride transpose; do
    says "of $(mlr --icsv --onidx filter "\$experiment == \"$kind\"" then count "$results"/counters/*.csv) rows left out, of other conditions: "
  done
  says "1 B elements; 2 B elements; 8 B elements; 16 B elements; 1 item a thread"
  shows offset.svg "4 B elements, 4 items a thread, 256 threads a block, L2 hot"
  # The structs of a step are larger: neither title nor legend passes over it, nor over those that go.
  says "aos_soa: "
  says "24 B structs"
  shows aos_soa.svg "aos_transform, " "16 B structs" "24 B structs"
  local variant
  for variant in $(variants "$results"/counters/transpose*.csv); do shows transpose.svg "$variant"; done
  for variant in $(variants "$results"/counters/stride*.csv); do shows stride.svg "$variant"; done
  for variant in $(variants "$results"/counters/{aos,step}*.csv); do shows aos_soa.svg "$variant"; done
}

@test "the n of the rows that measure memory is drawn, not of the many small ones, but of a variant that has no other" {
  mlr --csv put -q '
    for (variant in ["offset_read", "offset_write"]) {
      for (n in [1003, 65537, 2 ** 25]) {
        map row = $*;
        row["variant"] = variant;
        row["n"] = n;
        row["regime"] = n == 2 ** 25 ? "dram" : "l2";
        if (n == 1003 || (variant == "offset_read" && (n == 65537 || $value < 4))) { emit1 mapsum(row, {}) }
      }
    }' "$results/offset.csv" >"$BATS_TEST_TMPDIR/rows.csv"
  plot --out "$out" "$BATS_TEST_TMPDIR/rows.csv"
  [ "$status" -eq 0 ]
  says "rows left out, of other conditions: n = 1003; n = 65537"
  shows offset.svg "offset_read, n = 2^25" "offset_write, n = 1003"
}

@test "the struct size stands in the title where it is one, else in the legend" {
  mlr --csv filter '$variant != "aosoa_transform"' "$results/aos_soa.csv" >"$BATS_TEST_TMPDIR/rows.csv"
  plot --out "$out" "$BATS_TEST_TMPDIR/rows.csv"
  shows aos_soa.svg ", 16 B structs"
  not shows aos_soa.svg "soa_transform, 16 B structs"
  mlr --csv put '$variant == "soa_transform" { $struct_bytes = 24 }' "$BATS_TEST_TMPDIR/rows.csv" >"$BATS_TEST_TMPDIR/own.csv"
  plot --out "$out" "$BATS_TEST_TMPDIR/own.csv"
  [ -z "$stderr" ]
  shows aos_soa.svg "aos_transform, 16 B structs" "soa_transform, 24 B structs"
  # Where a variant has both, the other one goes, and is named, although a variant that has nothing else keeps it.
  mlr --csv put -q 'emit1 mapsum($*, {}); if ($variant == "aos_transform") { emit1 mapsum($*, {"struct_bytes": 24}) }' \
    "$BATS_TEST_TMPDIR/own.csv" >"$BATS_TEST_TMPDIR/both.csv"
  plot --out "$out" "$BATS_TEST_TMPDIR/both.csv"
  says "rows left out, of other conditions: 24 B structs"
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
  shows n.svg "stride_gather, stride 9" "the data passes the L2 size"
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
  says "--where: no row has l2=warm"
  says "nothing to draw: no row is left by --where"
  plot --out "$out" --where l2=hot,warm "$results/aos_soa.csv"
  [ "$status" -eq 0 ]
  says "--where: no row has l2=warm"
  plot --where cache=hot "$results/aos_soa.csv"
  [ "$status" -eq 2 ]
  says "no column 'cache'"
  plot --where l2 "$results/aos_soa.csv"
  [ "$status" -eq 2 ]
  plot --where l2=hot --where l2=cold "$results/aos_soa.csv"
  [ "$status" -eq 2 ]
  says "given twice"
}

@test "--where with several values: each is drawn, at an n that all of them have, however many lines there are" {
  # Hot at two sizes, more rows at the larger one; cold at the smaller one alone.
  mlr --csv put -q '
    emit1 mapsum($*, {"n": 2 ** 26});
    if ($value < 3) {
      emit1 mapsum($*, {"n": 2 ** 24});
      emit1 mapsum($*, {"n": 2 ** 24, "l2": "cold"});
    }' "$results/offset.csv" >"$BATS_TEST_TMPDIR/rows.csv"
  plot --out "$out" --where l2=hot,cold "$BATS_TEST_TMPDIR/rows.csv"
  [ "$status" -eq 0 ]
  shows offset.svg "n = 2^24, 4 B elements" "offset_read, L2 hot" "offset_read, L2 cold" "predicted sectors: read<"
  says "of other conditions: n = 2^26"
  # No n in common: each has its own.
  mlr --csv filter '$n == 2 ** 26 || $l2 == "cold"' "$BATS_TEST_TMPDIR/rows.csv" >"$BATS_TEST_TMPDIR/apart.csv"
  plot --out "$out" --where l2=cold,hot "$BATS_TEST_TMPDIR/apart.csv"
  shows offset.svg "offset_read, n = 2^26, L2 hot" "offset_read, n = 2^24, L2 cold"
  [ -z "$stderr" ]
  # Of more lines than are drawn, too: hot has most rows at another n than cold has.
  mlr --csv put -q '
    for (n in [2 ** 16, 2 ** 18, 2 ** 20, 2 ** 21, 2 ** 22, 2 ** 23, 2 ** 25, 2 ** 26, 2 ** 28]) {
      if ($value < 10 || n == 2 ** 25) { emit1 mapsum($*, {"n": n}) }
      if ($value < 10 && n == 2 ** 26) { emit1 mapsum($*, {"n": n, "l2": "cold"}) }
    }' "$results/stride.csv" >"$BATS_TEST_TMPDIR/stride.csv"
  plot --out "$out" --where l2=hot,cold "$BATS_TEST_TMPDIR/stride.csv"
  shows stride.svg "n = 2^26, L2 hot" "n = 2^26, L2 cold" "n = 2^16, L2 hot" "n = 2^28, L2 hot"
  not shows stride.svg "n = 2^25"
  # Ten lines were asked for.
  mlr --csv put -q 'for (size in [32, 64, 96, 128, 160, 192, 224, 256, 288, 320]) { emit1 mapsum($*, {"block_size": size}) }' \
    "$results/offset.csv" >"$BATS_TEST_TMPDIR/many.csv"
  plot --out "$out" --where block_size=32,64,96,128,160,192,224,256,288,320 "$BATS_TEST_TMPDIR/many.csv"
  [ -z "$stderr" ]
  shows offset.svg "32 threads a block" "192 threads a block" "320 threads a block"
}

@test "two GPUs: both are drawn, each at its own n where they have none in common; --where gpu chooses" {
  mlr --csv put -q '
    emit1 mapsum($*, {"gpu": "GPU A"});
    if ($value < 4) { emit1 mapsum($*, {"gpu": "GPU B", "n": 2 ** 24}) }' "$results/offset.csv" >"$BATS_TEST_TMPDIR/rows.csv"
  plot --out "$out" "$BATS_TEST_TMPDIR/rows.csv"
  [ "$status" -eq 0 ]
  [ -z "$stderr" ]
  shows offset.svg "GPU A, GPU B, " ", GPU A" "n = 2^24, GPU B"
  plot --out "$out" --where "gpu=GPU B" "$BATS_TEST_TMPDIR/rows.csv"
  shows offset.svg "GPU B, "
  not shows offset.svg "GPU A"
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

@test "a row with mismatches, or without their number, is left out, whatever its status says" {
  local file="$BATS_TEST_TMPDIR/rows.csv"
  mlr --csv put 'NR == 1 { $mismatches = 5; $variant = "transpose_wrong" }
    NR == 2 { $mismatches = ""; $variant = "transpose_unverified" }
    NR == 3 { $status = ""; $variant = "transpose_unknown" }' "$results/transpose.csv" >"$file"
  plot --out "$out" "$file"
  [ "$status" -eq 0 ]
  says "3 rows left out: their status is not ok, or their mismatches are not 0"
  not grep -qE 'transpose_(wrong|unverified|unknown)' "$out/transpose.svg"
}

@test "texts that Miller takes for numbers stay texts" {
  local text file="$BATS_TEST_TMPDIR/rows.csv"
  for text in 0x10 0b11 0o17 .5 5.; do
    mlr --csv put 'for (c in ["gpu", "version", "driver", "uuid", "flags"]) { $[c] = "'"$text"'" } NR == 1 { $median_ms = "'"$text"'" }' \
      "$results/offset.csv" >"$file"
    plot --out "$out" "$file"
    [ "$status" -eq 0 ]
    [ "$stderr" = "plot.sh: warning: 1 rows left out: what they have is not a time ($(mlr --icsv --onidx head -n 1 then \
      put -q 'print $variant . " " . $parameter . " " . $value . ": median_ms " . $median_ms . ", useful_gbps " . $useful_gbps' "$file"))" ]
    shows offset.svg "$text, 20"
  done
}

@test "a second header, and what is no number where one must be: exit 2, the row named" {
  local file="$BATS_TEST_TMPDIR/rows.csv" column
  cat "$results/offset.csv" "$results/offset.csv" >"$file"
  plot --out "$out" "$results/stride.csv" "$file"
  [ "$status" -eq 2 ]
  [ "$stderr" = "plot.sh: $file: row 9: a second header" ]
  for column in load_requests n rows ceiling_gbps useful_bytes; do
    mlr --csv put 'NR == 3 { $'"$column"' = "x" }' "$results/offset.csv" >"$file"
    plot --out "$out" "$file"
    [ "$status" -eq 2 ]
    [ "$stderr" = "plot.sh: $file: row 3: $column is no number: 'x'" ]
  done
  [ ! -e "$out" ]
  nothing_left
}

@test "a folder where a picture goes: exit 3, nothing is left in it" {
  mkdir -p "$out/offset.svg"
  plot --out "$out" "$results/offset.csv"
  [ "$status" -eq 3 ]
  says "offset.svg' cannot be written"
  [ -z "$output" ]
  [ -z "$(ls "$out/offset.svg")" ]
  nothing_left
}

@test "a picture in the place of an input is refused, however both are spelled" {
  mkdir "$out"
  cp "$results/offset.csv" "$out/offset.svg"
  ln -s offset.svg "$out/link.csv"
  local file
  for file in "$out/offset.svg" "$out/../the pictures/offset.svg" "$out/link.csv"; do
    plot --out "$out" "$file"
    [ "$status" -eq 2 ]
    says "--out: '$out/offset.svg' would take the place of the input '$file'"
    cmp "$results/offset.csv" "$out/offset.svg"
  done
}

@test "a full stdout: exit 3, one line" {
  [ -c /dev/full ] || skip "there is no /dev/full"
  run --separate-stderr bash -c '"$@" >/dev/full' - "$root/scripts/plot.sh" --out "$out" "$results/offset.csv"
  [ "$status" -eq 3 ]
  [ "$stderr" = "plot.sh: stdout took no more" ]
}

@test "what is not a time is left out and named" {
  mlr --csv put '$value == 1 { $median_ms = 0; $useful_gbps = "" } $value == 2 { $median_ms = 0 }
    $value == 3 { $useful_gbps = "inf" } $value == 4 { $median_ms = "n/a" } $value == 5 { $stddev_ms = "nan" }' \
    "$results/offset.csv" >"$BATS_TEST_TMPDIR/rows.csv"
  plot --out "$out" "$BATS_TEST_TMPDIR/rows.csv"
  [ "$status" -eq 0 ]
  says "1 rows left out: they have no time"
  says "3 rows left out: what they have is not a time (offset_read offset 2: median_ms 0, useful_gbps "
  says "; offset_read offset 4: median_ms n/a, useful_gbps "
  [ -s "$out/offset.svg" ]
  mlr --csv put '$median_ms = 0' "$results/offset.csv" >"$BATS_TEST_TMPDIR/rows.csv"
  plot --out "$out" "$BATS_TEST_TMPDIR/rows.csv"
  [ "$status" -eq 1 ]
  says "nothing to draw"
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
