#!/usr/bin/env bats
# compare.sh on rows made of the committed ones: no GPU is needed. Miller is the real one.
# shellcheck disable=SC1010,SC2016,SC2154 # "then" and "$" inside a Miller command are Miller's; bats assigns stderr

bats_require_minimum_version 1.5.0

# The rows of the committed results with times and a machine of their own: other results change no expected value. Row
# k takes 0.01 ms for each sector of a load request, and k times 0.001 ms; its seven runs lie within 0.1 % of that.
setup_file() {
  command -v mlr >/dev/null || return 0
  export MLRRC=__none__ LC_ALL=C
  base="$BATS_FILE_TMPDIR/base"
  key=experiment,variant,parameter,value,n,rows,cols,ld_in,ld_out,struct_bytes,lanes,element_bytes
  key+=,items_per_thread,block_size,l2,order,seed,warmup,iterations,runs
  local experiment
  mkdir "$base"
  for experiment in offset stride aos_soa transpose; do
    mlr --csv filter '$experiment != "stride" || any([1, 3, 5, 9, 17, 33, 65], func(e) { return e == $value })' \
      then put '
        $warmup = 10;
        $iterations = 100;
        $runs = 7;
        $median_ms = 0.01 * $load_sectors_per_request + 0.001 * NR;
        $mean_ms = $median_ms;
        $min_ms = $median_ms * 0.999;
        $max_ms = $median_ms * 1.001;
        $regime = "dram";
        $mismatches = 0;
        $status = "ok";
        $flags = "";
        $gpu = "A GPU";
        $uuid = "GPU-base";
        $driver = "580.1";
        $runtime = "13.0";
        $build_type = "Release";
        $version = "0.1.0"' "$BATS_TEST_DIRNAME/../../results/nvidia-h200/$experiment.csv" >"$base/$experiment.csv"
    mlr --csv put -q '
      map columns = mapselect($*, splitax("'"$key"'", ","));
      for (run, factor in {"1": 1.0003, "2": 0.9995, "3": 1.001, "4": 1, "5": 0.999, "6": 1.0005, "7": 0.9997}) {
        emit1 mapsum(columns, {"gpu": $gpu, "uuid": $uuid, "run": run, "ms": $median_ms * factor,
          "gbps": "", "mismatches": 0});
      }' "$base/$experiment.csv" >"$base/$experiment-samples.csv"
  done
  all="$(mlr --icsv --onidx count "$base"/{offset,stride,aos_soa,transpose}.csv)"
  swept="$(mlr --icsv --onidx count "$base"/{stride,transpose}.csv)"
  export base key all swept
}

setup() {
  command -v mlr >/dev/null || skip "mlr is not installed"
  root="$(cd "$BATS_TEST_DIRNAME/../.." && pwd)"
  work="$BATS_TEST_TMPDIR/two inputs"
  export TMPDIR="$BATS_TEST_TMPDIR/temporary files"
  mkdir -p "$work" "$TMPDIR"
  stride="$work/stride.csv"
  new="$work/new.csv"
  cp "$base/stride.csv" "$stride"
}

teardown() { [ -z "$(find "$TMPDIR" -mindepth 1 2>/dev/null)" ]; }

compare() { run --separate-stderr "$root/scripts/compare.sh" "$@"; }

# change EXPRESSION [FILE]: new.csv is FILE (stride.csv) with that done to each row.
change() { mlr --csv put "$1" "${2:-$stride}" >"$new"; }

# Of an expression: all times of a row, and the range of its runs with them, times a factor.
slower() { printf 'for (c in ["median_ms", "mean_ms", "min_ms", "max_ms"]) { $[c] *= %s }' "$1"; }

# sweep FOLDER SEED NOISE [EXPRESSION]: rows and samples of five processes. Their times differ from the base by normal
# noise of that size; the three runs of a process by a tenth of a percent.
sweep() {
  local experiment
  mkdir -p "$work/$1"
  for experiment in stride transpose; do
    mlr --csv --seed "$2" put -q '
      $runs = 3;
      for (p in [1, 2, 3, 4, 5]) {
        map row = mapsum($*, {"process": p, "point": "main"});
        num time = $median_ms * (1 + '"$3"' * invqnorm(urand()));
        row["median_ms"] = time;
        row["min_ms"] = time * 0.999;
        row["max_ms"] = time * 1.001;
        emit1 mapsum(row, {});
      }' then put "${4:-true}" "$base/$experiment.csv" >"$work/$1/$experiment.csv"
    mlr --csv put -q '
      for (run, ms in {"1": $max_ms, "2": $median_ms, "3": $min_ms}) {
        emit1 mapsum(mapselect($*, splitax("'"$key"'", ",")), {"gpu": $gpu, "uuid": $uuid, "run": run, "ms": ms,
          "gbps": "", "mismatches": 0, "process": $process, "point": $point});
      }' "$work/$1/$experiment.csv" >"$work/$1/$experiment-samples.csv"
  done
}
# cell COLUMN VALUE [FILE]: of the rows of that value.
cell() { mlr --icsv --onidx filter '$value == '"$2" then cut -f "$1" "${3:-$stride}"; }

