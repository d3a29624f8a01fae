#!/usr/bin/env bats
# benchmark.sh over stand-ins that give predicted rows a time: what it runs, what it makes of the rows, how it ends.
# shellcheck disable=SC2016,SC2154 # "$" inside a Miller command is Miller's; bats assigns stderr

bats_require_minimum_version 1.5.0

setup() {
  command -v mlr >/dev/null || skip "mlr is not installed"
  [ -x "$SECTORSCOPE_BIN/transpose" ] || skip "the executables are not built"
  root="$(cd "$BATS_TEST_DIRNAME/../.." && pwd)"
  bin="$BATS_TEST_TMPDIR/a build/bin"
  export TMPDIR="$BATS_TEST_TMPDIR/temporary files" REAL="$SECTORSCOPE_BIN" LOG="$BATS_TEST_TMPDIR/log" MLRRC=__none__
  mkdir -p "$bin" "$TMPDIR"
  # A row's time is 1 ms and a bit more for every process that ran before; its share of the ceiling is SHARE.
  cat >"$bin/stand-in" <<'END'
#!/usr/bin/env bash
set -euo pipefail
name="${0##*/}"
printf '%s %s\n' "$name" "$*" >>"$LOG"
[[ ! "$name $*" =~ ${SLOW:-^$} ]] || sleep 2
[[ "${EVERY_SECOND:-}" != "$name $*" || $(($(grep -cFx -e "$name $*" "$LOG") % 2)) -eq 1 ]] || sleep 2
[[ "${FAIL:-}" != "$name" ]] || exit "${FAIL_STATUS:-1}"
target=/dev/null
words=()
while [[ $# -gt 0 ]]; do
  case "$1" in
    --csv) target="$2" && shift 2 ;;
    *) words+=("$1") && shift ;;
  esac
done
rows="$("$REAL/$name" "${words[@]}" --predict --l2-bytes 62914560 --csv - |
  mlr --csv put -s process="$(wc -l <"$LOG")" -s share="$SHARE" '
    $median_ms = 1 + 0.001 * @process; $stddev_ms = 0.0019 * $median_ms; $pct_of_ceiling = @share;
    $status = "ok"; $gpu = "A card"; $driver = "1.2"; $runtime = "13.0"')"
if [[ -s "$target" ]]; then sed 1d <<<"$rows" >>"$target"; else printf '%s\n' "$rows" >"$target"; fi
END
  chmod +x "$bin/stand-in"
  for name in offset stride aos_soa transpose; do ln -s stand-in "$bin/$name"; done
  export SHARE=98
}

teardown() { [ -z "$(find "$TMPDIR" -mindepth 1 2>/dev/null)" ]; }

benchmark() { run --separate-stderr "$root/scripts/benchmark.sh" --build-dir "$BATS_TEST_TMPDIR/a build" "$@"; }

# cells WHAT: the cells of that line of the table.
cells() {
  local line
  line="$(grep -F -- "| $1 |" <<<"$output")" || {
    printf 'no line "%s" in:\n%s\n%s\n' "$1" "$output" "$stderr" >&2
    return 1
  }
  printf '%s' "${line#"| $1 | "}"
}

@test "every line of the table has what its rows say, and the verdict that follows from the target" {
  benchmark
  [ "$status" -eq 0 ]
  [[ "${lines[0]}" == "A card, driver 1.2, CUDA 13.0, sectorscope "* ]]
  [ "$(cells "contiguous baselines / device copy, n = 2^28, 16 B")" = ">= 0.99 | 0.9800 | short |" ]
  [ "$(cells "transpose_copy / device copy, 16384 x 16384 x 4 B")" = ">= 0.97 | 0.9800 | met |" ]
  [ "$(cells "transpose_vectorized / device copy, 16384 x 16384 x 4 B")" = ">= 0.975 | 0.9800 | met |" ]
  [ "$(cells "transpose_vectorized / device copy, 46341 x 46341 x 4 B")" = ">= 0.80 | 0.9800 | met |" ]
  [ "$(cells "stddev / median, default rows in the dram regime, %")" = "<= 0.3 | 0.190 | met |" ]
  [[ "$(cells "five processes, contiguous rows, n = 2^25: (max - min) / median, %")" == *" | short |" ]]
  [ "$(grep -c -E -e '\| (met|short) \|$' <<<"$output")" -eq 24 ]
  grep -q -x -e 'offset -n 2^28 --offsets 0 -e 16 --device 0 -q --csv .*' "$LOG"
  [ "$(grep -c -e '^offset -n 16777216 --offsets 0:7 -i 100 -r 1 --device 0$' "$LOG")" -eq 10 ]
}

