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

# What the rows of files say. all COLUMN FILE...: the distinct values; first COLUMN|{ EXPRESSION } FILE [STRIDE]: of
# stride 3, or of that.
all() { mlr --icsv --onidx cut -f "$1" then uniq -a then sort -c "$1" then nest --implode --values --across-records -f "$1" --nested-fs ', ' "${@:2}"; }
first() {
  local expression="\$$1"
  [[ "$1" != \{* ]] || expression="${1:1:-1}"
  mlr --icsv --onidx filter "\$value == ${3:-3}" then head -n 1 then put -q "print $expression" "$2"
}
rows_in() { mlr --icsv --onidx count "$@"; }
configurations() {
  mlr --icsv --onidx count-distinct -n -f experiment,variant,parameter,value,n,rows,cols,ld_in,ld_out,struct_bytes,lanes,element_bytes,items_per_thread,block_size,l2,gpu,driver,build_type,version "$@"
}
days() {
  mlr --icsv --onidx put -q '
    str day = substr1(string($timestamp), 1, 10);
    @first = min(@first, day);
    @last = max(@last, day);
    end { print @first == @last ? @first : @first . " to " . @last }' "$@"
}
# field NAME FILE: of an environment.txt.
field() {
  local value
  value="$(sed -n "s/^$1: *//p" "$2")"
  printf '%s' "${value:-not measured}"
}

nothing_left() { [ -z "$(find "$BATS_TEST_TMPDIR" \( -path "$TMPDIR/*" -o -name '*partial*' \) 2>/dev/null)" ]; }

@test "the committed results: every field of the template, with the value of the files" {
  local timed="$results/stride.csv" counted="$results/counters/stride-default.csv" environment="$results/environment.txt" text
  report "$timed" "$counted" "$results/stride-samples.csv"
  [ "$status" -eq 0 ]
  [ -z "$stderr" ]
  has "# Report: memory access patterns on $(all gpu "$timed" "$counted"), $(days "$timed" "$counted")" \
    "$(rows_in "$timed" "$counted") rows of $(configurations "$timed" "$counted") configurations" \
    "stride-samples.csv\`: $(rows_in "$results/stride-samples.csv") samples" \
    "| date of the rows | $(days "$timed" "$counted") |" "| GPU | $(all gpu "$timed" "$counted") |" \
    "| compute capability | $(all compute_capability "$timed" "$counted") |" "| driver | $(all driver "$timed" "$counted") |" \
    "| CUDA runtime | $(all runtime "$timed" "$counted") |" "| build type | $(all build_type "$timed" "$counted") |" \
    "| toolkit (nvcc) | $(field nvcc "$environment") |" "| operating system | $(field os "$environment") |" \
    "| architectures | $(field architectures "$environment") |" "| power limit | $(field power_limit "$environment") |" \
    "| ECC | $(field ecc "$environment") |" "| commit | $(field commit "$environment") |" \
    "| timer | CUDA events: hot, one pair around the launches of a run, divided by their number; cold, a pair around each launch |" \
    "| what is timed | the launches; no copies" \
    "| useful bytes | what the algorithm must read and write, once each; of aos_soa the fields used |" \
    "| data type | $(all element_bytes "$timed" "$counted") B |" "| n | $(all n "$timed" "$counted") |" \
    "| threads a block | $(all block_size "$timed" "$counted") |" "| grid (blocks) | $(all grid_size "$timed" "$counted") |" \
    "| warm-up launches | $(all warmup "$timed" "$counted") |" "| runs | $(all runs "$timed" "$counted") |" \
    "| timed launches in a run | $(all iterations "$timed" "$counted") |" "| regime | $(all regime "$timed" "$counted") |"
  is access S2 "\`$(first access "$timed")\`"
  is "lane gap (B)" S2 "$(first lane_byte_gap "$timed")"
  # A gather needs each element once on either side.
  is "useful in (B)" S2 "$(first '{ $useful_bytes / 2 }' "$timed")"
  is "useful out (B)" S2 "$(first '{ $useful_bytes / 2 }' "$timed")"
  is "footprint (B)" S2 "$(first footprint_bytes "$timed")"
  is blocks S2 "$(first grid_size "$timed")"
  is "load requests" S2 "$(first load_requests "$timed")"
  is "load sectors" S2 "$(first load_sectors "$timed")"
  is "store sectors" S2 "$(first store_sectors "$timed")"
  is "sectors a load" S2 "$(first '{ fmtnum($load_sectors / $load_requests, "%.2lf") }' "$timed")"
  is "useful % of the loads" S2 "$(first '{ fmtnum($load_efficiency_pct, "%.1lf") }' "$timed")"
  is rows S2 2
  # Of the two rows: the median of the medians, the mean of the means, the outer ends.
  text="$(mlr --icsv --onidx filter '$value == 3' then stats1 -i -a p50,mean -f median_ms,mean_ms \
    then put -q 'print fmtnum($median_ms_p50, "%.6lg") . " " . fmtnum($mean_ms_mean, "%.6lg")' "$timed" "$counted")"
  [ "$(cell "median ms" S2) $(cell "mean ms" S2)" = "$text" ]
  is "between rows %" S2 "$(mlr --icsv --onidx filter '$value == 3' then stats1 -i -a min,max,p50 -f median_ms \
    then put -q 'print fmtnum(100 * ($median_ms_max - $median_ms_min) / $median_ms_p50, "%.2lf")' "$timed" "$counted")"
  has "Verification, all of them: 0 mismatches; largest error: not measured; status: ok; flags: none; regime: $(all regime "$timed" "$counted")."
  is "as predicted" S2 yes
  text="$(mlr --icsv --onidx filter '$value == 3' then cut -o -f counted_l1_hit_pct,counted_l2_hit_pct,counted_dram_read_bytes,counted_dram_write_bytes,counted_duration_ms "$counted")"
  [ "$(cell "L1 hit %" S2) $(cell "L2 hit %" S2) $(cell "DRAM read (B)" S2) $(cell "DRAM written (B)" S2) $(cell "duration ms" S2)" = "$text" ]
  nothing_left
}

@test "all committed results, samples and counters among them, in one report" {
  report "$results"/*.csv "$results"/counters/*-default.csv
  [ "$status" -eq 0 ]
  has "## offset" "## stride" "## aos_soa" "## transpose"
  local experiment
  for experiment in offset stride aos_soa transpose; do
    part_has "### Confirmed by data" "- **$experiment**: 0 mismatches in " "- **$experiment**: counted requests and sectors equal the predicted ones in "
  done
  part_has "### Confirmed by data" 'the conversion to SoA pays from' "a straight line through"
  part_has "### Inferred from the model" "shared-memory wavefronts cost time that the sectors do not show: "
  part_has "### Not measured" "- **offset**: largest error of "
  # What the conclusion counts: every configuration, and those with counters.
  part_has "## Conclusion" ", wrong results in 0" "the counters equal it in $(configurations "$results"/counters/*-default.csv) of"
  # Tables: as many cells in each line as in the head.
  [ -z "$(awk -F '[^\\\\][|]' '/^[|]/ { if (!in_table) { width = NF; in_table = 1 } else if (NF != width) print; next } { in_table = 0 }' <<<"$output")" ]
}

@test "sectors and time against the reference: the numbers of all rows, notable or not" {
  # Time in proportion to the sectors, but for a stride that no table shows, twice as slow, and a line of few more sectors.
  mlr --csv head -n 1 then put -q '
    for (variant in ["stride_gather", "stride_scatter"]) {
      for (k in [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26]) {
        map row = $*;
        row["variant"] = variant;
        row["value"] = 2 * k + 1;
        row["load_sectors"] = 1000 * min(2 * k + 1, 8);
        row["store_sectors"] = 1000;
        if (variant == "stride_scatter") { row["load_sectors"] = k == 0 ? 1000 : 1200 }
        num ms = variant == "stride_scatter" ? 1 + 0.0001 * k : (row["load_sectors"] + 1000) / 2000 * (k == 22 ? 2 : 1);
        for (c in ["median_ms", "mean_ms", "min_ms", "max_ms"]) { row[c] = ms }
        if (variant == "stride_scatter") { row["min_ms"] = 0.99; row["max_ms"] = 1.01 }
        row["useful_gbps"] = row["useful_bytes"] / (ms * 1e6);
        emit1 mapsum(row, {})
      }
    }' "$results/stride.csv" >"$rows"
  report "$rows"
  [ "$status" -eq 0 ]
  not has "| S23 | \`stride_gather\` | stride 45"
  part_has "### Confirmed by data" "\`stride_gather\`, stride 9 to stride 53 (23): 4.500x the sectors and 4.500 to 9.000x (stride 45) the time of stride 1." \
    "\`stride_gather\`: a straight line through 27 points"
  part_has "### Open questions" "what costs the time that the sectors do not explain: \`stride_gather\`, stride 45 (2.000x)?" \
    "why do more sectors take no more time: \`stride_scatter\`, stride 3 to stride 53 (26): 1.100x the sectors and 1.000 to 1.003x the time of stride 1?"
  part_has "### Inferred from the model" "time is proportional to the sectors, within 10 %, in 3 lines"
  part_has "## Conclusion" "stride, the slowest: \`stride_gather\`, stride 9 to stride 53 (23)" \
    "proportional to the sectors in 3 of 4 lines" "more sectors take no more time in 1 line of the comparison"
  # Out of the spread, and still not the 10 % that are asked for: within 10 % all the same, but not in proportion.
  mlr --csv put '$variant == "stride_scatter" { $min_ms = $median_ms; $max_ms = $median_ms }' "$rows" >"$rows.exact"
  report "$rows.exact"
  part_has "### Open questions" "what saves time that the sectors would cost: \`stride_scatter\`, stride 53 (0.911x)?"
  part_has "### Inferred from the model" "time is proportional to the sectors, within 10 %, in 3 lines"
}

@test "where all times overlap none is the slowest or the fastest, and nothing is in proportion" {
  mlr --csv put '$min_ms = 0.001; $max_ms = 1000' "$results/stride.csv" >"$rows"
  report "$rows"
  part_has "### Confirmed by data" "; the times overlap."
  part_has "### Open questions" "why do more sectors take no more time"
  not part_has "### Inferred from the model" proportional
  part_has "## Conclusion" "more sectors take no more time in "
  not part_has "## Conclusion" slowest
  not part_has "## Conclusion" fastest
}

# conversion: AoS, SoA and the change from one to the other, of both struct sizes, with 1 and 4 fields and times of 2, 1 and 3 ms.
conversion() {
  mlr --csv head -n 1 then put -q '
    for (bytes in [16, 24]) {
      for (variant in ["aos_transform", "soa_transform", "aos_to_soa"]) {
        for (fields in [1, 4]) {
          map row = $*;
          row["variant"] = variant;
          row["struct_bytes"] = bytes;
          row["lanes"] = "";
          row["value"] = variant == "aos_to_soa" ? "" : fields;
          num ms = variant == "aos_to_soa" ? 3 : variant == "aos_transform" ? 2 : 1;
          for (c in ["median_ms", "mean_ms", "min_ms", "max_ms"]) { row[c] = ms }
          if (variant != "aos_to_soa" || fields == 1) { emit1 mapsum(row, {}) }
        }
      }
    }' "$results/aos_soa.csv"
}

@test "the break-even of every struct size; of times that overlap it is a question" {
  conversion | mlr --csv put '$value == 4 { $min_ms = 1; $max_ms = 2 }' >"$rows"
  # Many more configurations: the usual conditions stand for them, and still both struct sizes.
  conversion | mlr --csv put -q 'for (k in [17, 18, 19, 20, 21, 22]) { emit1 mapsum($*, {"n": 2 ** k, "regime": "l2"}) }' then put '$items_per_thread = 1' >"$rows.more"
  local files
  for files in "" "$rows.more"; do
    report "$rows" ${files:+"$files"}
    [ "$status" -eq 0 ]
    part_has "### Confirmed by data" "16 B structs, 1 field, n = 2^25: the conversion to SoA pays from 3 launches on (3 ms against 1 ms gained in each)" \
      "24 B structs, 1 field, n = 2^25: the conversion to SoA pays from 3 launches on"
    part_has "### Open questions" "16 B structs, 4 fields, n = 2^25: does the conversion to SoA ever pay? The times of AoS and SoA overlap." \
      "24 B structs, 4 fields, n = 2^25: does the conversion"
    not part_has "### Confirmed by data" "4 fields, n = 2^25: the conversion"
  done
}

# Of 24-byte structs a share of the sectors has no end: 16.6666667 % of them was 805306370 bytes, two too many.
@test "useful bytes are whole numbers of bytes for each element" {
  mlr --csv filter '$variant == "aos_transform" && $value == 6 && $struct_bytes == 24' then head -n 1 \
    "$results/sweep/aos_soa.csv" >"$rows"
  report "$rows"
  [ "$status" -eq 0 ]
  has "$(mlr --icsv --onidx put -q 'print "| ".($n * 24)." | ".($n * 4)." | ".$footprint_bytes." |"' "$rows")"
}

@test "a file that is given twice, or beside its folder, counts once" {
  local folder="$BATS_TEST_TMPDIR/a folder"
  mkdir "$folder"
  cp "$results/stride.csv" "$folder/"
  ln -s "a folder/stride.csv" "$BATS_TEST_TMPDIR/link.csv"
  report "$folder" "$folder/../a folder/stride.csv" "$BATS_TEST_TMPDIR/link.csv" "$folder"
  [ "$status" -eq 0 ]
  has "$(rows_in "$folder/stride.csv") rows of $(configurations "$folder/stride.csv") configurations"
  says "/../a folder/stride.csv' was given before: its rows count once"
  says "link.csv' was given before"
}

@test "what is not a time is discarded and named" {
  mlr --csv put '$value == 3 { $median_ms = 0 } $value == 5 { $median_ms = "n/a" } $value == 9 { $min_ms = "nan" }
    $value == 17 { $ceiling_gbps = 0; $stddev_ms = "x" }' "$results/stride.csv" >"$rows"
  mlr --csv put 'NR == 2 { $ms = 0 } NR == 3 { $ms = "fast" }' "$results/stride-samples.csv" >"$rows.samples"
  report "$rows" "$rows.samples"
  [ "$status" -eq 0 ]
  local label
  for label in S2 S3 S4; do is "median ms" $label discarded; done
  is "% of ceiling" S5 "not measured"
  is "deviation %" S5 "not measured"
  part_has "### Not measured" 'what is not a time was discarded: S2 (`stride_gather`, stride 3); S3 (`stride_gather`, stride 5); S4 (`stride_gather`, stride 9).' \
    "2 samples: what they have is not a time"
}

@test "runs of a process: the fastest and the slowest of one process, with the column and without" {
  # Two processes, the second twice as slow: within either all runs are alike.
  mlr --csv filter '$value == 1' then put -q 'for (process in [1, 2]) { emit1 mapsum($*, {"ms": process, "process": process}) }' \
    then sort -nf process,run "$results/stride-samples.csv" >"$rows"
  report "$results/stride.csv" "$rows"
  part_has "### Confirmed by data" "takes at most 1.000x the time of its fastest"
  mlr --csv cut -x -f process "$rows" >"$rows.without"
  report "$results/stride.csv" "$rows.without"
  part_has "### Confirmed by data" "takes at most 1.000x the time of its fastest"
  mlr --csv put '$run == 2 && $process == 2 { $ms = 3 }' "$rows" >"$rows.slow"
  report "$results/stride.csv" "$rows.slow"
  part_has "### Confirmed by data" "takes at most 1.500x the time of its fastest"
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

@test "a row whose status is not ok, or whose mismatches are not 0, has no time that counts" {
  mlr --csv put '$value == 3 { $status = "garbage" } $value == 5 { $mismatches = 5 } $value == 9 { $mismatches = "" }' \
    "$results/stride.csv" >"$rows"
  report "$rows"
  [ "$status" -eq 0 ]
  local label
  for label in S2 S3 S4; do is "median ms" $label discarded; done
  part_has "### Confirmed by data" '0 mismatches in 4 of 7' \
    'wrong results, times discarded: S2 (`stride_gather`, stride 3): status garbage; S3 (`stride_gather`, stride 5): 5 mismatches.'
  part_has "### Not measured" "usable times of 3 rows: wrong, not verified" "mismatches of 1 configuration"
}

@test "texts that Miller takes for numbers stay texts" {
  local text folder="$BATS_TEST_TMPDIR/folder"
  mkdir "$folder"
  for text in 0x10 0b11 0o17 .5 5.; do
    mlr --csv put 'for (c in ["gpu", "version", "driver", "uuid", "flags"]) { $[c] = "'"$text"'" } NR == 2 { $median_ms = "'"$text"'" }' \
      "$results/stride.csv" >"$folder/stride.csv"
    mlr --csv put '$gpu = "'"$text"'"' "$results/stride-samples.csv" >"$folder/stride-samples.csv"
    printf 'uuid: %s\nnvcc: %s\n' "$text" "$text" >"$folder/environment.txt"
    report "$folder"
    [ "$status" -eq 0 ]
    [ -z "$stderr" ]
    has "# Report: memory access patterns on $text, " "| driver | $text |" "| sectorscope | $text |" "| UUID | $text |" \
      "| toolkit (nvcc) | $text |"
    is flags S1 "$text"
    is "median ms" S2 discarded
    not has "names it"
  done
}

@test "a second header, and what is no number where one must be: exit 2, the row named" {
  local column
  cat "$results/stride.csv" "$results/stride.csv" >"$rows"
  report "$rows"
  [ "$status" -eq 2 ]
  [ "$stderr" = "report.sh: $rows: row 8: a second header" ]
  for column in load_requests n rows ceiling_gbps useful_bytes runs counted_load_sectors; do
    mlr --csv put 'NR == 3 { $'"$column"' = "x" }' "$results/counters/stride-default.csv" >"$rows"
    report "$results/offset.csv" "$rows"
    [ "$status" -eq 2 ]
    [ "$stderr" = "report.sh: $rows: row 3: $column is no number: 'x'" ]
    [ -z "$output" ]
  done
  mlr --csv put 'NR == 5 { $run = "1x" }' "$results/stride-samples.csv" >"$rows"
  report "$results/stride.csv" "$rows"
  [ "$status" -eq 2 ]
  [ "$stderr" = "report.sh: $rows: row 5: run is no number: '1x'" ]
}

@test "a report in the place of an input is refused, however both are spelled" {
  local folder="$BATS_TEST_TMPDIR/a folder" file
  mkdir "$folder"
  cp "$results"/{stride.csv,stride-samples.csv,environment.txt} "$folder/"
  ln -s stride.csv "$folder/link.csv"
  cd "$folder"
  for file in stride.csv ./stride.csv "../a folder/stride-samples.csv" link.csv environment.txt; do
    report -o "$file" "$folder"
    [ "$status" -eq 2 ]
    says "-o: '$file' would take the place of the input '$folder/"
  done
  report -o stride.csv link.csv
  [ "$status" -eq 2 ]
  for file in stride.csv stride-samples.csv environment.txt; do cmp "$results/$file" "$file"; done
  [ -L link.csv ]
  cp stride-samples.csv stride.svg
  report --plots . stride.csv stride.svg
  [ "$status" -eq 2 ]
  says "--plots: '$folder/./stride.svg' would take"
  cmp stride-samples.csv stride.svg
  nothing_left
}

@test "--plots in a folder that a link cannot name: exit 2" {
  local name=$'a\nfolder'
  cd "$BATS_TEST_TMPDIR"
  report --plots "$name" "$results/stride.csv"
  [ "$status" -eq 2 ]
  [ "$stderr" = "report.sh: --plots: a folder whose name holds a control character cannot be linked" ]
  [ ! -e "$name" ]
  mkdir "$name"
  ln -s "$name" link
  report --plots link "$results/stride.csv"
  [ "$status" -eq 2 ]
  [ -z "$(ls "$name")" ]
}

@test "a counter that differs is found, whatever counters_match says" {
  mlr --csv put '$value == 9 { $counted_load_sectors += 1 }' "$results/counters/stride-default.csv" >"$rows"
  report "$rows"
  is "as predicted" S4 no
  local sectors
  sectors="$(first load_sectors "$results/counters/stride-default.csv" 9)"
  part_has "### Confirmed by data" "equal the predicted ones in 6 of 7" \
    "a counter differs from the prediction: S4 (\`stride_gather\`, stride 9): load_sectors predicted $sectors, counted $((sectors + 1))"
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
  is "load sectors" S4 "$(first load_sectors "$results/stride.csv" 9)"
  is "median ms" S4 "not measured"
  part_has "### Confirmed by data" "None."
  part_has "### Not measured" "times, bandwidth and verification: all rows are predictions" "no environment.txt lies beside the files" "offset: no row"
  part_has "## Conclusion" "Verification: not measured." "no counter confirms it" "Time: not measured."
}

@test "rows that deviate by more than 2 % are named; a flagged time is discarded" {
  mlr --csv put '$stddev_ms = $value == 3 ? 0.05 * $median_ms : 0; $value == 5 { $flags = "spread;throttled" }' "$results/stride.csv" >"$rows"
  report "$rows"
  part_has "### Confirmed by data" 'deviate by at most 5.00 % of their median, in S2 (`stride_gather`, stride 3)'
  part_has "### Open questions" 'more than 2 %: S2 (`stride_gather`, stride 3): 5.0 %'
  is "median ms" S3 discarded
  is flags S3 "spread, throttled"
}

@test "time against sectors follows the rows" {
  mlr --csv head -n 4 then put '$median_ms = 0.1 * ($load_sectors + $store_sectors) / 8388608; $min_ms = $median_ms; $max_ms = $median_ms;
    $stddev_ms = 0; $ceiling_gbps = 1e6' "$results/stride.csv" >"$rows"
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
  has "# Worksheet: " "| driver | $(all driver "$results/stride.csv") |" "Explanation: how do the times follow from the sectors?"
  is "load sectors" S4 "$(first load_sectors "$results/stride.csv" 9)"
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
  has "240 rows of 120 configurations" "a sweep/stride-samples.csv\`: $(rows_in "$folder/stride-samples.csv") samples" "| toolkit (nvcc) | $(field nvcc "$results/environment.txt") |" \
    "5 of 120 configurations have a line of their own" "The other 115 configurations" \
    "| L2 cold | L2 hot | 40 | 1.500x | 1.500x | 1.500x |" "| 1 item a thread | 4 items a thread | 40 | 1.000x | 1.000x | 1.000x |"
  part_has "### Confirmed by data" "medians of the same configuration differ by at most 1.00 % from row to row" "of $(rows_in "$folder/stride-samples.csv") runs in the samples"
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