# counts SAME FASTER SLOWER CHANGED MISMATCH MISSING NEW [TREND]: the last line says so.
counts() {
  local want="SAME $1  FASTER $2  SLOWER $3  CHANGED $4  MISMATCH $5  MISSING $6  NEW $7${8:+  TREND $8}"
  [ "${lines[-1]}" = "$want" ] || {
    printf 'want: %s\nstdout: %s\nstderr: %s\n' "$want" "$output" "$stderr"
    return 1
  }
}

# has_line WORD...: a line of the table has exactly these words, in this order, at its begin.
has_line() {
  tr -s ' ' <<<"$output" | grep -q "^$*" || {
    printf 'no line: %s\nstdout: %s\n' "$*" "$output"
    return 1
  }
}

says() {
  [[ "$stderr" == *"$1"* ]] || {
    printf 'not on stderr: %s\nstderr: %s\n' "$1" "$stderr"
    return 1
  }
}

@test "the same input twice: all SAME, exit 0, nothing but the counts" {
  compare "$stride" "$stride"
  [ "$status" -eq 0 ]
  [ "$output" = "SAME 7  FASTER 0  SLOWER 0  CHANGED 0  MISMATCH 0  MISSING 0  NEW 0" ]
  [ -z "$stderr" ]
  compare "$base" "$base"
  [ "$status" -eq 0 ]
  counts "$all" 0 0 0 0 0 0
}

@test "--all shows every row with its times; ranges leave out the outermost runs where the samples are there" {
  compare --all "$stride" "$stride"
  [ "${#lines[@]}" -eq 9 ]
  has_line "SAME stride_gather stride=1 0.041000 0.041000 +0.00 0.40 -"
  compare --all "$base/stride.csv" "$base/stride.csv"
  has_line "SAME stride_gather stride=1 0.041000 0.041000 +0.00 0.20 -"
}

@test "every verdict, the worst first" {
  change '
    $value == 3 { '"$(slower 0.8)"' }
    $value == 5 { $load_sectors += 1048576 }
    $value == 9 { $status = "mismatch"; $mismatches = 3 }
    $value == 33 { $value = 35 }
    $value == 65 { '"$(slower 1.1)"' }'
  compare "$stride" "$new"
  [ "$status" -eq 1 ]
  counts 2 1 1 1 1 1 1
  has_line "MISMATCH stride_gather stride=9 0.324000 0.324000 +0.00 0.40 3 wrong elements in NEW"
  has_line "CHANGED stride_gather stride=5 0.203000 0.203000 +0.00 0.40" \
    "load_sectors: $(cell load_sectors 5) -> $(cell load_sectors 5 "$new")"
  has_line "SLOWER stride_gather stride=65 0.327000 0.359700 +10.00"
  has_line "MISSING stride_gather stride=33 0.326000 -"
  has_line "FASTER stride_gather stride=3 0.122000 0.097600 -20.00"
  has_line "NEW stride_gather stride=35 - 0.326000"
  [ "$(awk '{ printf "%s ", $1 }' <<<"$output")" = "verdict MISMATCH CHANGED SLOWER MISSING FASTER NEW SAME " ]
}

@test "a count of mismatches is a mismatch, whatever the status says" {
  change 'NR == 2 { $mismatches = 7 }'
  compare "$stride" "$new"
  [ "$status" -eq 1 ]
  counts 6 0 0 0 1 0 0
  has_line "MISMATCH stride_gather stride=3 0.122000 0.122000 +0.00 0.40 7 wrong elements in NEW"
  compare "$new" "$stride"
  [ "$status" -eq 1 ]
  counts 6 0 0 0 1 0 0
}

