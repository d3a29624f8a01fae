#!/usr/bin/env bats
# What an H200 counted, row by row, equals what this build predicts for the same command line: a change of an address
# function or of the model that the hardware did not agree to shows here, without a GPU.

# shellcheck source=common.bash
load common

labels=variant,value,n,struct_bytes,lanes,rows,cols,ld_in,ld_out,element_bytes,items_per_thread,block_size,grid_size
h200_l2_bytes=62914560 # what the automatic sizes were planned for

# Names of files in the folder of counters, and the command lines that made them (results/README.md).
calls() {
  local e
  echo "offset-default offset"
  echo "stride-default stride"
  echo "aos-default aos_soa --fields 1:4 --conversion"
  echo "aos_soa-default aos_soa"
  echo "transpose-default transpose"
  echo "offset-l2-hot offset -n 1048576 --offsets 0 --l2 hot"
  echo "offset-l2-cold offset -n 1048576 --offsets 0 --l2 cold"
  echo "offset-e8-u8 offset -n 1003 -e 8 --offsets 7 -u 8 --access read,write"
  echo "stride-e16-u8 stride -n 1003 -e 16 --strides 3 -u 8"
  echo "transpose-e16-2048 transpose --rows 2048 --cols 8192 -e 16 --variants vectorized"
  for e in 1 2 4 8 16; do
    echo "offset-e$e-u4 offset -n 1003 -e $e --offsets 0,1,7,31 --access read,write"
    echo "offset-e$e-u1 offset -n 65537 -e $e -u 1 --offsets 0,1,5 --access read,write"
    echo "stride-e$e-u4 stride -n 1003 -e $e --strides 1,3,5,9,65 --access gather,scatter,both"
    echo "stride-e$e-u1 stride -n 65537 -e $e -u 1 --strides 1,3,9,33 --access gather,scatter,both"
    echo "disjoint-e$e-u4 stride -n 1003 -e $e --strides 0,1,2,3,8,32 --mapping disjoint"
    echo "transpose-e$e-289 transpose --rows 289 --cols 289 -e $e"
    echo "transpose-e$e-1000 transpose --rows 1000 --cols 1000 --ld-in 1024 --ld-out 1008 -e $e"
    echo "transpose-e$e-99 transpose --rows 99 --cols 102 --ld-in 104 --ld-out 103 -e $e"
  done
  echo "aos16-u4 aos_soa -n 1003 --fields 1:4 --lanes 1,2,4,8,16,32,64 --conversion"
  echo "aos16-u1 aos_soa -n 65537 -u 1 --fields 1:4 --lanes 1,8,64 --conversion"
  echo "aos24-u4 aos_soa -n 1003 --struct-bytes 24 --fields 1:6 --lanes 1,2,4,8,16,32 --conversion"
  echo "aos24-u1 aos_soa -n 65537 -u 1 --struct-bytes 24 --fields 1:6 --lanes 1,64 --conversion"
  echo "step-u4 aos_soa -n 1003 --op step --lanes 1,4,32,64"
  echo "step-u1 aos_soa -n 65537 -u 1 --op step --lanes 1,32"
}

# shellcheck disable=SC2016 # the dollars are fields of Miller, the quotes close around ours
# table PREFIX: labels and the six counts of the rows on stdin, a line each. Shared wavefronts count where predicted.
table() {
  MLRRC=__none__ mlr --icsv --ocsv --headerless-csv-output put -q '
    map row = {};
    for (name in splitax("'"$labels"'", ",")) { row[name] = $[name] }
    for (name in ["load_requests", "load_sectors", "store_requests", "store_sectors"]) { row[name] = $["'"$1"'" . name] }
    if (is_not_empty($shared_load_wavefronts)) {
      for (name in ["shared_load_wavefronts", "shared_store_wavefronts"]) { row[name] = $["'"$1"'" . name] }
    }
    emit1 {"row": format_values_of(row)};
    func format_values_of(map m): str {
      str text = "";
      for (k, v in m) { text .= k . "=" . v . " " }
      return text
    }'
}

@test "every row that was counted on an H200 is predicted the same today" {
  need_mlr
  local counters="$BATS_TEST_DIRNAME/../../results/nvidia-h200/counters" name words rows=0 files=0
  local predicted="$BATS_TEST_TMPDIR/predicted" counted="$BATS_TEST_TMPDIR/counted" failed=()
  while read -r name words; do
    files=$((files + 1))
    # shellcheck disable=SC2086 # words of a command line
    on $words --l2-bytes "$h200_l2_bytes" --predict --csv - | table "" >"$predicted"
    table counted_ <"$counters/$name.csv" >"$counted"
    rows=$((rows + $(wc -l <"$counted")))
    cmp -s "$predicted" "$counted" || failed+=("$name: $(diff "$predicted" "$counted" | head -n 4)")
  done < <(calls)
  printf '%s\n' "${failed[@]}"
  [[ ${#failed[@]} -eq 0 ]]
  [[ "$files" -eq "$(find "$counters" -name '*.csv' | wc -l)" ]]
  [[ "$rows" -eq 542 ]]
}