@test "the spread over processes is that of the medians of one variant" {
  benchmark
  # A process is 0.001 ms slower than the one before, and eight of them lie between two of one variant.
  local line first middle
  line="$(cells "five processes, contiguous rows, n = 2^25: (max - min) / median, %")"
  first="$(grep -n -e '^offset -n 2^25' "$LOG" | head -n 1 | cut -d : -f 1)"
  middle=$((first + 16))
  [ "$line" = "<= 0.3 | $(mlr -n put -q 'end { print fmtnum(100 * 0.032 / (1 + 0.001 * '"$middle"'), "%.3f") }') | short |" ]
}

# seconds_of WHAT: the figure of that line.
seconds_of() { cells "$1" | cut -d ' ' -f 4; }

@test "the median of ten times lies between the fifth and the sixth" {
  EVERY_SECOND="offset -n 16777216 --offsets 0:7 -i 100 -r 1 --device 0" benchmark
  [ "$(grep -cFx -e "offset -n 16777216 --offsets 0:7 -i 100 -r 1 --device 0" "$LOG")" -eq 10 ]
  # Five take two seconds longer than the five others, so this is one second longer, neither none nor two.
  mlr -n put -s s="$(seconds_of "offset -n 16777216 --offsets 0:7 -i 100 -r 1, median of 10, s")" -q \
    'end { print @s >= 1 && @s < 2 }' | grep -qx true
}

@test "seconds a row are those of a process divided by its rows" {
  SLOW="^stride -n 2\\^25 --device" benchmark
  # Seven rows in two seconds and what the stand-in takes.
  mlr -n put -s s="$(seconds_of "stride, defaults at n = 2^25: seconds a row, whole process")" -q \
    'end { print @s >= 2 / 7 && @s < 4 / 7 }' | grep -qx true
}

@test "a better share turns the verdict" {
  SHARE=99.5 benchmark
  [ "$(cells "contiguous baselines / device copy, n = 2^28, 16 B")" = ">= 0.99 | 0.9950 | met |" ]
}

@test "a run that fails ends it, and names the run; without a device the status is 77" {
  FAIL=stride benchmark
  [ "$status" -eq 1 ]
  [[ "$stderr" == *"'stride -n 2^28 --strides 1 -e 4' failed with status 1"* ]]
  [ -z "$output" ]
  FAIL=offset FAIL_STATUS=77 benchmark
  [ "$status" -eq 77 ]
}

@test "what is missing is named" {
  rm "$bin/transpose"
  benchmark
  [ "$status" -eq 3 ]
  [[ "$stderr" == *"no executable $bin/transpose"* ]]
  benchmark --devise 1
  [ "$status" -eq 2 ]
}

@test "a device that is no index: exit 2, nothing runs" {
  local device
  for device in x -1 01 0,1 99999 GPU-1; do
    benchmark --device "$device"
    [ "$status" -eq 2 ]
    [ "$stderr" = "benchmark.sh: --device takes an index, not '$device'" ]
  done
  [ ! -e "$LOG" ]
}

@test "a full stdout: exit 3" {
  [ -c /dev/full ] || skip "there is no /dev/full"
  run --separate-stderr bash -c '"$@" >/dev/full' - "$root/scripts/benchmark.sh" --build-dir "$BATS_TEST_TMPDIR/a build"
  [ "$status" -eq 3 ]
  [[ "$stderr" == *"benchmark.sh: stdout took no more" ]]
}
