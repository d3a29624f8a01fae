#!/usr/bin/env bats
# sweep.sh and environment.sh: predictions of the real executables, and stand-ins for executables that measure, fail or
# take their time. No GPU is needed. Miller is the real one.
# shellcheck disable=SC1010,SC2016,SC2154 # "then" and "$" inside a Miller command are Miller's; bats assigns stderr
# shellcheck disable=SC2030,SC2031 # a test is a subshell of its own: what it exports is for itself

bats_require_minimum_version 1.5.0

# A checkout, executables and results in folders with a space in their names.
setup() {
  command -v mlr >/dev/null || skip "mlr is not installed"
  [[ -n "${SECTORSCOPE_BIN:-}" ]] || skip "SECTORSCOPE_BIN is not set"
  export real="$SECTORSCOPE_BIN" MLRRC=__none__ LC_ALL=C
  checkout="$BATS_TEST_TMPDIR/a checkout"
  bin="$BATS_TEST_TMPDIR/the build/bin"
  out="$BATS_TEST_TMPDIR/the results/of today"
  export calls="$BATS_TEST_TMPDIR/calls" kept="$BATS_FILE_TMPDIR/rows"
  export TMPDIR="$BATS_TEST_TMPDIR/temporary files"
  mkdir -p "$kept" "$checkout/scripts" "$bin" "$TMPDIR" "$BATS_TEST_TMPDIR/elsewhere"
  cp "$BATS_TEST_DIRNAME"/../../scripts/{common,environment,sweep}.sh "$checkout/scripts"
  : >"$calls"
  cd "$BATS_TEST_TMPDIR/elsewhere" || return
}

sweep() { run --separate-stderr "$checkout/scripts/sweep.sh" "$@"; }

# measure ARGUMENT...: the stand-ins in place of the executables.
measure() {
  export SECTORSCOPE_BIN="$bin"
  sweep "$@"
}

says() {
  [[ "$stderr" == *"$1"* ]] || {
    printf 'not on stderr: %s\nstderr: %s\n' "$1" "$stderr"
    return 1
  }
}

not() { ! "$@"; }

nothing_left() { [ -z "$(find "$TMPDIR" "$out" \( -path "$TMPDIR/*" -o -path '*/running*' \) 2>/dev/null)" ]; }

# stand_in EXPERIMENT BODY: plans like the real one. What it measures is made up from the prediction, once BODY has run;
# it is kept for all tests, since they ask for the same few rows again and again.
stand_in() {
  cat >"$bin/$1" <<END
#!$(type -P bash)
case " \$* " in *" --predict "*) exec "\$real/$1" "\$@" ;; esac
echo "\$\$ $1 \$*" >>"\$calls"
words=() csv="" samples="" device="" probe=false
while [ \$# -gt 0 ]; do
  case "\$1" in
    --csv) csv="\$2" && shift ;;
    --samples) samples="\$2" && shift ;;
    --device) device="\$2" && shift ;;
    *) words+=("\$1") ;;
  esac
  shift
done
[ -n "\$samples" ] || probe=true
measure() {
  local made="\$kept/\$(cksum <<<"$1 \${words[*]} --device \$device" | tr ' ' -)"
  if [ ! -e "\$made" ]; then
    "\$real/$1" "\${words[@]}" --predict --csv - | UUID="GPU-\$device" mlr --csv put '
      \$uuid = ENV["UUID"];
      \$status = "ok";
      \$median_ms = 0.5' >"\$made.\$\$" || exit
    mlr --icsv --ocsv put -q 'for (int k = 1; k <= \$runs; k += 1) {
      emit1 {"variant": \$variant, "value": \$value, "uuid": \$uuid, "run": k, "ms": 0.5}
    }' "\$made.\$\$" >"\$made-samples" || exit
    mv "\$made.\$\$" "\$made"
  fi
  cat "\$made" >>"\$csv"
  \$probe || cat "\$made-samples" >"\$samples"
}
$2
measure
END
  chmod +x "$bin/$1"
}

runs_finished() { find "$out/.sweep/finished" -name rows.csv | wc -l; }
rows_in() { mlr --icsv --onidx count "$@"; }
values() { mlr --icsv --onidx cut -f "$1" then uniq -a then sort -f "$1" "$2" | paste -sd ' '; }
key_columns=experiment,variant,parameter,value,n,rows,cols,ld_in,ld_out,struct_bytes,lanes,element_bytes
key_columns+=,items_per_thread,block_size,l2,order,seed,warmup,iterations,runs

@test "--help prints the header comment, exit 0" {
  sweep --help
  [ "$status" -eq 0 ]
  [[ "${lines[0]}" == "Usage: scripts/sweep.sh EXPERIMENT...|all"* ]]
  [[ "$output" == *--processes* && "$output" != *"set -euo"* ]]
}

@test "wrong usage: exit 2, naming it, and nothing is written" {
  local -a wrong=("" "offsets" "all offset" "offset offset" "offset --processes 0" "offset --processes x"
    "offset --seed -1" "offset --seed 08" "offset --device 0,0" "offset --device x" "offset --device ,"
    "offset --resume --force" "offset --out" "offset --frce" "offset -- --csv x" "offset -- -qn4" "offset -- --device=1"
    "offset -- -d0" "offset -- --samples x" "offset -- --plan" "offset -- --help" "offset -- 1024"
    "offset -- --predict 1024" "offset -- --offsets 0" "offset -- -i 5" "offset -- --access=read" "offset -- -- 5"
    "offset --device 0 -- --predict")
  local named=("which experiments" "'offsets'" "all stands alone" "'offset' is there twice" "'0'" "'x'"
    "'-1'" "'08'" "0 is there twice" "'x'" "','"
    "one of them" "--out needs a value" "'--frce'" "--csv" "--quiet" "--device"
    "--device" "--samples" "--plan" "--help" "'1024'"
    "'1024'" "--offsets" "--iterations" "--access" "'--'"
    "needs no GPU")
  local k words
  for k in "${!wrong[@]}"; do
    read -ra words <<<"${wrong[k]}"
    sweep "${words[@]}"
    [ "$status" -eq 2 ] || { echo "${wrong[k]}: exit $status" && return 1; }
    says "${named[k]}"
  done
  [ -z "$(ls)" ]
}