@test "a row whose status is not ok, or whose mismatches are not 0, is a mismatch" {
  local word
  for word in "" OK garbage failed mismatch; do
    change 'NR == 2 { $status = "'"$word"'" }'
    compare "$stride" "$new"
    [ "$status" -eq 1 ]
    counts 6 0 0 0 1 0 0
  done
  change 'NR == 2 { $status = "garbage" } NR == 3 { $status = "" } NR == 4 { $mismatches = "" }'
  compare "$stride" "$new"
  [ "$status" -eq 1 ]
  counts 4 0 0 0 3 0 0
  has_line "MISMATCH stride_gather stride=3 0.122000 0.122000 +0.00 0.40 status garbage in NEW"
  has_line "MISMATCH stride_gather stride=5 0.203000 0.203000 +0.00 0.40 no status in NEW"
  has_line "MISMATCH stride_gather stride=9 0.324000 0.324000 +0.00 0.40 mismatches not counted in NEW"
  compare "$new" "$stride"
  [ "$status" -eq 1 ]
  counts 4 0 0 0 3 0 0
}

@test "texts that Miller takes for numbers stay texts" {
  local text
  for text in 0x10 0b11 0o17 .5 5.; do
    change 'for (c in ["variant", "l2", "gpu", "uuid", "driver", "runtime", "version", "flags", "regime"]) { $[c] = "'"$text"'" }'
    compare --csv "$new" "$new"
    [ "$status" -eq 0 ]
    [ "$stderr" = "SAME 7  FASTER 0  SLOWER 0  CHANGED 0  MISMATCH 0  MISSING 0  NEW 0" ]
    [ "$(mlr -S --icsv --onidx uniq -g variant,l2 then cut -f variant,l2 <<<"$output")" = "$text $text" ]
    change '$median_ms = "'"$text"'"'
    compare "$stride" "$new"
    [ "$status" -eq 2 ]
    says "NEW has none for the 7 rows that have one in BASELINE"
  done
}

@test "a second header, and what is no number where one must be: exit 2, the row named" {
  cat "$stride" "$stride" >"$new"
  compare "$stride" "$new"
  [ "$status" -eq 2 ]
  [ "$stderr" = "compare.sh: $new: row 8: a second header" ]
  local column
  for column in load_requests n runs mismatches ceiling_gbps counted_load_sectors; do
    change '$counted_load_sectors = 1' "$stride"
    mlr -I --csv put 'NR == 3 { $'"$column"' = "1\tx" }' "$new"
    compare "$stride" "$new"
    [ "$status" -eq 2 ]
    [ "$stderr" = "compare.sh: $new: row 3: $column is no number: '1 x'" ]
    [ -z "$output" ]
  done
  cp "$base/stride-samples.csv" "$work/stride-samples.csv"
  mlr -I --csv put 'NR == 5 { $run = "0x1" }' "$work/stride-samples.csv"
  compare "$stride" "$stride"
  [ "$status" -eq 2 ]
  says "stride-samples.csv: row 5: run is no number: '0x1'"
}

@test "a row without its predicted counts is CHANGED, in NEW and in BASELINE" {
  change 'NR == 2 { $load_requests = ""; $load_sectors = ""; $load_sectors_per_request = "" }'
  compare "$stride" "$new"
  [ "$status" -eq 1 ]
  counts 6 0 0 1 0 0 0
  [[ "$output" == *"load_requests: $(cell load_requests 3) -> none; load_sectors: $(cell load_sectors 3) -> none"* ]]
  compare "$new" "$stride"
  [ "$status" -eq 1 ]
  counts 6 0 0 1 0 0 0
  [[ "$output" == *"load_requests: none -> $(cell load_requests 3); "* ]]
}

@test "what is no time is left out and counted" {
  change '
    NR == 1 { $median_ms = 0 }
    NR == 2 { $median_ms = -1 }
    NR == 3 { $min_ms = 0 }
    NR == 4 { $median_ms = "x" }
    NR == 5 { $max_ms = "NaN" }
    NR == 6 { $median_ms = "Inf" }'
  compare "$stride" "$new"
  [ "$status" -eq 0 ]
  counts 7 0 0 0 0 0 0
  says "NEW: 6 rows whose time is not a time"
  says "6 rows have no time to compare"
  compare "$new" "$stride"
  [ "$status" -eq 0 ]
  says "BASELINE: 6 rows whose time is not a time"
  cp "$base/stride-samples.csv" "$work/stride-samples.csv"
  mlr -I --csv put 'NR == 1 { $ms = "x" }' "$work/stride-samples.csv"
  compare "$stride" "$stride"
  [ "$status" -eq 0 ]
  says "NEW: the samples of 1 rows are not theirs"
}

