#!/usr/bin/env bats
# --predict: the address layer, against values that were worked out by hand and counted by the hardware.

# shellcheck source=common.bash
load common

predicted() { on "$@" --predict --csv -; }

# against_table FILE EXTRA...: every row of FILE, all of them reported.
against_table() {
  need_mlr
  local table="$BATS_TEST_DIRNAME/$1" names command expected counted words rows=0
  shift
  names="$(head -1 "$table")"
  names="${names#command,}"
  while IFS=, read -r command expected; do
    read -r -a words <<<"$command"
    counted="$(predicted "${words[@]}" "$@" 2>&1 | columns "$names" 2>&1)" || counted="failure: $counted"
    [[ "$counted" == "$expected" ]] || failed "$command $*: $names is $counted, not $expected"
    rows=$((rows + 1))
  done < <(tail -n +2 "$table" | grep "^${only:-}")
  [[ "$rows" -ge "${at_least:-1}" ]] || failed "only $rows rows in $table"
  passed
}

@test "requests and sectors of offset" { only=offset at_least=12 against_table predicted_counters.csv; }
@test "requests and sectors of stride" { only=stride at_least=15 against_table predicted_counters.csv; }
@test "requests and sectors of transpose" { only=transpose at_least=20 against_table predicted_counters.csv; }
@test "requests and sectors of aos_soa" { only=aos_soa at_least=6 against_table predicted_counters.csv; }
@test "sectors per request of the layouts" { only='' at_least=14 against_table predicted_sectors_per_request.csv; }

@test "block size and items per thread change neither requests nor sectors" {
  only=offset against_table predicted_counters.csv -u 1 -b 32
  only=stride against_table predicted_counters.csv -u 8 -b 1024
  only=aos_soa against_table predicted_counters.csv -u 1 -b 512
}

# is NAME EXPECTED EXPERIMENT ARGUMENT...
is() {
  local value
  value="$(predicted "${@:3}" | column "$1")" || value="failure"
  [[ "$value" == "$2" ]] || failed "${*:3}: $1 is '$value', not '$2'"
}

@test "useful bytes: each element read once and written once" {
  need_mlr
  is useful_bytes 8589934592 offset -n 1073741824 --offsets 0
  is useful_bytes 8388608 offset -n 1048576 --offsets 3
  is useful_bytes 2097152 stride -n 65536 --strides 3 -e 16
  is useful_bytes 17179906248 transpose --rows 46341 --cols 46341 --variants naive
  is useful_bytes 8000 aos_soa -n 1000 --layouts aosoa --lanes 32
  is useful_bytes 20000 aos_soa -n 1000 --layouts aos --fields 4
  is useful_bytes 36000 aos_soa -n 1000 --layouts soa --op step
  passed
}

@test "efficiency is needed bytes over bytes moved" {
  need_mlr
  is load_efficiency_pct "100 80 80 80 80 80 80 80" offset -n 1048576
  is store_efficiency_pct 80 offset -n 1048576 --offsets 1 --access write
  is load_efficiency_pct "100 12.5 12.5" stride -n 1048576 --strides 1,9,65
  local fields
  for fields in 1 2 3 4; do
    is load_efficiency_pct $((25 * fields)) aos_soa -n 65536 --layouts aos --struct-bytes 16 --fields "$fields"
  done
  is store_efficiency_pct 12.5 transpose --rows 1024 --cols 1024 --variants naive
  passed
}

@test "gap between lanes, formula and grid" {
  need_mlr
  is lane_byte_gap "4 260" stride -n 1048576 --strides 1,65
  is lane_byte_gap 8 offset -n 1048576 --offsets 3 -e 8
  is access "out[i] = in[i + 3]" offset -n 1000 --offsets 3
  is access "out[i + 3] = in[i]" offset -n 1000 --offsets 3 --access write
  is access "out[i] = in[(i*9) mod 1000]" stride -n 1000 --strides 9
  is grid_size 10 offset -n 10000 --offsets 0
  is grid_size 40 offset -n 10000 --offsets 0 -u 1
  is grid_size 1 offset -n 1 --offsets 31
  passed
}