@test "what an executable refuses is refused before anything runs, in its words: exit 2" {
  sweep all --quick --out "$out" -- --predict -e 3
  [ "$status" -eq 2 ]
  says "--element-bytes: '3' is not"
  says "offset refuses what point order-listed asks for"
  sweep all --quick --out "$out" -- --predict -e 8
  says "aos_soa refuses"
  [ ! -e "$out" ]
}

@test "--dry-run: a line a run, in an order that the seed decides; nothing is started or written" {
  local experiment
  for experiment in offset stride aos_soa transpose; do stand_in "$experiment" 'exit 9'; done
  measure all --dry-run
  [ "$status" -eq 0 ]
  [ -z "$stderr" ]
  [ "${#lines[@]}" -eq $((49 * 5)) ]
  local first="$output"
  measure all --dry-run --seed 1
  [ "$output" = "$first" ]
  measure all --dry-run --seed 2
  [ "$output" != "$first" ]
  [ "$(sort <<<"$output")" = "$(sort <<<"$first")" ]
  # Interleaved: the experiments change places far more often than three times.
  [ "$(grep -oE 'bin/[a-z_]+' <<<"$first" | uniq | wc -l)" -gt 60 ]
  measure all --quick --dry-run --processes 2 --device 0,1 -- -r 2
  [ "${#lines[@]}" -eq $((28 * 2 * 2)) ]
  [ "$(grep -c -- '-r 2 .*--device 1$' <<<"$output")" -eq 56 ]
  run bash -c '"$1" transpose --quick --dry-run >/dev/full' - "$checkout/scripts/sweep.sh"
  [ "$status" -eq 3 ]
  [[ "$output" == *"the command lines cannot be written"* ]]
  [ ! -s "$calls" ]
  [ -z "$(ls)" ]
}

@test "the rows of a sweep are those that the lines of --dry-run predict; process and point come last" {
  sweep all --quick --processes 1 --out "$out" -- --predict
  [ "$status" -eq 0 ]
  [ -z "$output" ]
  says "28 runs (28 points, K = 1)"
  says "==> 28/28, 0 s left"
  says "done: $out"
  local experiment line rows=0
  sweep all --quick --processes 1 --dry-run -- --predict
  for line in "${lines[@]}"; do
    eval "$line -q --csv" "'$BATS_TEST_TMPDIR/expected.csv'"
  done >/dev/null
  for experiment in offset stride aos_soa transpose; do
    rows=$((rows + $(rows_in "$out/$experiment.csv")))
    [ "$(head -n 1 "$out/$experiment.csv" | grep -oE '[a-z]+,[a-z]+,[a-z]+$')" = timestamp,process,point ]
    [ "$(cat "$out/$experiment-samples.csv")" = "$("$real/$experiment" -q --predict --samples -),process,point" ]
    [ "$(values process "$out/$experiment.csv")" = 1 ]
  done
  [ "$(mlr --csv cut -x -f process,point "$out"/{offset,stride,aos_soa,transpose}.csv | sort)" = \
    "$(sort "$BATS_TEST_TMPDIR/expected.csv")" ]
  [ "$rows" -eq "$(rows_in "$BATS_TEST_TMPDIR/expected.csv")" ]
  grep -q '^temperature_after_c: $' "$out/environment.txt"
  nothing_left
}

@test "the rows stand in the order of the table, whatever was run first" {
  sweep offset --quick --processes 2 --out "$out/1" -- --predict
  sweep offset --quick --processes 2 --seed 5 --out "$out/5" -- --predict
  [ "$status" -eq 0 ]
  cmp "$out/1/offset.csv" "$out/5/offset.csv"
  [ "$(mlr --icsv --onidx --ofs ' ' cut -o -f point,process then uniq -a then head -n 5 "$out/1/offset.csv" | paste -sd ,)" = \
    "order-listed 1,order-listed 2,order-reversed 1,order-reversed 2,order-shuffled 1" ]
}

# predicted FILE ARGUMENT...: what the lines of --dry-run predict, one row after another.
predicted() {
  local line
  sweep "${@:2}" --processes 1 --dry-run -- --predict --l2-bytes 60M
  for line in "${lines[@]}"; do
    eval "$line -q --csv '$1'" >/dev/null
  done
}

