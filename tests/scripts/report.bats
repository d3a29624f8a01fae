#!/usr/bin/env bats
# report.sh on the committed results: no GPU is needed. Miller is the real one, and so is gnuplot where a picture is drawn.
# shellcheck disable=SC1010,SC2016,SC2154 # "then" and "$" inside a Miller command are Miller's; bats assigns stderr

bats_require_minimum_version 1.5.0

setup() {
  command -v mlr >/dev/null || skip "mlr is not installed"
  root="$(cd "$BATS_TEST_DIRNAME/../.." && pwd)"
  results="$root/results/nvidia-h200"
  export TMPDIR="$BATS_TEST_TMPDIR/temporary files"
  mkdir -p "$TMPDIR"
  export MLRRC=__none__
  rows="$BATS_TEST_TMPDIR/rows.csv"
}

report() { run --separate-stderr "$root/scripts/report.sh" "$@"; }

# has TEXT...: each is a part of the report.
has() {
  local text
  for text in "$@"; do
    [[ "$output" == *"$text"* ]] || {
      printf 'not in the report: %s\nstderr: %s\n%s\n' "$text" "$stderr" "$output"
      return 1
    }
  done
}

says() {
  [[ "$stderr" == *"$1"* ]] || {
    printf 'not on stderr: %s\nstderr: %s\n' "$1" "$stderr"
    return 1
  }
}

not() { ! "$@"; }

# part HEADING: the report from that heading to the next.
part() { awk -v heading="$1" '/^#/ { on = $0 == heading; next } on' <<<"$output"; }

# part_has HEADING TEXT...
part_has() {
  local found
  found="$(part "$1")"
  output="$found" has "${@:2}"
}

# cell COLUMN LABEL: of the first table with that column and a line of that label.
cell() {
  awk -F ' [|] ' -v column="$1" -v label="| $2" '
    /^[|] #/ { at = 0; for (i = 1; i <= NF; i++) if ($i == column || $i == column " |") at = i }
    at && $1 == label { sub(/ [|]$/, "", $at); print $at; exit }' <<<"$output"
}

# is COLUMN LABEL VALUE
is() {
  [ "$(cell "$1" "$2")" = "$3" ] || {
    printf '%s of %s: expected %s, got %s\n' "$1" "$2" "$3" "$(cell "$1" "$2")"
    return 1
  }
}