@test "shared memory: 32 wavefronts for an unpadded column, 1 with padding or a swizzle" {
  need_mlr
  local both
  both="$(predicted transpose --rows 1024 --cols 1024 --variants tiled |
    columns shared_load_wavefronts,shared_store_wavefronts | tr , '\n' | sort -n | paste -sd ' ')"
  same "tiled" "32768 1048576" "$both"
  is shared_load_wavefronts "32768 32768" transpose --rows 1024 --cols 1024 --variants padded,swizzled
  is shared_store_wavefronts "32768 32768" transpose --rows 1024 --cols 1024 --variants padded,swizzled
  is shared_load_wavefronts "" transpose --rows 1024 --cols 1024 --variants naive
  passed
}

@test "beyond 2^31 and 2^32 elements and bytes" {
  need_mlr
  is load_sectors 402653184 stride -n 1073741824 --strides 3
  is footprint_bytes 36507221888 stride -n 268435456 --strides 33 --mapping disjoint
  is load_requests 134217729 offset -n 4294967311 --offsets 1 -e 1
  is load_sectors 268435457 offset -n 4294967311 --offsets 1 -e 1
  passed
}

@test "the regime follows --l2-bytes" {
  need_mlr
  is regime l2 offset -n 1M --offsets 0 --l2-bytes 8M
  is regime mixed offset -n 1M --offsets 0 --l2-bytes 8388607
  is regime mixed offset -n 1M --offsets 0 --l2-bytes 2097153
  is regime dram offset -n 1M --offsets 0 --l2-bytes 2M
  passed
}

@test "the automatic size: the articles' size, or four times the L2" {
  need_mlr
  is n 16777216 offset --offsets 0 --l2-bytes 1M
  is n 4194304 stride --strides 1 --l2-bytes 1M
  is n 8388608 aos_soa --layouts aos --l2-bytes 1M
  is n 1048576 transpose --variants copy --l2-bytes 1M
  is n 33554432 offset --offsets 0 --l2-bytes 60M
  is n 33554432 stride --strides 1 --l2-bytes 60M
  is rows 8192 transpose --variants copy --l2-bytes 60M
  is cols 8192 transpose --variants copy --l2-bytes 60M
  # Few elements far apart fill an L2 with a line each, however large the array around them is.
  is n 33554432 stride --mapping disjoint --strides 64 --l2-bytes 1G
  is regime dram stride --mapping disjoint --strides 64 --l2-bytes 1G
  passed
}

@test "every predicted row says so and leaves what was not measured empty" {
  need_mlr
  local experiment names="median_ms,mean_ms,min_ms,max_ms,stddev_ms,useful_gbps,ceiling_gbps,pct_of_ceiling,peak_gbps"
  names+=",pct_of_peak,mismatches,max_abs_error,flags,gpu,uuid,sm_clock_mhz,memory_clock_mhz,timestamp"
  for experiment in $(experiments); do
    # shellcheck disable=SC2046
    predicted "$experiment" $(small "$experiment") >"$BATS_TEST_TMPDIR/rows.csv" || failed "$experiment: exit $?"
    [[ "$(columns "$names" <"$BATS_TEST_TMPDIR/rows.csv" | sort -u)" =~ ^,+$ ]] || failed "$experiment: a measured cell"
    same "$experiment status" predicted "$(columns status <"$BATS_TEST_TMPDIR/rows.csv" | sort -u)" ||
      failed "$experiment: status"
    [[ "$(columns experiment <"$BATS_TEST_TMPDIR/rows.csv" | sort -u)" == "$experiment" ]] || failed "$experiment: name"
  done
  passed
}

@test "rows are the product of the axes, the last fastest" {
  need_mlr
  same "offset" "offset_read:0 offset_read:1 offset_write:0 offset_write:1" \
    "$(predicted offset -n 1000 --offsets 0,1 --access read,write | columns variant,value | tr , : | paste -sd ' ')"
  same "aos_soa" "aos_transform: soa_transform: aosoa_transform:8 aosoa_transform:32" \
    "$(predicted aos_soa -n 1000 --lanes 8,32 | columns variant,lanes | tr , : | paste -sd ' ')"
  same "transpose" "transpose_copy transpose_copy_column transpose_naive transpose_naive_write transpose_tiled \
transpose_padded transpose_swizzled transpose_vectorized" \
    "$(predicted transpose --rows 64 --cols 64 | column variant)"
}