@test "the full sweep covers what it must, no two points share a row, and it holds every row of the quick one" {
  local full="$BATS_TEST_TMPDIR/full.csv" quick="$BATS_TEST_TMPDIR/quick.csv"
  predicted "$full" all
  predicted "$quick" all --quick
  keys() { mlr --icsv --ocsv --headerless-csv-output cut -o -f "$key_columns" "$1" | sort; }
  [ -z "$(keys "$full" | uniq -d)" ]
  [ -z "$(comm -13 <(keys "$full") <(keys "$quick"))" ]
  [ "$(mlr --icsv --onidx --ofs ' ' count-distinct -f experiment,l2 then cut -f experiment,l2 "$quick" | sort | paste -sd ,)" = \
    "aos_soa cold,aos_soa hot,offset cold,offset hot,stride cold,stride hot,transpose cold,transpose hot" ]

  # distinct COLUMN FILTER: the values of the column in such rows.
  distinct() { mlr --icsv --onidx filter "$2" then cut -f "$1" then uniq -a then sort -f "$1" "$full" | paste -sd ' '; }
  local plain='$items_per_thread == 4 && $block_size == 256 && $l2 == "hot"' order access experiment
  for order in listed reversed shuffled; do
    for access in read write; do
      [ "$(distinct value "$plain"' && $order == "'$order'" && $variant == "offset_'$access'"' | wc -w)" -eq 33 ]
    done
  done
  for access in gather scatter both; do
    [ "$(distinct value "$plain"' && $variant == "stride_'$access'" && $value % 2 == 1 && $value <= 65' | wc -w)" -eq 33 ]
  done
  [ "$(distinct value '$variant == "stride_disjoint" && $value <= 65' | wc -w)" -eq 65 ]
  [ "$(distinct value '$variant == "stride_disjoint" && $value > 65')" = "1024 128 256 512" ]
  [ "$(distinct n "$plain"' && $variant == "stride_gather" && $iterations >= 20 && $value == 1')" = \
    "1048576 16777216 262144 268435456 4194304 65536 67108864 8388608" ]
  [ "$(distinct lanes '$variant == "aosoa_transform"')" = "1 2 32 4 8" ]
  [ "$(distinct value '$variant == "soa_transform" && $struct_bytes == 16')" = "1 2 3 4" ]
  [ "$(distinct value '$variant == "aos_transform" && $struct_bytes == 24')" = "1 2 3 4 5 6" ]
  [ "$(distinct variant '$variant =~ "_step$"')" = "aos_step aosoa_step soa_step" ]
  [ "$(distinct variant '$rows == 8191 && $cols == 8191' | wc -w)" -eq 8 ]
  [ "$(distinct variant '$rows == 1048576 && $cols == 64' | wc -w)" -eq 8 ]
  [ "$(distinct variant '$rows == 64 && $cols == 1048576' | wc -w)" -eq 8 ]
  [ "$(distinct variant '$ld_in > $cols' | wc -w)" -eq 8 ]
  for experiment in offset stride aos_soa; do
    [ "$(distinct items_per_thread '$experiment == "'$experiment'"')" = "1 2 4 8" ]
    [ "$(distinct block_size '$experiment == "'$experiment'"')" = "1024 128 256 64" ]
  done
}

# Sends $signal to the sweep when run $at begins, then sleeps: the run is broken off in the middle. 0: while it plans.
interrupting='
  if ! $probe && [ "$(grep -c -- --samples "$calls")" -eq "${at:-0}" ]; then
    kill -s "$signal" "$(sed -n "s/^PPid:[[:space:]]*//p" "/proc/$PPID/status")"
    sleep 0.4
  fi'

@test "interrupted by SIGINT, SIGTERM and SIGKILL at several moments and resumed: the rows of an uninterrupted sweep" {
  stand_in transpose "$interrupting"
  measure transpose --quick --processes 1 --out "$out/whole"
  [ "$status" -eq 0 ]
  local moment expected
  for moment in "INT 4 130" "TERM 1 143" "KILL 3 137"; do
    read -r signal at expected <<<"$moment"
    export signal at
    rm -rf "$out/broken"
    : >"$calls"
    status=0
    SECTORSCOPE_BIN="$bin" "$checkout/scripts/sweep.sh" transpose --quick --processes 1 --out "$out/broken" \
      >/dev/null 2>&1 3>&- || status=$?
    [ "$status" -eq "$expected" ] || { echo "$signal $at: exit $status" && return 1; }
    # The run that was broken off does not go on by itself.
    [ "$signal" = KILL ] || not kill -0 "$(tail -n 1 "$calls" | cut -d ' ' -f 1)" 2>/dev/null
    [ "$(find "$out/broken/.sweep/finished" -name rows.csv | wc -l)" -eq $((at - 1)) ]
    if [ "$signal" != KILL ] && [ "$at" -gt 1 ]; then
      # What is finished can be read, in whole rows.
      [ "$(mlr --icsv --onidx cut -f point then uniq -a then count "$out/broken/transpose.csv")" -eq $((at - 1)) ]
      not grep -qvxF -f "$out/whole/transpose.csv" "$out/broken/transpose.csv"
    else
      [ ! -e "$out/broken/transpose.csv" ]
    fi
    unset at
    : >"$calls"
    measure transpose --quick --processes 1 --out "$out/broken" --resume
    [ "$status" -eq 0 ]
    cmp "$out/whole/transpose.csv" "$out/broken/transpose.csv"
    cmp "$out/whole/transpose-samples.csv" "$out/broken/transpose-samples.csv"
  done
  not grep -q . < <(find "$out" -path '*/running*')
}

@test "killed while it plans, and while it makes its folder: --resume starts it" {
  stand_in transpose :
  export SECTORSCOPE_BIN="$bin"
  sed -i '2i case " $* " in *" --predict "*) kill -KILL "$PPID" ;; esac' "$bin/transpose"
  status=0
  "$checkout/scripts/sweep.sh" transpose --quick --processes 1 --out "$out" >/dev/null 2>&1 3>&- || status=$?
  [ "$status" -eq 137 ]
  sed -i 2d "$bin/transpose"
  sed -i '2i kill -KILL "$PPID"' "$checkout/scripts/environment.sh"
  status=0
  "$checkout/scripts/sweep.sh" transpose --quick --processes 1 --out "$out" >/dev/null 2>&1 3>&- || status=$?
  [ "$status" -eq 137 ]
  sed -i 2d "$checkout/scripts/environment.sh"
  sweep transpose --quick --processes 1 --out "$out" --resume
  [ "$status" -eq 0 ]
  [ "$(runs_finished)" -eq 5 ]
}

@test "Ctrl-C, a signal to every process: exit 130, the finished runs are joined, --resume runs just the others" {
  # timeout gives the sweep a process group of its own.
  stand_in transpose '$probe || [ "$(grep -c -- --samples "$calls")" -ne 3 ] || { kill -s INT 0; sleep 0.4; }'
  export SECTORSCOPE_BIN="$bin"
  run --separate-stderr timeout --preserve-status 60 "$checkout/scripts/sweep.sh" transpose --quick --out "$out"
  [ "$status" -eq 130 ]
  says "interrupted: --resume goes on"
  [ "$(runs_finished)" -eq 2 ]
  [ "$(mlr --icsv --onidx cut -f point,process then uniq -a then count "$out/transpose.csv")" -eq 2 ]
  nothing_left
  measure transpose --quick --out "$out" --resume
  [ "$status" -eq 0 ]
  [ "$(grep -c -- --samples "$calls")" -eq $((3 + 13)) ]
  [ "$(runs_finished)" -eq 15 ]
}