@test "the same row again counts once, and is said; its samples stay those of its process" {
  compare --all "$base" "$base"
  local before="$output" file
  mkdir "$work/twice"
  for file in offset stride aos_soa transpose; do
    mlr --csv cat "$base/$file.csv" "$base/$file.csv" >"$work/twice/$file.csv"
    mlr --csv cat "$base/$file-samples.csv" "$base/$file-samples.csv" >"$work/twice/$file-samples.csv"
  done
  compare --all "$base" "$work/twice"
  [ "$status" -eq 0 ]
  [ "$output" = "$before" ]
  [ "$stderr" = "==> NEW: $all rows are copies, equal in every column: counted once" ]
  # Five copies are no five processes.
  mlr --csv put -q 'for (k in [1, 2, 3, 4, 5]) { emit1 mapsum($*, {}) }' "$stride" >"$new"
  compare --csv "$new" "$stride"
  [ "$status" -eq 0 ]
  says "BASELINE: 28 rows are copies"
  [ "$(mlr --icsv --onidx --ofs / uniq -f verdict,baseline_processes,new_processes <<<"$output")" = SAME/1/1 ]
}

@test "the order of the columns changes nothing" {
  local before
  change '$value == 5 { $load_sectors += 1; $load_requests += 1 } $value == 65 { '"$(slower 1.1)"' }'
  cp "$base/stride-samples.csv" "$work/stride-samples.csv"
  compare --all "$stride" "$new"
  [ "$status" -eq 1 ]
  before="$output"
  mlr -I --csv reorder -e -f n,variant,experiment,load_requests then reorder -f flags,runs "$new"
  mlr -I --csv reorder -e -f variant,runs "$work/stride-samples.csv"
  compare --all "$stride" "$new"
  [ "$status" -eq 1 ]
  [ "$output" = "$before" ]
}

@test "better, or more rows, is not worse: exit 0" {
  change "$(slower 0.9)"
  compare "$stride" "$new"
  [ "$status" -eq 0 ]
  counts 0 7 0 0 0 0 0
  compare "$base/offset.csv" "$base"
  [ "$status" -eq 0 ]
  local offset
  offset="$(mlr --icsv --onidx count "$base/offset.csv")"
  counts "$offset" 0 0 0 0 0 $((all - offset))
  compare "$base" "$base/offset.csv"
  [ "$status" -eq 1 ]
  counts "$offset" 0 0 0 0 $((all - offset)) 0
}

@test "a mismatch in BASELINE counts, and one in a row that BASELINE lacks" {
  change 'NR == 2 { $status = "mismatch"; $mismatches = 7 }'
  compare "$new" "$stride"
  [ "$status" -eq 1 ]
  counts 6 0 0 0 1 0 0
  has_line "MISMATCH stride_gather stride=3 0.122000 0.122000 +0.00 0.40 7 wrong elements in BASELINE"
  mlr --csv filter 'NR != 2' "$stride" >"$work/less.csv"
  compare "$work/less.csv" "$new"
  [ "$status" -eq 1 ]
  counts 6 0 0 0 1 0 0
}

@test "one process each: 2.5 % is within the threshold of 3, 3.5 % is not; --threshold moves it" {
  change "$(slower 1.025)"
  compare "$stride" "$new"
  [ "$status" -eq 0 ]
  counts 7 0 0 0 0 0 0
  compare --threshold 2 "$stride" "$new"
  [ "$status" -eq 1 ]
  counts 0 0 7 0 0 0 0
  change "$(slower 1.035)"
  compare "$stride" "$new"
  counts 0 0 7 0 0 0 0
  compare --threshold 4 "$stride" "$new"
  [ "$status" -eq 0 ]
}

@test "one process each: a change within the ranges of the runs is hidden, and said" {
  change '$max_ms *= 1.16'
  cp "$new" "$work/wide.csv"
  change "$(slower 1.1)"
  compare "$work/wide.csv" "$new"
  [ "$status" -eq 0 ]
  counts 7 0 0 0 0 0 0
  says "7 rows moved by more than the threshold"
  compare --all "$work/wide.csv" "$new"
  has_line "SAME stride_gather stride=1 0.041000 0.045100 +10.00 16.44 within the ranges, or too weak"
}

