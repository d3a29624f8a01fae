#!/usr/bin/env bats
# --help and --version: what they promise is what a run does.

# shellcheck source=common.bash
load common

# default_of HELP OPTION: what CLI11 prints as OPTION's default: as in SIZE=1 before its version 2.3, SIZE [1] since.
default_of() { sed -nE "s/^ +(-[a-z],)?$2 [A-Z]+(=| \[)([^] ]+).*/\3/p" <<<"$1"; }

@test "--help exits 0, says what the experiment asks, and leaves stderr empty" {
  local experiment help
  for experiment in $(experiments); do
    help="$(on "$experiment" --help 2>"$BATS_TEST_TMPDIR/errors")"
    [[ "$help" == *"Usage: $experiment"* && "$help" == *"?"* ]]
    [[ ! -s "$BATS_TEST_TMPDIR/errors" ]]
    same "-h" "$help" "$(on "$experiment" -h)"
  done
}

@test "--help lists the options of the contract" {
  local experiment help option
  for experiment in $(experiments); do
    help="$(on "$experiment" --help)"
    for option in --iterations --runs --warmup --device --l2 --order --seed --csv --samples --predict --plan --audit \
      --warp --l2-bytes --quiet --version --help ITERATIONS; do
      grep -qE -e "^ +(-[a-z],)?$option\b" <<<"$help" || failed "$experiment: $option"
    done
  done
  has() {
    help="$(on "$1" --help)"
    for option in "${@:2}"; do grep -qE -e "^ +(-[a-z],)?$option\b" <<<"$help" || failed "$1: $option"; done
  }
  has offset --n --block-size --items-per-thread --element-bytes --offsets --access N
  has stride --n --block-size --items-per-thread --element-bytes --strides --access --mapping N
  has aos_soa --n --block-size --items-per-thread --layouts --struct-bytes --fields --lanes --op --conversion N
  has transpose --element-bytes --rows --cols --ld-in --ld-out --variants ROWS COLS
  passed
}

@test "every default in --help is the value of a row without options" {
  need_mlr
  local experiment help rows pair option name promised
  for experiment in $(experiments); do
    help="$(on "$experiment" --help)"
    rows="$(on "$experiment" --predict --csv -)"
    for pair in --iterations:iterations --runs:runs --warmup:warmup --l2:l2 --order:order \
      --block-size:block_size --items-per-thread:items_per_thread --element-bytes:element_bytes; do
      option="${pair%:*}"
      name="${pair#*:}"
      [[ "$experiment:$option" != transpose:--block-size && "$experiment:$option" != transpose:--items-per-thread ]] ||
        continue
      [[ "$experiment:$option" != aos_soa:--element-bytes ]] || continue
      promised="$(default_of "$help" "$option")"
      [[ -n "$promised" ]] || failed "$experiment: no default of $option"
      same "$experiment $option" "$promised" "$(columns "$name" <<<"$rows" | sort -u)" || failed "$experiment $option"
    done
  done
  passed
}

@test "the default axes in --help are those of a run without options" {
  need_mlr
  # axis EXPERIMENT OPTION COLUMN EXPECTED
  axis() {
    local promised explicit plain
    promised="$(default_of "$(on "$1" --help)" "$2")"
    [[ -n "$promised" ]] || failed "$1: no default of $2"
    plain="$(on "$1" --predict --csv - | column "$3")"
    explicit="$(on "$1" "$2" "$promised" --predict --csv - | column "$3")"
    [[ "$plain" == "$explicit" ]] || failed "$1 $2 $promised: '$explicit', without it '$plain'"
    [[ "$plain" == "$4" ]] || failed "$1: '$plain', not '$4'"
  }
  axis offset --offsets value "0 1 2 3 4 5 6 7"
  axis offset --access variant "$(printf 'offset_read %.0s' {1..8} | sed 's/ $//')"
  axis stride --strides value "1 3 5 9 17 33 65"
  axis stride --mapping variant "$(printf 'stride_gather %.0s' {1..7} | sed 's/ $//')"
  axis aos_soa --layouts variant "aos_transform soa_transform aosoa_transform"
  axis aos_soa --struct-bytes struct_bytes "16 16 16"
  axis aos_soa --fields value "1 1 1"
  axis aos_soa --lanes lanes "  32"
  axis aos_soa --op variant "aos_transform soa_transform aosoa_transform"
  axis transpose --variants variant "transpose_copy transpose_copy_column transpose_naive transpose_naive_write \
transpose_tiled transpose_padded transpose_swizzled transpose_vectorized"
  passed
}

@test "the seed stands in a row only when it ordered it" {
  need_mlr
  same "listed" "" "$(on offset -n 1000 --offsets 0 --predict --csv - | column seed)"
  same "shuffled" "1" "$(on offset -n 1000 --offsets 0 --order shuffled --predict --csv - | column seed)"
}

@test "--version is the version of the rows" {
  need_mlr
  local experiment version
  version="$(on offset -n 1000 --offsets 0 --predict --csv - | column version)"
  [[ "$version" =~ ^[0-9]+\.[0-9]+\.[0-9]+$ ]]
  for experiment in $(experiments); do
    same "$experiment" "$experiment (sectorscope $version)" "$(on "$experiment" --version)"
  done
}