@test "what a sweep killed by SIGKILL left running is ended by --resume" {
  export signal=KILL at=2
  stand_in transpose "${interrupting/sleep 0.4/for ((k = 0; k < 200; ++k)); do sleep 0.1; done}"
  export SECTORSCOPE_BIN="$bin"
  status=0
  "$checkout/scripts/sweep.sh" transpose --quick --processes 1 --out "$out" >/dev/null 2>&1 3>&- || status=$?
  [ "$status" -eq 137 ]
  local left
  left="$(grep -- --samples "$calls" | tail -n 1 | cut -d ' ' -f 1)"
  kill -0 "$left"
  measure transpose --quick --processes 1 --out "$out" --resume
  [ "$status" -eq 0 ]
  not kill -0 "$left" 2>/dev/null
  [ "$(grep -c -- --samples "$calls")" -eq $((2 + 4)) ]
  [ "$(runs_finished)" -eq 5 ]
  [ ! -e "$out/.sweep/running" ]
}

@test "two sweeps do not share a folder: the second one exits with 2" {
  stand_in transpose '$probe || { exec 3>&-; for ((k = 0; k < 100; ++k)); do [ -e "$calls.go" ] && break; sleep 0.1; done; }'
  export SECTORSCOPE_BIN="$bin"
  "$checkout/scripts/sweep.sh" transpose --quick --processes 1 --out "$out" 3>&- 2>/dev/null &
  local first=$!
  while ! grep -q -- --samples "$calls"; do sleep 0.05; done
  measure transpose --quick --processes 1 --out "$out" --resume
  [ "$status" -eq 2 ]
  says "another sweep is at work in '$out'"
  measure transpose --quick --processes 1 --out "$out" --force
  [ "$status" -eq 2 ]
  : >"$calls.go"
  wait "$first"
  [ "$(runs_finished)" -eq 5 ]
}

@test "false in place of an executable: named at the end, the others finish, exit 1; --resume after a repair completes it" {
  local experiment
  for experiment in stride transpose; do stand_in "$experiment" :; done
  ln -s "$(type -P false)" "$bin/offset"
  measure offset transpose --quick --processes 1 --out "$out"
  [ "$status" -eq 1 ]
  says "6 of 11 runs failed"
  says "offset order-listed, process 1: exit status 1"
  says "the build/bin/offset' -w 5 -r 3 --access read,write --order listed -i 50 --offsets 0,1,4,8 --device 0"
  [ ! -e "$out/offset.csv" ]
  [ "$(values point "$out/transpose.csv" | wc -w)" -eq 5 ]
  rm "$bin/offset"
  stand_in offset :
  measure offset transpose --quick --processes 1 --out "$out" --resume
  [ "$status" -eq 0 ]
  [ "$(grep -c "transpose .*--samples" "$calls")" -eq 5 ]
  [ "$(values point "$out/offset.csv" | wc -w)" -eq 6 ]
  nothing_left
}

@test "nothing but false: exit 1, naming it, and no folder is made" {
  ln -s "$(type -P false)" "$bin/offset"
  measure offset --out "$out"
  [ "$status" -eq 1 ]
  says "exit status 1: '$bin/offset'"
  [ ! -e "$out" ]
}