@test "a disturbed run hides nothing where the samples are there" {
  mlr --csv put '$run == 4 { $ms *= 1.5 }' "$base/stride-samples.csv" >"$work/disturbed-samples.csv"
  mlr --csv put -q '
    if (haskey($*, "run")) {
      @runs[$value][$run] = $ms;
    } else {
      arr runs = sort(get_values(@runs[$value]));
      $median_ms = runs[4];
      $min_ms = runs[1];
      $max_ms = runs[7];
      emit1 mapsum($*, {});
    }' "$work/disturbed-samples.csv" "$stride" >"$work/disturbed.csv"
  change "$(slower 1.1)"
  compare "$work/disturbed.csv" "$new"
  [ "$status" -eq 1 ]
  counts 0 0 7 0 0 0 0
  rm "$work/disturbed-samples.csv"
  compare "$work/disturbed.csv" "$new"
  [ "$status" -eq 0 ]
  counts 7 0 0 0 0 0 0
  says "7 rows moved by more than the threshold"
}

@test "samples of other rows are not used, and that is said; an empty file of samples is none" {
  cp "$base/stride-samples.csv" "$work/new-samples.csv"
  change "$(slower 1.1)"
  compare "$stride" "$new"
  [ "$status" -eq 1 ]
  counts 0 0 7 0 0 0 0
  says "NEW: the samples of 7 rows are not theirs"
  : >"$work/new-samples.csv"
  compare "$stride" "$new"
  counts 0 0 7 0 0 0 0
  [ -z "$stderr" ]
}

@test "five processes: noise of 0.8 % is SAME, in times and in samples" {
  sweep one 1 0.008
  sweep two 2 0.008
  compare "$work/one" "$work/two"
  [ "$status" -eq 0 ]
  counts "$swept" 0 0 0 0 0 0
}

@test "five processes: noise of 2 % is not SLOWER" {
  local seed
  sweep one 1 0.02
  for seed in 2 3; do
    sweep two "$seed" 0.02
    compare "$work/one" "$work/two"
    [ "$status" -eq 0 ]
    [[ "${lines[-1]}" == *"SLOWER 0 "* ]]
  done
}

@test "five processes: 10 % slower is caught in every row, 2 % in none" {
  sweep one 1 0.005
  sweep two 2 0.005 "$(slower 1.1)"
  compare "$work/one" "$work/two"
  [ "$status" -eq 1 ]
  counts 0 0 "$swept" 0 0 0 0
  sweep two 2 0.005 "$(slower 1.02)"
  compare "$work/one" "$work/two"
  [ "$status" -eq 0 ]
  counts "$swept" 0 0 0 0 0 0
}

@test "five processes: two ways of a row to come out 5 % apart are no verdict" {
  sweep one 1 0.001 '$process == 5 { '"$(slower 1.05)"' }'
  sweep two 2 0.001 '$process != 1 { '"$(slower 1.05)"' }'
  compare "$work/one" "$work/two"
  [ "$status" -eq 0 ]
  counts "$swept" 0 0 0 0 0 0
  says "$swept rows moved by more than the threshold"
}

@test "several rows with one key are its processes, in whatever point of a sweep or appended" {
  mlr --csv put -q '
    for (p in ["main", "items", "blocks", "cold", "sizes"]) { emit1 mapsum($*, {"process": 1, "point": p}) }' \
    "$stride" >"$work/points.csv"
  mlr --csv put '$timestamp = FILENUM' "$stride" "$stride" "$stride" >"$new"
  compare --csv "$new" "$work/points.csv"
  [ "$status" -eq 0 ]
  [ "$(mlr --icsv --onidx --ofs / uniq -f verdict,baseline_processes,new_processes <<<"$output")" = SAME/3/5 ]
}

@test "from five processes on the runs within them do not count" {
  sweep one 1 0.005 '$min_ms *= 0.9; $max_ms *= 1.1'
  sweep two 2 0.005 '$min_ms *= 0.9; $max_ms *= 1.1; '"$(slower 1.1)"
  compare "$work/one" "$work/two"
  [ "$status" -eq 1 ]
  counts 0 0 "$swept" 0 0 0 0
  local experiment
  for experiment in stride transpose; do
    mlr -I --csv filter '$process < 5' "$work/two/$experiment.csv"
  done
  compare "$work/one" "$work/two"
  [ "$status" -eq 0 ]
  counts "$swept" 0 0 0 0 0 0
}

