#!/usr/bin/env bats
# Every wrong request: exit 2, one line that names the option, the value and what is legal; no row anywhere.

# shellcheck source=common.bash
bats_require_minimum_version 1.5.0
load common

# refused WORDS EXPERIMENT ARGUMENT...: WORDS are separated by '|'; the experiment may be a list 'a,b'.
refused() {
  local experiment words word status output file="$BATS_TEST_TMPDIR/rows.csv" errors="$BATS_TEST_TMPDIR/errors"
  IFS='|' read -r -a words <<<"$1"
  for experiment in ${2//,/ }; do
    local call="$experiment ${*:3}"
    rm -f "$file"
    status=0
    output="$(on "$experiment" --csv "$file" "${@:3}" 2>"$errors")" || status=$?
    [[ "$status" -eq 2 ]] || failed "$call: exit $status, not 2"
    [[ -z "$output" ]] || failed "$call: stdout has '$output'"
    [[ "$(wc -l <"$errors")" -eq 1 ]] || failed "$call: not one line on stderr: $(cat "$errors")"
    for word in "${words[@]}" "$experiment: error: " legal; do
      grep -qF -e "$word" "$errors" || failed "$call: no '$word' in: $(cat "$errors")"
    done
    [[ ! -e "$file" || "$(wc -l <"$file")" -le 1 ]] || failed "$call: it wrote a row"
  done
}

linear=offset,stride,aos_soa
sized=offset,stride,transpose
all=offset,stride,aos_soa,transpose

@test "sizes" {
  local text
  refused "-n|'0'" "$linear" -n 0
  refused "-n" "$linear" -n
  for text in nx -1 1e6 010 1.5 +5 0x10 1k ' 5' 2^63 ''; do refused "-n|'$text'" "$linear" -n "$text"; done
  refused "'nx'" "$linear" nx
  refused "'0'" "$linear" 0
  for text in --rows --cols; do
    refused "$text|'0'" transpose "$text" 0
    refused "$text|'-1'" transpose "$text" -1
    refused "$text|'1e6'" transpose "$text" 1e6
  done
  passed
}

@test "schedule" {
  refused "--iterations|'0'|1..10000" "$all" -i 0
  refused "--iterations|'10001'|1..10000" "$all" -i 10001
  refused "--runs|'0'|1..1000" "$all" -r 0
  refused "--runs|'1001'|1..1000" "$all" -r 1001
  refused "--warmup|'10001'|0..10000" "$all" -w 10001
  refused "--l2|'warm'|hot, cold" "$all" --l2 warm
  refused "--order|'random'|listed, reversed, shuffled" "$all" --order random
  passed
}

@test "launch shape and element width" {
  refused "--block-size|'100'|32" "$linear" -b 100
  refused "--block-size|'2048'|1024" "$linear" -b 2048
  refused "--items-per-thread|'3'|1, 2, 4, 8" "$linear" -u 3
  refused "--element-bytes|'3'|1, 2, 4, 8, 16" "$sized" -e 3
  refused "--element-bytes|'32'" "$sized" -e 32
  passed
}

@test "device" {
  refused "--device|'x'" "$all" --device x
  refused "--device|'-1'" "$all" --device -1
  passed
}

@test "a device index that this machine lacks" {
  on offset -n 1 -i 1 -r 1 -q >/dev/null 2>&1 || skip "there is no GPU: any device gets exit 77"
  refused "--device|1000" "$all" --device 1000
  passed
}

@test "unknown options, and options that another experiment has" {
  refused "--ofsets" "$all" --ofsets 3
  refused "-n" transpose -n 5
  refused "-b" transpose -b 256
  refused "-u" transpose -u 4
  refused "-e" aos_soa -e 4
  refused "--rows" "$linear" --rows 5
  refused "--strides" offset,aos_soa,transpose --strides 3
  passed
}

@test "a positional form with its twin, and one too many" {
  refused "N|-n|100|200" "$linear" 100 -n 200
  refused "ITERATIONS|--iterations" "$linear" 100 5 -i 6
  refused "ROWS|--rows" transpose 100 --rows 100
  refused "COLS|--cols" transpose 100 100 --cols 100
  refused "ITERATIONS|--iterations" transpose 100 100 5 -i 6
  refused "7" "$linear" 100 5 7
  refused "7" transpose 100 100 5 7
  passed
}

@test "lists" {
  refused "--strides|'abc'" stride --strides abc
  refused "--strides|'3'|3,3" stride -n 1000 --strides 3,3
  refused "--offsets|7:0" offset --offsets 7:0
  refused "--offsets|1,,3" offset --offsets 1,,3
  refused "--offsets|0:200000|100000" offset --offsets 0:200000
  refused "--offsets|0:5:0" offset --offsets 0:5:0
  refused "--access|'up'|read, write" offset --access up
  refused "--access|'read'" offset --access read,read
  passed
}

@test "a stride that is no permutation: the common divisor and the nearest legal ones" {
  refused "--strides|'8'|1048576| 8 |7 or 9" stride -n 1048576 --strides 8
  refused "--strides|'0'" stride -n 1048576 --strides 0
  refused "--strides|'6'| 3 |5 or 7" stride -n 999 --strides 6
  refused "--access|gather" stride -n 1024 --mapping disjoint --access scatter
  passed
}

@test "layouts" {
  refused "--struct-bytes|'20'|16" aos_soa --struct-bytes 20
  refused "--fields|'5'|4" aos_soa --fields 5
  refused "--fields|'7'|6" aos_soa --struct-bytes 24 --fields 7
  refused "--fields|'0'" aos_soa --fields 0
  refused "--lanes|'3'" aos_soa --lanes 3
  refused "--lanes|'128'|64" aos_soa --lanes 128
  refused "--layouts|'xyz'" aos_soa --layouts xyz
  refused "--op|'jump'" aos_soa --op jump
  refused "--fields" aos_soa --op step --fields 2
  refused "131072" aos_soa --op step -n 1000 -r 1000 -i 1000 # sums of more launches would not be exact
  passed
}

@test "matrices" {
  refused "--ld-in|'9'|10" transpose --rows 20 --cols 10 --ld-in 9
  refused "--ld-out|'19'|20" transpose --rows 20 --cols 10 --ld-out 19 --variants naive
  refused "--ld-out|'9'|10" transpose --rows 20 --cols 10 --ld-out 9 --variants copy
  refused "--variants|'best'|swizzled" transpose --variants best
  passed
}

@test "what no machine could serve, products that would wrap included" {
  refused "2^63" offset -n 2^62
  refused "2^63" offset -n 2^61 -e 16
  refused "2^63" stride -n 2^40 --strides 2^40 --mapping disjoint
  refused "2^63" transpose --rows 2^40 --cols 2^40
  refused "--rows" transpose --rows 2^32 --cols 2^32
  refused "legal" aos_soa -n 2^62
  passed
}

@test "outputs and modes that exclude each other" {
  local experiment pair message
  for experiment in $(experiments); do
    for pair in "--predict --plan" "--plan --audit" "--audit --predict" "--csv - --samples -" "--plan --csv -"; do
      local status=0
      # shellcheck disable=SC2086
      message="$(on "$experiment" $pair 2>&1 >/dev/null)" || status=$?
      [[ "$status" -eq 2 && "$message" == *"${pair%% *}"* ]] || failed "$experiment $pair: exit $status, '$message'"
    done
  done
  passed
}

@test "an unknown option is named even where its value could not be a size" {
  run -2 --separate-stderr on offset --predict --ofset 0:7
  [[ "$stderr" == *"--ofset"* ]]
}

@test "a flag takes no value, and nothing is taken twice" {
  local call
  for call in "--predict=false" "--version=false" "-q -q" "--predict --predict" "-i 5 -i 6" "-n 1 -n 1"; do
    # shellcheck disable=SC2086
    run -2 --separate-stderr on offset $call
    [[ -z "$output" && -n "$stderr" ]]
  done
}

@test "the limit on configurations holds for their product" {
  run -2 --separate-stderr on offset -n 32 --offsets 0:99999 --access read,write --predict
  [[ "$stderr" == *"200000 configurations"*"100000"* ]]
}

@test "rows and samples in one file are refused" {
  run -2 --separate-stderr on offset --predict --csv same.csv --samples same.csv
  [[ "$stderr" == *"--samples"* && ! -e same.csv ]]
}