@test "a failed point is no row: its message and exit status are told, the sweep goes on" {
  stand_in transpose '
    if [[ "$csv" == */running/* && " ${words[*]} " == *" 8191 "* ]]; then
      echo "transpose: error: configuration 3 went wrong" >&2
      measure
      exit 3
    fi'
  measure transpose --quick --processes 2 --out "$out"
  [ "$status" -eq 1 ]
  says "2 of 10 runs failed"
  says "transpose odd, process 1: exit status 3"
  says "| transpose: error: configuration 3 went wrong"
  [ "$(values point "$out/transpose.csv")" = "cold padded square wide" ]
  [ "$(values point "$out/transpose-samples.csv")" = "cold padded square wide" ]
  [ "$(runs_finished)" -eq 8 ]
}

@test "half a row, a row or a sample too few, another GPU: not finished, whatever the exit status says" {
  stand_in transpose '
    if ! $probe; then
      measure
      case " ${words[*]} " in
        *" 8191 "*) truncate --size -40 "$csv"; kill -KILL $$ ;;
        *" 2^20 "*) truncate --size -40 "$csv" ;;
        *" 8224 "*) sed -i "\$d" "$csv" ;;
        *" cold "*) sed -i "\$d" "$samples" ;;
        *) sed -i "s/GPU-0/GPU-9/" "$csv" ;;
      esac
      exit 0
    fi'
  measure transpose --quick --processes 1 --out "$out"
  [ "$status" -eq 1 ]
  says "5 of 5 runs failed"
  says "transpose odd, process 1: exit status 137"
  says "transpose wide, process 1: no whole CSV: mlr: "
  says "transpose padded, process 1: 7 rows, predicted were 8"
  says "transpose cold, process 1: 8 samples, the rows tell of 9"
  says "transpose square, process 1: ran on GPU-9, not on GPU-0"
  [ "$(runs_finished)" -eq 0 ]
  [ ! -e "$out/transpose.csv" ]
}

@test "no CUDA device: exit 77 at once, with the executable's message, and no folder is made" {
  stand_in transpose 'echo "transpose: error: no CUDA device is visible" >&2; exit 77'
  measure transpose --quick --out "$out"
  [ "$status" -eq 77 ]
  says "no CUDA device is visible"
  [ "$(wc -l <"$calls")" -eq 1 ]
  [ ! -e "$out" ]
}

@test "the GPU is lost on the way: exit 77 at once, what is finished is kept, and --resume is named" {
  stand_in transpose '[ "$(grep -c -- --samples "$calls")" -lt 3 ] || { echo "no CUDA device" >&2; exit 77; }'
  measure transpose --quick --out "$out"
  [ "$status" -eq 77 ]
  says "no CUDA device"
  says "the CUDA device was lost: --resume goes on with '$out'"
  [ "$(grep -c -- --samples "$calls")" -eq 3 ]
  [ "$(runs_finished)" -eq 2 ]
  [ "$(mlr --icsv --onidx cut -f point,process then uniq -a then count "$out/transpose.csv")" -eq 2 ]
}

@test "an earlier result stays as it is without --force, which replaces all of it" {
  sweep offset --quick --processes 1 --out "$out" -- --predict
  local before
  before="$(cksum "$out"/*.*)"
  sweep offset --quick --processes 1 --out "$out" -- --predict
  [ "$status" -eq 2 ]
  says "--resume"
  says "--force"
  sweep transpose --quick --processes 1 --out "$out" -- --predict
  [ "$status" -eq 2 ]
  [ "$(cksum "$out"/*.*)" = "$before" ]
  sweep transpose --quick --processes 1 --out "$out" --force -- --predict
  [ "$status" -eq 0 ]
  [ -s "$out/transpose.csv" ]
  [ ! -e "$out/offset.csv" ]

  # Of another making: there is nothing to resume.
  rm -r "$out"
  mkdir -p "$out"
  echo mine >"$out/offset.csv"
  echo notes >"$out/notes.txt"
  sweep offset --quick --processes 1 --out "$out" -- --predict
  [ "$status" -eq 2 ]
  says "'$out/offset.csv' exists"
  sweep offset --quick --processes 1 --out "$out" --resume -- --predict
  [ "$status" -eq 2 ]
  [ "$(cat "$out/offset.csv")" = mine ]
  sweep offset --quick --processes 1 --out "$out" --force -- --predict
  [ "$status" -eq 0 ]
  [ "$(cat "$out/notes.txt")" = notes ]
}

@test "a folder in the place of a result: exit 3, nothing is left in it" {
  sweep offset --quick --processes 1 --out "$out" -- --predict
  rm "$out/offset.csv"
  mkdir "$out/offset.csv"
  sweep offset --quick --processes 1 --out "$out" --resume -- --predict
  [ "$status" -eq 3 ]
  says "the results could not be written to '$out'"
  [ -z "$(ls "$out/offset.csv")" ]
  nothing_left
  sweep offset --quick --processes 1 --out "$out" --force -- --predict
  [ "$status" -eq 3 ]
  says "--force: the results in '$out' cannot be removed"
  [ -d "$out/offset.csv" ]
}

@test "--resume of a whole sweep runs nothing, of nothing starts it" {
  stand_in transpose :
  measure transpose --quick --processes 1 --out "$out" --resume
  [ "$status" -eq 0 ]
  : >"$calls"
  measure transpose --quick --processes 1 --out "$out" --resume
  [ "$status" -eq 0 ]
  [ "$(grep -c -- --samples "$calls")" -eq 0 ]
}

@test "a finished run whose files are empty, cut or missing is run again by --resume, and only such a one" {
  stand_in transpose :
  measure transpose --quick --processes 1 --out "$out"
  local finished="$out/.sweep/finished/GPU-0/transpose" before
  before="$(cksum "$out"/*.csv)"
  : >"$finished/square.1/rows.csv"
  truncate --size -40 "$finished/odd.1/samples.csv"
  rm "$finished/wide.1/samples.csv"
  : >"$finished/cold.1/executable"
  : >"$calls"
  measure transpose --quick --processes 1 --out "$out" --resume
  [ "$status" -eq 0 ]
  says "run again: transpose square, process 1: 0 rows, predicted were 8"
  says "run again: transpose odd, process 1: no whole CSV: mlr: "
  says "run again: transpose wide, process 1: no whole CSV: mlr: "
  says "run again: transpose cold, process 1: no checksum"
  [ "$(grep -c -- --samples "$calls")" -eq 4 ]
  [ "$(cksum "$out"/*.csv)" = "$before" ]
}

@test "files that cannot be joined leave the earlier results as they are: exit 3" {
  # A finished run is cut once the sweep has looked at it.
  stand_in transpose '$probe || [ ! -e "$calls.cut" ] || truncate --size -40 "$(cat "$calls.cut")"'
  measure transpose --quick --processes 1 --out "$out"
  [ "$status" -eq 0 ]
  local file before finished="$out/.sweep/finished/GPU-0/transpose"
  before="$(cksum "$out"/*.csv)"
  cp -r "$finished" "$BATS_TEST_TMPDIR/finished"
  for file in rows samples; do
    rm -r "$finished"
    cp -r "$BATS_TEST_TMPDIR/finished" "$finished"
    rm -r "$finished/odd.1"
    printf '%s\n' "$finished/square.1/$file.csv" >"$calls.cut"
    measure transpose --quick --processes 1 --out "$out" --resume
    [ "$status" -eq 3 ]
    says "the results could not be written to '$out'"
    [ "$(cksum "$out"/*.csv)" = "$before" ]
  done
}

@test "--resume refuses another executable, naming it, though it calls itself the same version: exit 2" {
  stand_in transpose :
  measure transpose --quick --processes 1 --out "$out"
  [ "$status" -eq 0 ]
  rm -r "$out/.sweep/finished/GPU-0/transpose/odd.1"
  local before
  before="$(cksum "$out"/*.*)"
  # The same one at another place.
  mkdir -p "$BATS_TEST_TMPDIR/moved/bin"
  cp "$bin/transpose" "$BATS_TEST_TMPDIR/moved/bin"
  echo '# built again' >>"$bin/transpose"
  : >"$calls"
  measure transpose --quick --processes 1 --out "$out" --resume
  [ "$status" -eq 2 ]
  says "'$bin/transpose' is not the executable that the sweep in '$out' was begun with"
  [ "$(grep -c -- --samples "$calls")" -eq 0 ]
  [ "$(cksum "$out"/*.*)" = "$before" ]
  sweep transpose --quick --processes 1 --out "$out" --resume --build-dir "$BATS_TEST_TMPDIR/moved"
  [ "$status" -eq 0 ]
  [ "$(grep -c -- --samples "$calls")" -eq 1 ]
}

@test "an executable that is replaced while the sweep runs: its runs are not finished ones" {
  stand_in transpose '$probe || [ "$(grep -c -- --samples "$calls")" -ne 2 ] || {
    sed "\$a# built again" "$0" >"$calls.new" && chmod +x "$calls.new" && mv "$calls.new" "$0"
  }'
  measure transpose --quick --processes 1 --out "$out"
  [ "$status" -eq 1 ]
  says "4 of 5 runs failed"
  says "the executable is not the one that the sweep was begun with"
  [ "$(runs_finished)" -eq 1 ]
}

@test "a worker killed by SIGKILL: exit 137, said; its run is ended, and --resume goes on" {
  stand_in transpose '
    if ! $probe && [ "$(grep -c -- --samples "$calls")" -eq 3 ] && [ ! -e "$calls.killed" ]; then
      : >"$calls.killed"
      exec 3>&-
      kill -KILL "$PPID"
      for ((k = 0; k < 200; ++k)); do sleep 0.1; done
    fi'
  measure transpose --quick --processes 1 --out "$out"
  [ "$status" -eq 137 ]
  says "the process of device 0 was killed by SIGKILL: --resume goes on with '$out'"
  # Ended, though init may take its time to bury it.
  not grep -q "^State:[[:space:]]*[A-Y]" "/proc/$(tail -n 1 "$calls" | cut -d ' ' -f 1)/status" 2>/dev/null
  [ "$(values point "$out/transpose.csv" | wc -w)" -eq 2 ]
  nothing_left
  measure transpose --quick --processes 1 --out "$out" --resume
  [ "$status" -eq 0 ]
  [ "$(runs_finished)" -eq 5 ]
}

@test "--force removes nothing outside of the folder, whatever .sweep/options says: exit 2" {
  local victim="$BATS_TEST_TMPDIR/the results/other" line
  mkdir -p "$victim" "$out/.sweep"
  echo mine | tee "$victim/transpose.csv" >"$victim/environment.txt"
  for line in "gpu: GPU-0 ../other" "experiments: transpose ../other/transpose"; do
    { [[ "$line" != gpu:* ]] || echo "experiments: transpose"; echo "$line"; } >"$out/.sweep/options"
    echo mine >"$out/transpose.csv"
    sweep transpose --quick --processes 1 --out "$out" --force -- --predict
    [ "$status" -eq 2 ] || { echo "$line: exit $status" && return 1; }
    says "'$out/.sweep/options' is damaged"
    [ "$(cat "$victim/transpose.csv" "$victim/environment.txt" "$out/transpose.csv" | uniq -c)" = "      3 mine" ]
  done
}

@test "--resume refuses other options, another version, another build and another GPU, naming the difference" {
  stand_in offset :
  stand_in transpose :
  measure transpose --quick --processes 1 --out "$out"
  [ "$status" -eq 0 ]
  local before
  before="$(cksum "$out"/*.* "$out/.sweep/options")"
  refused() {
    measure --out "$out" --resume "${@:2}"
    [ "$status" -eq 2 ] && says "$1" && [ "$(cksum "$out"/*.* "$out/.sweep/options")" = "$before" ]
  }
  refused "'experiments: transpose', now it would be 'experiments: offset transpose'" transpose offset --quick --processes 1
  refused "'quick: true', now it would be 'quick: false'" transpose --processes 1
  refused "'processes: 1', now it would be 'processes: 2'" transpose --quick --processes 2
  refused "'seed: 1', now it would be 'seed: 2'" transpose --quick --processes 1 --seed 2
  refused "'passed on: ', now it would be 'passed on: -r 2'" transpose --quick --processes 1 -- -r 2
  refused "'gpu: GPU-0', now it would be 'gpu: GPU-1'" transpose --quick --processes 1 --device 1
  refused "'gpu: GPU-0', now it would be 'gpu: GPU-0 GPU-1'" transpose --quick --processes 1 --device 0,1
  sed -i 's/^case .*/[[ " $* " != *" --predict "* ]] || { "$real\/transpose" "$@" | sed "s,Release,Debug,"; exit; }/' "$bin/transpose"
  # The rows of a plan go to a file: changed behind the real one.
  sed -i 's/| sed "s,Release,Debug,"; exit/ \&\& sed -i "s,Release,Debug," "${@: -1}"; exit/' "$bin/transpose"
  refused "'build type: Release', now it would be 'build type: Debug'" transpose --quick --processes 1
  sed -i 's/s,Release,Debug,/s,Release\\,,Release\\,9,/' "$bin/transpose"
  refused "now it would be 'version: 90.1.0'" transpose --quick --processes 1
}

@test "--device 0,1: both GPUs run the whole sweep at the same time, each into the folder of its uuid" {
  # Each waits for the other one: one after the other, they would wait in vain.
  stand_in transpose '
    if ! $probe; then
      : >"$calls.$device"
      for ((k = 0; k < 50; ++k)); do [ -e "$calls.0" ] && [ -e "$calls.1" ] && break; sleep 0.1; done
      [ "$k" -lt 50 ] || exit 3
    fi'
  measure transpose --quick --processes 1 --device 0,1 --out "$out"
  [ "$status" -eq 0 ]
  says "5 runs (5 points, K = 1) on each of 2 GPUs"
  says "device 1: 5/5"
  local uuid
  for uuid in GPU-0 GPU-1; do
    [ "$(values uuid "$out/$uuid/transpose.csv")" = "$uuid" ]
    [ "$(values uuid "$out/$uuid/transpose-samples.csv")" = "$uuid" ]
    [ -s "$out/$uuid/environment.txt" ]
  done
  cmp <(sed 's/GPU-0/GPU-1/' "$out/GPU-0/transpose.csv") "$out/GPU-1/transpose.csv"
  [ ! -e "$out/transpose.csv" ]
  nothing_left

  rm "$out/GPU-0/transpose.csv"
  rm -r "$out/.sweep/finished/GPU-1/transpose/odd.1"
  : >"$calls"
  measure transpose --quick --processes 1 --device 1,0 --out "$out" --resume
  [ "$status" -eq 0 ]
  [ "$(grep -c -- --samples "$calls")" -eq 1 ]
  cmp <(sed 's/GPU-0/GPU-1/' "$out/GPU-0/transpose.csv") "$out/GPU-1/transpose.csv"

  measure transpose --quick --processes 1 --out "$out" --force
  [ "$status" -eq 0 ]
  [ ! -e "$out/GPU-0" ]
  [ ! -e "$out/GPU-1" ]
}

@test "--device all: every GPU that the executables see; one that is not there is refused" {
  stand_in transpose '[ "$device" -lt 3 ] || { echo "transpose: error: --device: no $device (legal: 0..2)" >&2; exit 2; }'
  measure transpose --quick --processes 1 --device all --out "$out"
  [ "$status" -eq 0 ]
  [ "$(cd "$out" && echo *)" = "GPU-0 GPU-1 GPU-2" ]
  measure transpose --quick --processes 1 --device 0,3 --out "$out/other"
  [ "$status" -eq 2 ]
  says "no 3 (legal: 0..2)"
  [ ! -e "$out/other" ]
}

@test "two workers are interrupted like one: exit 143, and both are resumed" {
  export signal=TERM at=4
  stand_in transpose "$interrupting"
  measure transpose --quick --processes 1 --device 0,1 --out "$out"
  [ "$status" -eq 143 ]
  nothing_left
  [ "$(runs_finished)" -lt 5 ]
  measure transpose --quick --processes 1 --device 0,1 --out "$out" --resume
  [ "$status" -eq 0 ]
  [ "$(runs_finished)" -eq 10 ]
  cmp <(sed 's/GPU-0/GPU-1/' "$out/GPU-0/transpose.csv") "$out/GPU-1/transpose.csv"
}

@test "full disk: whole rows only, exit not 0; with room again --resume completes it" {
  unshare --mount true 2>/dev/null || skip "no file system can be mounted here"
  mkdir -p "$out"
  sweep offset --quick --out "$BATS_TEST_TMPDIR/expected" -- --predict
  export SECTORSCOPE_BIN="$real"
  run --separate-stderr unshare --mount bash -c '
    mount -t tmpfs -o size=100k none "$2" || exit 99
    status=0
    "$1" offset --quick --out "$2" -- --predict || status=$?
    find "$2/.sweep/finished" -name rows.csv | wc -l
    find "$2/.sweep/finished" -name rows.csv -exec mlr --icsv --onidx count {} + || exit 98
    mount -o remount,size=4m "$2" || exit 97
    "$1" offset --quick --out "$2" --resume -- --predict || exit 96
    cmp "$2/offset.csv" "$3" || exit 95
    exit "$status"' bash "$checkout/scripts/sweep.sh" "$out" "$BATS_TEST_TMPDIR/expected/offset.csv"
  [ "$status" -eq 1 ] || [ "$status" -eq 3 ] || { echo "exit $status: $stderr" && return 1; }
  [ "${lines[0]}" -gt 0 ]
  [ "${lines[0]}" -lt 18 ]
  says "  | offset: error: "
  says "No space left on device"
}

@test "missing mlr, flock and executables are named before anything runs: exit 3" {
  local tools="$BATS_TEST_TMPDIR/tools" tool
  mkdir "$tools"
  for tool in awk bash cat dirname env sort tr uniq mlr; do ln -s "$(command -v "$tool")" "$tools/$tool"; done
  run --separate-stderr env PATH="$tools" "$checkout/scripts/sweep.sh" offset --out "$out"
  [ "$status" -eq 3 ]
  says "flock was not found"
  rm "$tools/mlr"
  run --separate-stderr env PATH="$tools" "$checkout/scripts/sweep.sh" offset --out "$out"
  [ "$status" -eq 3 ]
  says "mlr (Miller 6) was not found: apt-get install miller"
  stand_in offset :
  measure offset transpose --out "$out"
  [ "$status" -eq 3 ]
  says "no executable $bin/transpose"
  [ ! -e "$out" ]
}

@test "--build-dir names the build, in place of SECTORSCOPE_BIN" {
  stand_in transpose :
  sweep transpose --quick --dry-run --build-dir "$BATS_TEST_TMPDIR/the build"
  [ "$status" -eq 0 ]
  [[ "${lines[0]}" == "'$bin/transpose' "* ]]
}

@test "a target that cannot be written: exit 2 for a file, 3 for a folder that cannot be made or takes no file" {
  : >"$BATS_TEST_TMPDIR/file"
  sweep offset --quick --out "$BATS_TEST_TMPDIR/file" -- --predict
  [ "$status" -eq 2 ]
  says "is no folder"
  sweep offset --quick --out "$BATS_TEST_TMPDIR/file/below" -- --predict
  [ "$status" -eq 3 ]
  says "cannot be made"
  [[ "$(id -u)" != 0 ]] || skip "root may write everywhere: the rest is not tested"
  mkdir -p "$out"
  chmod a-w "$out"
  sweep offset --quick --out "$out" -- --predict
  chmod u+w "$out"
  [ "$status" -eq 3 ]
  [ -z "$(ls -A "$out")" ]
}

@test "the locale changes nothing" {
  stand_in transpose :
  measure transpose --quick --processes 1 --out "$out/C"
  LC_ALL=de_DE.UTF-8 LANG=de_DE.UTF-8 measure transpose --quick --processes 1 --out "$out/de"
  [ "$status" -eq 0 ]
  cmp "$out/C/transpose.csv" "$out/de/transpose.csv"
  cmp "$out/C/transpose-samples.csv" "$out/de/transpose-samples.csv"
}

@test "flags are summed up at the end" {
  stand_in transpose '$probe || { measure; mlr -I --csv put "\$flags = NR == 1 ? \"spread;short\" : NR == 2 ? \"short\" : \"\"" "$csv"; exit 0; }'
  measure transpose --quick --processes 1 --out "$out"
  [ "$status" -eq 0 ]
  says "rows with a flag, see the column: spread 5, short 10"
}

# An nvidia-smi that knows GPU-0 only, and says of the field in $1 what is in $2.
put_nvidia_smi() {
  mkdir -p "$BATS_TEST_TMPDIR/tools"
  cat >"$BATS_TEST_TMPDIR/tools/nvidia-smi" <<END
#!/usr/bin/env bash
case " \$* " in
  *" --id=GPU-0 "*) ;;
  *) echo "No devices were found" && exit 6 ;;
esac
case " \$* " in
  *" --query-gpu=$1 "*) echo "$2" ;;
  *" --query-gpu=temperature.gpu "*) cat "$BATS_TEST_TMPDIR/temperature" ;;
  *) echo "\$1" ;;