@test "one sector more a request is CHANGED, whatever the times; so is a counter" {
  change '$load_sectors += $load_requests; '"$(slower 0.5)"
  compare "$stride" "$new"
  [ "$status" -eq 1 ]
  counts 0 0 0 7 0 0 0
  local counters="$work/counters.csv"
  change '$counted_store_sectors = $store_sectors; $counted_dram_read_bytes = $useful_bytes'
  mv "$new" "$counters"
  compare "$counters" "$counters"
  [ "$status" -eq 0 ]
  counts 7 0 0 0 0 0 0
  change 'NR == 2 { $counted_store_sectors += 1 }' "$counters"
  compare "$counters" "$new"
  [ "$status" -eq 1 ]
  counts 6 0 0 1 0 0 0
  [[ "$output" == *"counted_store_sectors: $(cell store_sectors 3) -> $(cell counted_store_sectors 3 "$new")"* ]]
  change 'NR == 2 { $counted_store_sectors = "" } NR == 3 { $counted_dram_read_bytes += 64 }' "$counters"
  compare "$counters" "$new"
  [ "$status" -eq 0 ]
  change '$variant == "transpose_padded" { $shared_load_wavefronts *= 32 }' "$base/transpose.csv"
  compare "$base/transpose.csv" "$new"
  [ "$status" -eq 1 ]
  local wavefronts
  wavefronts="$(mlr --icsv --onidx filter '$variant == "transpose_padded"' then cut -f shared_load_wavefronts \
    "$base/transpose.csv")"
  [[ "$output" == *"CHANGED "*"shared_load_wavefronts: $wavefronts -> $((wavefronts * 32))"* ]]
}

@test "predicted rows: requests and sectors are compared, no time, no GPU; in NEW they are no answer to times" {
  [ -x "${SECTORSCOPE_BIN:-}/stride" ] || skip "SECTORSCOPE_BIN does not name the executables"
  "$SECTORSCOPE_BIN/stride" --predict -n "$(cell n 1)" --csv "$new"
  compare "$new" "$new"
  [ "$status" -eq 0 ]
  counts 7 0 0 0 0 0 0
  says "7 rows have no time to compare"
  compare "$new" "$stride"
  [ "$status" -eq 0 ]
  counts 7 0 0 0 0 0 0
  compare "$stride" "$new"
  [ "$status" -eq 2 ]
  says "nothing to compare the times with: NEW has none for the 7 rows that have one in BASELINE"
  [ -z "$output" ]
  change 'NR < 7 { $median_ms = "" }'
  compare "$stride" "$new"
  [ "$status" -eq 0 ]
  says "6 rows have no time to compare"
  "$SECTORSCOPE_BIN/stride" --predict -n "$(cell n 1)" --csv "$work/predicted.csv"
  change '$store_requests += 1' "$work/predicted.csv"
  compare "$work/predicted.csv" "$new"
  [ "$status" -eq 1 ]
  counts 0 0 0 7 0 0 0
}

@test "a time under throttling, a profiler or in a debug build is no result" {
  local flag
  for flag in throttled profiled debug "spread;throttled"; do
    change 'NR <= 2 { $flags = "'"$flag"'"; '"$(slower 2)"' }'
    compare "$stride" "$new"
    [ "$status" -eq 0 ]
    counts 7 0 0 0 0 0 0
    says "NEW: times of 2 rows left out: throttled, profiled or debug"
    says "2 rows have no time to compare"
  done
  sweep one 1 0.005
  sweep two 1 0.005 '$process == 2 { $flags = "throttled"; '"$(slower 2)"' }'
  compare "$work/one" "$work/two"
  [ "$status" -eq 0 ]
  says "NEW: times of $swept rows left out"
  [[ "$stderr" != *"no time to compare"* ]]
}

@test "rows flagged short or spread, or of fewer than three runs, need three times the threshold" {
  local weak
  for weak in '$flags = "short"' '$flags = "spread"' '$runs = 2'; do
    change "$weak"
    cp "$new" "$work/weak.csv"
    change "$(slower 1.08)" "$work/weak.csv"
    compare "$work/weak.csv" "$new"
    [ "$status" -eq 0 ]
    counts 7 0 0 0 0 0 0
    says "7 rows moved by more than the threshold"
    change "$(slower 1.1)" "$work/weak.csv"
    compare "$work/weak.csv" "$new"
    [ "$status" -eq 1 ]
    counts 0 0 7 0 0 0 0
  done
}