nothing_left() { [ -z "$(find "$BATS_TEST_TMPDIR" \( -path "$TMPDIR/*" -o -name '*partial*' \) 2>/dev/null)" ]; }

@test "the committed results: every field of the template, with the value of the files" {
  report "$results"/stride.csv "$results"/counters/stride-default.csv "$results"/stride-samples.csv
  [ "$status" -eq 0 ]
  [ -z "$stderr" ]
  has "# Report: memory access patterns on NVIDIA H200, 2026-11-29" "14 rows of 7 configurations" "stride-samples.csv\`: 49 samples" \
    "| date of the rows | 2026-11-29 |" "| GPU | NVIDIA H200 |" "| compute capability | 9.0 |" "| driver | 580.159.04 |" \
    "| CUDA runtime | 13.0 |" "| toolkit (nvcc) | 13.0.88 |" "| operating system | Ubuntu 24.04.3 LTS |" "| build type | Release |" \
    "| architectures | 90 |" "| power limit | 700.00 W |" "| ECC | Enabled |" "| commit | not measured |" \
    "| timer | CUDA events" "| what is timed | the launches; no copies" \
    "| data type | 4 B |" "| n | 33554432 |" "| threads a block | 256 |" "| grid (blocks) | 32768 |" "| warm-up launches | 10 |" \
    "| runs | 3, 7 |" "| timed launches in a run | 20, 100 |" "| regime | dram |"
  is access S2 '`out[i] = in[(i*3) mod 33554432]`'
  is "lane gap (B)" S2 12
  is "useful in (B)" S2 134217728
  is "useful out (B)" S2 134217728
  is "footprint (B)" S2 268435456
  is blocks S2 32768
  is "load requests" S2 1048576
  is "load sectors" S2 12582912
  is "store sectors" S2 4194304
  is "sectors a load" S2 12.00
  is "useful % of the loads" S2 33.3
  is rows S2 2
  # Of the two rows: the median of the medians, the mean of the means, the outer ends.
  local expected
  expected="$(mlr --icsv --onidx filter '$value == 3' then stats1 -i -a p50,mean -f median_ms,mean_ms \
    then put -q 'print fmtnum($median_ms_p50, "%.6lg") . " " . fmtnum($mean_ms_mean, "%.6lg")' \
    "$results"/stride.csv "$results"/counters/stride-default.csv)"
  [ "$(cell "median ms" S2) $(cell "mean ms" S2)" = "$expected" ]
  is "between rows %" S2 "$(mlr --icsv --onidx filter '$value == 3' then stats1 -i -a min,max,p50 -f median_ms \
    then put -q 'print fmtnum(100 * ($median_ms_max - $median_ms_min) / $median_ms_p50, "%.2lf")' \
    "$results"/stride.csv "$results"/counters/stride-default.csv)"
  has "Verification, all of them: 0 mismatches; largest error: not measured; status: ok; flags: none; regime: dram."
  is "as predicted" S2 yes
  local line
  line="$(mlr --icsv --onidx filter '$value == 3' then cut -o -f counted_l1_hit_pct,counted_l2_hit_pct,counted_dram_read_bytes,counted_dram_write_bytes,counted_duration_ms \
    "$results/counters/stride-default.csv")"
  [ "$(cell "L1 hit %" S2) $(cell "L2 hit %" S2) $(cell "DRAM read (B)" S2) $(cell "DRAM written (B)" S2) $(cell "duration ms" S2)" = "$line" ]
  nothing_left
}

@test "all committed results, samples and counters among them, in one report" {
  report "$results"/*.csv "$results"/counters/*-default.csv
  [ "$status" -eq 0 ]
  has "## offset" "## stride" "## aos_soa" "## transpose"
  part_has "### Confirmed by data" \
    "0 mismatches in 7 of 7 configurations" \
    "counted requests and sectors equal the predicted ones in 7 of 7 configurations" \
    '`stride_gather`, stride 9, stride 17, stride 33, stride 65: 4.500x the sectors' \
    '`transpose_naive`, 8192 x 8192: 4.500x the sectors and 7.1' \
    "0.400x the sectors and 0.427x the time of \`aos_transform\`: 2.34x as fast" \
    "the conversion to SoA pays from 3 launches on" \
    "a straight line through 7 points of time over sectors gives"
  part_has "### Inferred from the model" "shared-memory wavefronts cost time that the sectors do not show: 8192 x 8192 (16.500x those of \`transpose_padded\`)"
  part_has "### Not measured" "commit: empty in" "no environment.txt beside the files names it" "the effect of L2 hot and cold: every row has L2 hot"
  part_has "### Open questions" "what costs the time that the sectors do not explain: \`stride_gather\`, stride 65"
  part_has "## Conclusion" "0 mismatches in 50 of 50 configurations, wrong results in 0" "the counters equal it in 36 of 36 configurations"
  # Tables: as many cells in each line as in the head.
  [ -z "$(awk -F '[^\\\\][|]' '/^[|]/ { if (!in_table) { width = NF; in_table = 1 } else if (NF != width) print; next } { in_table = 0 }' <<<"$output")" ]
}

@test "a wrong row: named, its time discarded, asked about" {
  mlr --csv put '$value == 9 { $status = "mismatch"; $mismatches = 17 }' "$results/stride.csv" >"$rows"
  report "$rows"
  [ "$status" -eq 0 ]
  is mismatches S4 17
  is "median ms" S4 discarded
  part_has "### Confirmed by data" '0 mismatches in 6 of 7' 'wrong results, times discarded: S4 (`stride_gather`, stride 9): 17 mismatches'
  part_has "### Not measured" "usable times of 1 row"
  part_has "### Open questions" "what makes the result wrong: S4"
  part_has "## Conclusion" "wrong results in 1"
}

@test "a counter that differs is found, whatever counters_match says" {
  mlr --csv put '$value == 9 { $counted_load_sectors += 1 }' "$results/counters/stride-default.csv" >"$rows"
  report "$rows"
  is "as predicted" S4 no
  part_has "### Confirmed by data" "equal the predicted ones in 6 of 7" \
    'a counter differs from the prediction: S4 (`stride_gather`, stride 9): load_sectors predicted 33554432, counted 33554433'
  part_has "### Open questions" "why does the counter differ"
  part_has "## Conclusion" "6 of 7 configurations; they differ in 1 count"
  mlr --csv put '$value == 9 { $counted_local_sectors = 64 }' "$results/counters/stride-default.csv" >"$rows"
  report "$rows"
  part_has "### Confirmed by data" "local memory, 64 sectors counted"
}

@test "an empty cell is not measured, never 0" {
  mlr --csv put '$value == 9 {
      for (c in ["median_ms", "mean_ms", "min_ms", "max_ms", "stddev_ms", "useful_gbps", "ceiling_gbps", "mismatches",
                 "counted_load_sectors", "counted_dram_read_bytes", "counted_l2_hit_pct"]) { $[c] = "" }
      $counters_match = "unknown" }
    $value == 3 { $stddev_ms = ""; $ceiling_gbps = "" }' "$results/counters/stride-default.csv" >"$rows"
  report "$rows"
  [ "$status" -eq 0 ]
  is "deviation %" S2 "not measured"
  is "% of ceiling" S2 "not measured"
  local column
  for column in "median ms" "deviation %" "GB/s" "% of ceiling" mismatches "L2 hit %" "DRAM read (B)"; do is "$column" S4 "not measured"; done
  is "as predicted" S4 unknown
  part_has "### Not measured" "all counters of 1 of the 7 configurations" "DRAM bytes of 1 of the 7" "L2 hit rate of 1 of the 7" "mismatches of 1 configuration"
  part_has "### Confirmed by data" "equal the predicted ones in 6 of 7"
}

@test "predicted rows: nothing is confirmed, times are not measured" {
  mlr --csv put '$status = "predicted"; for (c in ["median_ms", "mean_ms", "min_ms", "max_ms", "stddev_ms", "useful_gbps", "mismatches",
    "ceiling_gbps", "regime", "gpu", "uuid", "driver"]) { $[c] = "" }' "$results/stride.csv" >"$rows"
  report "$rows"
  [ "$status" -eq 0 ]
  has "| GPU | not measured |" "Profiler requests and sectors, cache hit rates, DRAM bytes: not measured."
  is "load sectors" S4 33554432
  is "median ms" S4 "not measured"
  part_has "### Confirmed by data" "None."
  part_has "### Not measured" "times, bandwidth and verification: all rows are predictions" "no environment.txt lies beside the files" "offset: no row"
  part_has "## Conclusion" "Verification: not measured." "no counter confirms it" "Time: not measured."
}

@test "rows that deviate by more than 2 % are named; a flagged time is discarded" {
  mlr --csv put '$value == 3 { $stddev_ms = 0.05 * $median_ms } $value == 5 { $flags = "spread;throttled" }' "$results/stride.csv" >"$rows"
  report "$rows"
  part_has "### Confirmed by data" 'deviate by at most 5.00 % of their median, in S2 (`stride_gather`, stride 3)'
  part_has "### Open questions" 'more than 2 %: S2 (`stride_gather`, stride 3): 5.0 %'
  is "median ms" S3 discarded
  is flags S3 "spread, throttled"
}

@test "time against sectors follows the rows" {
  mlr --csv head -n 4 then put '$median_ms = 0.1 * ($load_sectors + $store_sectors) / 8388608; $min_ms = $median_ms; $max_ms = $median_ms' \
    "$results/stride.csv" >"$rows"
  report "$rows"
  part_has "### Confirmed by data" '`stride_gather`, stride 9: 4.500x the sectors and 4.500x the time of stride 1' "11.921 ns for 1000 sectors; r^2 = 1.000"
  part_has "### Inferred from the model" "time is proportional to the sectors, within 10 %, in 3 lines"
  part_has "### Open questions" "None."
  mlr --csv put '$value == 9 { $median_ms *= 2; $min_ms *= 2; $max_ms *= 2 }' "$rows" >"$rows.slow"
  report "$rows.slow"
  part_has "### Inferred from the model" "in 2 lines" '`stride_gather`: the time is 2.00x what it would be'
  part_has "### Open questions" 'what costs the time that the sectors do not explain: `stride_gather`, stride 9 (2.000x)'
}

@test "--worksheet leaves the reasoning blank and the measurements in" {
  report --worksheet "$results/stride.csv" "$results/counters/stride-default.csv"
  [ "$status" -eq 0 ]
  has "# Worksheet: " "| driver | 580.159.04 |" "Explanation: how do the times follow from the sectors?"
  is "load sectors" S4 33554432
  part_has "### Confirmed by data" "0 mismatches in 7 of 7"
  part_has "### Not measured" "no row"
  local heading
  for heading in "### Inferred from the model" "### Open questions" "## Conclusion"; do
    [ "$(part "$heading" | grep .)" = "> _to fill in_" ]
  done
}

@test "a folder of a sweep: long lists are cut, conditions are compared, the rest is summed up" {
  local folder="$BATS_TEST_TMPDIR/a sweep"
  mkdir "$folder"
  mlr --csv head -n 2 then put -q '
    map base = $*;
    for (process in [1, 2]) {
      for (condition in ["usual", "cold", "one"]) {
        for (k in [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19]) {
          map row = base;
          row["value"] = 10 * k + (base["value"] == 1 ? 1 : 0) + 1;
          row["l2"] = condition == "cold" ? "cold" : "hot";
          row["items_per_thread"] = condition == "one" ? 1 : 4;
          num factor = condition == "cold" ? 1.5 : 1;
          for (c in ["median_ms", "mean_ms", "min_ms", "max_ms"]) { row[c] = base[c] * factor * (process == 1 ? 1 : 1.01) }
          row["process"] = process;
          row["point"] = condition;
          emit1 mapsum(row, {})
        }
      }
    }' "$results/stride.csv" >"$folder/stride.csv"
  mlr --csv put '$process = 1; $point = "usual"' "$results/stride-samples.csv" >"$folder/stride-samples.csv"
  cp "$results/environment.txt" "$folder/"
  report "$folder"
  [ "$status" -eq 0 ]
  has "240 rows of 120 configurations" "a sweep/stride-samples.csv\`: 49 samples" "| toolkit (nvcc) | 13.0.88 |" \
    "5 of 120 configurations have a line of their own" "The other 115 configurations" \
    "| L2 cold | L2 hot | 40 | 1.500x | 1.500x | 1.500x |" "| 1 item a thread | 4 items a thread | 40 | 1.000x | 1.000x | 1.000x |"
  part_has "### Confirmed by data" "medians of the same configuration differ by at most 1.00 % from row to row" "of 49 runs in the samples"
  report "$BATS_TEST_TMPDIR/temporary files"
  [ "$status" -eq 2 ]
  says "has no offset.csv"
}

@test "--plots draws beside the report and links; -o replaces; spaces in every path" {
  command -v gnuplot >/dev/null || skip "gnuplot is not installed"
  local folder="$BATS_TEST_TMPDIR/my report"
  mkdir "$folder"
  echo stale >"$folder/the report.md"
  cp "$results/stride.csv" "$folder/the rows.csv"
  cd "$BATS_TEST_TMPDIR"
  report -o "my report/the report.md" --plots "my report/the plots" "my report/the rows.csv"
  [ "$status" -eq 0 ]
  [ -z "$output" ]
  output="$(<"$folder/the report.md")"
  has "![stride](<the plots/stride.svg>)" "my report/the rows.csv"
  not has stale
  [ -s "$folder/the plots/stride.svg" ]
  report --plots "my report/the plots" "my report/the rows.csv"
  has "![stride](<my report/the plots/stride.svg>)"
  nothing_left
}

@test "a missing mlr is named, exit 3; a missing gnuplot leaves the report, and --help needs neither" {
  local tools="$BATS_TEST_TMPDIR/tools" tool
  mkdir "$tools"
  for tool in awk bash cat dirname basename mktemp mlr rm realpath; do ln -s "$(command -v "$tool")" "$tools/$tool"; done
  PATH="$tools" report --plots "$BATS_TEST_TMPDIR/plots" "$results/stride.csv"
  [ "$status" -eq 0 ]
  says "gnuplot was not found"
  has "Pictures: missing, since gnuplot was not found."
  part_has "### Not measured" "pictures: missing, since gnuplot was not found"
  [ ! -e "$BATS_TEST_TMPDIR/plots" ]
  rm "$tools/mlr"
  PATH="$tools" report "$results/stride.csv"
  [ "$status" -eq 3 ]
  says "mlr (Miller 6) was not found"
  [ -z "$output" ]
  PATH="$tools" report --help
  [ "$status" -eq 0 ]
  [[ "${lines[0]}" == "Usage: scripts/report.sh"* && "$output" != *shellcheck* ]]
}

@test "usage, files that are none, no row: exit 2 or 1, nothing on stdout" {
  report
  [ "$status" -eq 2 ]
  report --wrong
  [ "$status" -eq 2 ]
  says "'--wrong'"
  report "$BATS_TEST_TMPDIR/none.csv"
  [ "$status" -eq 2 ]
  says "no such file: '$BATS_TEST_TMPDIR/none.csv'"
  printf 'a,b\n1,2\n' >"$rows"
  report "$rows"
  [ "$status" -eq 2 ]
  says "rows.csv' is no CSV of rows: its header lacks experiment"
  head -c -300 "$results/stride.csv" >"$rows"
  report "$rows"
  [ "$status" -eq 2 ]
  says "is no whole CSV"
  head -n 1 "$results/stride.csv" >"$rows"
  report "$rows"
  [ "$status" -eq 1 ]
  says "no row to report"
  report "$results/stride-samples.csv"
  [ "$status" -eq 1 ]
  [ -z "$output" ]
  nothing_left
}

@test "a target that cannot be written: exit 3, the old one stays, no partial file" {
  report -o "$BATS_TEST_TMPDIR/none/report.md" "$results/stride.csv"
  [ "$status" -eq 3 ]
  says "cannot be written"
  report -o "$BATS_TEST_TMPDIR" "$results/stride.csv"
  [ "$status" -eq 2 ]
  if command -v gnuplot >/dev/null; then
    echo file >"$BATS_TEST_TMPDIR/file"
    echo old >"$BATS_TEST_TMPDIR/report.md"
    report -o "$BATS_TEST_TMPDIR/report.md" --plots "$BATS_TEST_TMPDIR/file" "$results/stride.csv"
    [ "$status" -eq 3 ]
    says "could not be drawn"
    [ "$(<"$BATS_TEST_TMPDIR/report.md")" = old ]
  fi
  if [ -e /dev/full ]; then
    run --separate-stderr bash -c '"$1" "$2" >/dev/full' _ "$root/scripts/report.sh" "$results/stride.csv"
    [ "$status" -eq 3 ]
  fi
  nothing_left
}

@test "commas, quotes, pipes and marks of Markdown in cells stay text" {
  mlr --csv put '$gpu = "The \"X\", <b>|*1*"; $access = "out[i] = a|b"' "$results/stride.csv" >"$rows"
  report "$rows"
  [ "$status" -eq 0 ]
  has '| GPU | The "X", \<b\>\|\*1\* |' 'out\[i\] = a\|b' '# Report: memory access patterns on The "X", \<b\>\|\*1\*'
}

@test "a locale with a decimal comma, and a ~/.mlrrc, change nothing" {
  local german before
  german="$(locale -a 2>/dev/null | grep -i -m 1 '^de_DE' || true)"
  report "$results/stride.csv"
  before="$output"
  printf 'ofs=;\n' >"$BATS_TEST_TMPDIR/.mlrrc"
  unset MLRRC
  HOME="$BATS_TEST_TMPDIR" LC_ALL="${german:-de_DE.UTF-8}" LANG="${german:-de_DE.UTF-8}" report "$results/stride.csv"
  [ "$status" -eq 0 ]
  [ "$output" = "$before" ]
}
