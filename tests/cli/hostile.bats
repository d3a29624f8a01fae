#!/usr/bin/env bats
# Bad and edge command lines of the executables and the scripts: the cases of hostile.tsv, and what no table can hold.

# shellcheck source=common.bash
# shellcheck disable=SC2154 # bats assigns stderr
bats_require_minimum_version 1.5.0
load common

setup() {
  root="$(cd "$BATS_TEST_DIRNAME/../.." && pwd)"
  scratch="$BATS_TEST_TMPDIR/a folder"
  mkdir "$scratch" "$scratch/folder"
  cd "$scratch" || return
  on offset -n 32 --offsets 0 --predict -q --csv rows.csv --samples samples.csv >/dev/null
  ln -s rows.csv link.csv
  ln -s loop loop
  ln -s missing/target dangling
  printf 'a,b\n1,2\n' >other.csv
  sed 's/$/\r/' rows.csv >crlf.csv
  { cat rows.csv && printf 'offset,cut'; } >cut.csv
  head -c 4096 /dev/zero >binary.csv
}

# check STATUS PHRASES PROGRAM ARGUMENT...: prints what is wrong; PHRASES are separated by '|'. The
# outputs go to files of the worker.
check() {
  local wanted="$1" program="$3" call="${*:3}" run phrase status=0 output errors phrases
  IFS='|' read -r -a phrases <<<"$2"
  case "$program" in
    *.sh) run="$root/scripts/$program" ;;
    *) run="$SECTORSCOPE_BIN/$program" ;;
  esac
  call="${call:0:120}"
  "$run" "${@:4}" >"$worker.out" 2>"$worker.err" </dev/null || status=$?
  output="$(<"$worker.out")"
  errors="$(<"$worker.err")"
  [[ "$status" -eq "$wanted" ]] || echo "$call: exit $status, not $wanted: $errors"
  if [[ "$wanted" -eq 0 ]]; then
    [[ -z "$errors" ]] || echo "$call: stderr has '$errors'"
    errors="$output"
  else
    phrases+=("$program: ")
    [[ "$program" == *.sh ]] || phrases+=("$program: error: ")
    [[ "$program" == *.sh || "$wanted" -ne 2 ]] || phrases+=(legal)
    [[ "$wanted" -ne 2 || -z "$output" ]] || echo "$call: stdout has '${output:0:200}'"
    [[ -n "$errors" && "$errors" != *$'\n'* ]] || echo "$call: not one line on stderr: $errors"
    [[ "$errors" != *[[:cntrl:]]* ]] || echo "$call: a control character in: $errors"
  fi
  for phrase in "${phrases[@]}"; do
    [[ "$errors" == *"$phrase"* ]] || echo "$call: no '$phrase' in: ${errors:0:400}"
  done
}

# work WORKER WORKERS: its share of the table; what is wrong, and the number of cases.
work() {
  local worker="$BATS_TEST_TMPDIR/worker-$1" line=0 cases=0 status phrases command words program
  trap - DEBUG # bats looks at each command: two thirds of the time
  while IFS=$'\t' read -r status phrases command; do
    [[ -n "$status" && "$status" != \#* ]] || continue
    line=$((line + 1))
    [[ $((line % $2)) -eq $1 ]] || continue
    eval "words=($command)" # the table is ours, and its words are bash's
    for program in ${words[0]//,/ }; do
      check "$status" "$phrases" "$program" "${words[@]:1}"
      cases=$((cases + 1))
    done
  done <"$BATS_TEST_DIRNAME/hostile.tsv" >"$worker.wrong"
  echo "$cases" >"$worker.cases"
}

@test "the table: exit status, message, and nothing else" {
  local before cases workers part
  workers="$(nproc 2>/dev/null || echo 1)"
  before="$(find . | sort) $(cat ./*.csv | cksum)"
  for ((part = 0; part < workers; ++part)); do work "$part" "$workers" 3>&- & done
  wait
  cat "$BATS_TEST_TMPDIR"/worker-*.wrong
  cases="$(cat "$BATS_TEST_TMPDIR"/worker-*.cases | awk '{ n += $1 } END { print n }')"
  echo "$cases cases"
  [[ "$cases" -ge 150 ]]
  [[ -z "$(cat "$BATS_TEST_TMPDIR"/worker-*.wrong)" ]]
  same "only ./-x is new" ./-x "$(find . -name '-x')"
  rm ./-x
  same "the folder" "$before" "$(find . | sort) $(cat ./*.csv | cksum)"
}

@test "a digit of another script is none for the scripts either, whatever the locale says" {
  local worker="$BATS_TEST_TMPDIR/worker" cases=0 status phrases command words
  localedef -i en_US -f UTF-8 "$BATS_TEST_TMPDIR/en_US.UTF-8" 2>/dev/null || skip "localedef cannot make en_US.UTF-8"
  export LOCPATH="$BATS_TEST_TMPDIR" LC_ALL=en_US.UTF-8
  bash -c '[[ ٣ =~ ^[0-9]$ ]]' || skip "bash takes no digit of another script here"
  while IFS=$'\t' read -r status phrases command; do
    eval "words=($command)"
    check "$status" "$phrases" "${words[@]}"
    cases=$((cases + 1))
  done < <(LC_ALL=C grep -a $'\t[a-z]*[.]sh .*[\x80-\xff]' "$BATS_TEST_DIRNAME/hostile.tsv") >"$worker.wrong"
  echo "$cases cases"
  cat "$worker.wrong"
  [[ "$cases" -ge 4 && ! -s "$worker.wrong" ]]
}

@test "no option comes from the environment or from a settings file" {
  local experiment plain set name
  export HOME="$scratch"
  for experiment in $(experiments); do
    plain="$(cd / && on "$experiment" --predict --csv -)"
    for name in config.ini config.toml settings.ini "$experiment.ini" "$experiment.toml" "$experiment.conf" \
      ".$experiment" ".${experiment}rc" .sectorscope sectorscope.ini; do
      printf 'n=5\nrows=5\niterations=3\ndevice=9\n[%s]\nn=5\nrows=5\n' "$experiment" >"$name"
    done
    set="$(N=5 n=5 ROWS=5 ITERATIONS=3 SEED=9 DEVICE=9 CSV=new.csv SECTORSCOPE_N=5 SECTORSCOPE_ROWS=5 OFFSET_N=5 \
      TRANSPOSE_ROWS=5 on "$experiment" --predict --csv -)"
    same "$experiment" "${plain%,*}" "${set%,*}"
  done
  [[ ! -e new.csv ]]
}

@test "a folder and a file without permission: exit 3, their names" {
  [[ "$(id -u)" -ne 0 ]] || skip "root may write anywhere; the table has a file that even root may not"
  chmod a-w folder rows.csv
  run -3 --separate-stderr on offset --predict -q --csv folder/new.csv
  [[ "$stderr" == *"'folder/new.csv': Permission denied" ]]
  run -3 --separate-stderr on offset --predict -q --samples rows.csv
  [[ "$stderr" == *"'rows.csv': Permission denied" ]]
  chmod u+w folder
}

@test "a home that is missing, or cannot be written, is nothing to a prediction" {
  local home
  for home in /proc /dev/null "$scratch/missing" ''; do
    HOME="$home" run -0 --separate-stderr on offset -n 32 --predict -q
    [[ "$output" == "Verification: not run" && -z "$stderr" ]]
  done
}