@test "the trend: bandwidth falls with the stride up to the plateau" {
  change '$value == 5 { '"$(slower 0.5)"' }'
  compare "$new" "$new"
  [ "$status" -eq 1 ]
  counts 7 0 0 0 0 0 0 1
  has_line "TREND stride_gather stride=5 - 0.101500 - - 20 sectors a request, but faster than stride 3 with 12"
  # Beyond the plateau, at 32 sectors a request, and outside of DRAM there is no such rule.
  change '$value == 17 { '"$(slower 0.5)"' }'
  compare "$new" "$new"
  [ "$status" -eq 0 ]
  change '$value == 5 { '"$(slower 0.5)"' } $regime = "l2"'
  compare "$new" "$new"
  [ "$status" -eq 0 ]
  # Level, though the sectors rise from 4 to 32.
  change '$median_ms = 0.07; $min_ms = 0.07; $max_ms = 0.07'
  compare "$new" "$new"
  [ "$status" -eq 1 ]
  counts 7 0 0 0 0 0 0 1
  has_line "TREND stride_gather stride=9 - 0.070000 - - 32 sectors a request, but no slower than stride 1 with 4"
  compare --threshold 100 "$new" "$new"
  counts 7 0 0 0 0 0 0 1
  # 1.9 times the time is no plateau, whatever the threshold.
  change '$value == 1 { $median_ms = 0.17; $min_ms = 0.17; $max_ms = 0.17 }'
  compare --threshold 100 "$new" "$new"
  [ "$status" -eq 0 ]
}

@test "the trend is judged apart for each n, whatever the order of the lines" {
  # At twice the size and ten times the time; together with the rest the trend would be broken.
  mlr --csv filter '$value <= 3' then put '$n *= 2; '"$(slower 10)" "$stride" >"$work/other.csv"
  mlr --csv tac "$work/other.csv" "$stride" >"$new"
  compare "$new" "$new"
  [ "$status" -eq 0 ]
  counts 9 0 0 0 0 0 0
}

@test "another GPU is refused, by uuid or else by name; --across-gpus compares" {
  change '$uuid = "GPU-other"'
  compare "$stride" "$new"
  [ "$status" -eq 2 ]
  says "different GPUs"
  says GPU-base
  says GPU-other
  [ -z "$output" ]
  compare --across-gpus "$stride" "$new"
  [ "$status" -eq 0 ]
  counts 7 0 0 0 0 0 0
  says "different GPUs"
  change '$uuid = ""'
  compare "$stride" "$new"
  [ "$status" -eq 0 ]
  change '$uuid = ""; $gpu = "The \"other\", really"'
  compare "$stride" "$new"
  [ "$status" -eq 2 ]
  says 'NEW: The "other", really'
  change 'NR == 7 { $uuid = "GPU-other" }'
  compare "$new" "$new"
  [ "$status" -eq 2 ]
}

@test "another build type is refused always" {
  change '$build_type = "Debug"'
  compare --across-gpus "$stride" "$new"
  [ "$status" -eq 2 ]
  says "different build types: Debug, Release"
  compare "$new" "$new"
  [ "$status" -eq 0 ]
  change '$build_type = ""'
  compare "$stride" "$new"
  [ "$status" -eq 2 ]
  says "different build types: Release, none given"
  compare "$new" "$stride"
  [ "$status" -eq 2 ]
  compare "$new" "$new"
  [ "$status" -eq 0 ]
}

@test "another driver, runtime or version is said" {
  change '$driver = "590.10"; $version = "0.2.0"'
  compare "$stride" "$new"
  [ "$status" -eq 0 ]
  says "driver: 580.1 in BASELINE, 590.10 in NEW"
  says "version: 0.1.0 in BASELINE, 0.2.0 in NEW"
  [[ "$stderr" != *runtime:* ]]
}

@test "--csv: CSV with every row and nothing else on stdout, commas and quotes whole" {
  change 'NR == 1 { $variant = "a \"b\", c" }'
  compare --csv "$new" "$new"
  [ "$status" -eq 0 ]
  [ "$(mlr --icsv --onidx head -n 1 then cut -f variant <<<"$output")" = 'a "b", c' ]
  [ "$(mlr --icsv --ojson count-distinct -f verdict then cut -f count <<<"$output" | tr -dc 0-9)" = 7 ]
  local columns="baseline_ms,new_ms,change_pct,ranges_pct,baseline_processes,new_processes,note"
  [ "${lines[0]}" = "verdict,$key,$columns" ]
  [ "$stderr" = "SAME 7  FASTER 0  SLOWER 0  CHANGED 0  MISMATCH 0  MISSING 0  NEW 0" ]
}