esac
END
  chmod +x "$BATS_TEST_TMPDIR/tools/nvidia-smi"
}

@test "environment.txt: the GPU by uuid, temperatures before and after, and empty where the system will not say" {
  put_nvidia_smi power.limit "[N/A]"
  echo 31 >"$BATS_TEST_TMPDIR/temperature"
  stand_in transpose '$probe || echo 48 >"${calls%/*}/temperature"'
  PATH="$BATS_TEST_TMPDIR/tools:$PATH" measure transpose --quick --processes 1 --out "$out"
  [ "$status" -eq 0 ]
  grep -qx 'uuid: --id=GPU-0' "$out/environment.txt"
  grep -qx 'temperature_c: 31' "$out/environment.txt"
  grep -qx 'temperature_after_c: 48' "$out/environment.txt"
  grep -qx 'power_limit: ' "$out/environment.txt"
  local field
  for field in date gpu uuid driver runtime nvcc host_compiler build_type architectures commit os cpu ecc power_limit \
    sm_clock memory_clock temperature_c temperature_after_c; do
    [ "$(grep -c "^$field: " "$out/environment.txt")" -eq 1 ] || { echo "$field" && return 1; }
  done
}

@test "environment.sh: whatever nvidia-smi says instead of a value, the field is empty" {
  local answer
  for answer in "[N/A]" "N/A" "[Not Supported]" "[Unknown Error]"; do
    put_nvidia_smi power.limit "$answer"
    PATH="$BATS_TEST_TMPDIR/tools:$PATH" run "$checkout/scripts/environment.sh" --device GPU-0
    [ "$status" -eq 0 ]
    grep -qx 'power_limit: ' <<<"$output"
    grep -qx 'power_limit_default: --id=GPU-0' <<<"$output"
  done
}