@test "nothing in common: exit 2" {
  compare "$stride" "$base/offset.csv"
  [ "$status" -eq 2 ]
  says "no row of NEW has the key of a row of BASELINE"
  [ -z "$output" ]
  head -n 1 "$stride" >"$new"
  compare "$new" "$new"
  [ "$status" -eq 2 ]
  change '$order = "reversed"'
  compare "$stride" "$new"
  [ "$status" -eq 2 ]
}

@test "what is no CSV of rows: exit 2, naming the file" {
  compare "$stride" "$base/stride-samples.csv"
  [ "$status" -eq 2 ]
  says "stride-samples.csv' was not written by the experiments: its header lacks load_requests"
  mlr --csv cut -x -f regime "$stride" >"$new"
  compare "$new" "$stride"
  [ "$status" -eq 2 ]
  says "its header lacks regime"
  head -c -300 "$stride" >"$new"
  compare "$stride" "$new"
  [ "$status" -eq 2 ]
  says "new.csv' is no whole CSV: mlr"
  : >"$new"
  compare "$stride" "$new"
  [ "$status" -eq 2 ]
}

@test "usage: exit 2 naming what is wrong" {
  compare "$stride"
  [ "$status" -eq 2 ]
  says "two inputs"
  compare "$stride" "$stride" "$stride"
  [ "$status" -eq 2 ]
  compare --wrong "$stride" "$stride"
  [ "$status" -eq 2 ]
  says "'--wrong'"
  local value
  for value in -1 x 3% 1e3 ''; do
    compare --threshold "$value" "$stride" "$stride"
    [ "$status" -eq 2 ]
    says "--threshold"
  done
  compare "$stride" "$work/none.csv"
  [ "$status" -eq 2 ]
  says "no such file or folder: '$work/none.csv'"
  mkdir "$work/empty"
  compare "$work/empty" "$stride"
  [ "$status" -eq 2 ]
  says "holds none of offset.csv"
}

@test "a missing mlr is named: exit 3; --help needs none" {
  local tools="$BATS_TEST_TMPDIR/tools" tool
  mkdir "$tools"
  for tool in awk bash dirname mktemp rm; do ln -s "$(command -v "$tool")" "$tools/$tool"; done
  PATH="$tools" compare "$stride" "$stride"
  [ "$status" -eq 3 ]
  says "mlr (Miller 6) was not found"
  PATH="$tools" compare --help
  [ "$status" -eq 0 ]
  [[ "${lines[0]}" == "Usage: scripts/compare.sh"* && "$output" != *shellcheck* ]]
}

@test "an output that cannot be written: exit 3, never 0 or 1" {
  [ -c /dev/full ] || skip "there is no /dev/full"
  local option
  for option in --all --csv; do
    run bash -c '"$@" >/dev/full' - "$root/scripts/compare.sh" "$option" "$stride" "$stride"
    [ "$status" -eq 3 ]
  done
}

@test "a checkout and inputs in paths with spaces, from another folder; the inputs stay as they are" {
  mkdir -p "$BATS_TEST_TMPDIR/the checkout/scripts" "$work/base line"
  cp "$root/scripts/"*.sh "$root/scripts/"*.mlr "$BATS_TEST_TMPDIR/the checkout/scripts/"
  cp "$base/"{stride,stride-samples}.csv "$work/base line/"
  cd "$BATS_TEST_TMPDIR"
  run --separate-stderr "the checkout/scripts/compare.sh" "two inputs/base line" "two inputs/stride.csv"
  [ "$status" -eq 0 ]
  counts 7 0 0 0 0 0 0
  cmp "$base/stride.csv" "$work/base line/stride.csv"
  [ "$(cd "$work/base line" && printf '%s ' *)" = "stride-samples.csv stride.csv " ]
}

@test "a locale with a decimal comma, and a ~/.mlrrc, change nothing" {
  local german before
  german="$(locale -a 2>/dev/null | grep -i -m 1 '^de_DE' || true)"
  change "$(slower 1.1)"
  compare --threshold 2.5 --all "$stride" "$new"
  before="$output"
  printf 'ofs ;\n' >"$BATS_TEST_TMPDIR/.mlrrc"
  unset MLRRC
  HOME="$BATS_TEST_TMPDIR" LC_ALL="${german:-de_DE.UTF-8}" LANG="${german:-de_DE.UTF-8}" \
    compare --threshold 2.5 --all "$stride" "$new"
  [ "$status" -eq 1 ]
  [ "$output" = "$before" ]
}