@test "environment.sh --after: what nvidia-smi says is text, and one line" {
  local answer
  printf 'gpu: a\ntemperature_after_c: \nos: b\n' >"$BATS_TEST_TMPDIR/x=1"
  cd "$BATS_TEST_TMPDIR"
  for answer in '4&8' '4/8' '4|8' '4\1' $'4\n8'; do
    put_nvidia_smi temperature.gpu "$answer"
    PATH="$BATS_TEST_TMPDIR/tools:$PATH" run --separate-stderr "$checkout/scripts/environment.sh" --device GPU-0 --after x=1
    [ "$status" -eq 0 ]
    [ "$output" = "$(printf 'gpu: a\ntemperature_after_c: %s\nos: b' "${answer//$'\n'/ }")" ]
    [ -z "$stderr" ]
  done
}

@test "environment.sh: a full stdout is exit 3, one line" {
  [ -c /dev/full ] || skip "there is no /dev/full"
  local words
  echo 'temperature_after_c: ' >"$BATS_TEST_TMPDIR/before"
  for words in "" "--after"; do
    run --separate-stderr bash -c '"$@" >/dev/full' - "$checkout/scripts/environment.sh" \
      ${words:+"$words" "$BATS_TEST_TMPDIR/before"}
    [ "$status" -eq 3 ]
    [ "$stderr" = "environment.sh: stdout took no more" ]
  done
}

@test "environment.sh: what is wrong is refused with 2; without nvidia-smi the fields are empty" {
  run "$checkout/scripts/environment.sh" --device x
  [ "$status" -eq 2 ]
  run "$checkout/scripts/environment.sh" --after "$out/no such file"
  [ "$status" -eq 2 ]
  put_nvidia_smi none none
  PATH="$BATS_TEST_TMPDIR/tools:$PATH" run "$checkout/scripts/environment.sh" --device GPU-7
  [ "$status" -eq 0 ]
  grep -qx 'uuid: ' <<<"$output"
  mkdir -p "$BATS_TEST_TMPDIR/cuda/bin" "$BATS_TEST_TMPDIR/cuda/include" "$BATS_TEST_TMPDIR/the build"
  echo '#define CUDART_VERSION  12040' >"$BATS_TEST_TMPDIR/cuda/include/cuda_runtime_api.h"
  printf '%s\n' "CMAKE_CUDA_COMPILER:FILEPATH=$BATS_TEST_TMPDIR/cuda/bin/nvcc" CMAKE_BUILD_TYPE:STRING=Release \
    >"$BATS_TEST_TMPDIR/the build/CMakeCache.txt"
  run "$checkout/scripts/environment.sh" --build-dir "$BATS_TEST_TMPDIR/the build"
  grep -qx 'runtime: 12.4' <<<"$output"
  grep -qx 'build_type: Release' <<<"$output"
}
