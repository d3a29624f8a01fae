#!/usr/bin/env bats
# profile.sh, with stand-ins for ncu and for the experiment: no GPU is needed. Miller is the real one.
# shellcheck disable=SC1010,SC2016,SC2154 # "then" and "$" inside a Miller command are Miller's; bats assigns stderr

# The columns of a row; a test below holds them against the executables.
columns=experiment,variant,parameter,value,n,rows,cols,ld_in,ld_out,struct_bytes,lanes,element_bytes,items_per_thread
columns+=,block_size,l2,order,seed,warmup,iterations,runs,launch_skip,grid_size,access,lane_byte_gap
columns+=,load_requests,load_sectors,store_requests,store_sectors,load_sectors_per_request,store_sectors_per_request
columns+=,load_efficiency_pct,store_efficiency_pct,shared_load_wavefronts,shared_store_wavefronts,useful_bytes
columns+=,footprint_bytes,median_ms,mean_ms,min_ms,max_ms,stddev_ms,useful_gbps,ceiling_gbps,pct_of_ceiling,peak_gbps
columns+=,pct_of_peak,regime,mismatches,max_abs_error,status,flags,gpu,uuid,compute_capability,driver,runtime
columns+=,sm_clock_mhz,memory_clock_mhz,build_type,version,timestamp

counted=counted_load_requests,counted_load_sectors,counted_store_requests,counted_store_sectors
counted+=,counted_shared_load_wavefronts,counted_shared_store_wavefronts,counted_l2_read_sectors,counted_l2_write_sectors
counted+=,counted_dram_read_bytes,counted_dram_write_bytes,counted_l1_hit_pct,counted_l2_hit_pct,counted_local_sectors
counted+=,counted_duration_ms,counters_match

# A checkout in a folder with a space in its name, and a PATH that holds the stand-ins and a few plain tools only.
setup() {
  command -v mlr >/dev/null || skip "mlr is not installed"
  checkout="$BATS_TEST_TMPDIR/a checkout"
  tools="$BATS_TEST_TMPDIR/the tools"
  calls="$BATS_TEST_TMPDIR/calls"
  rows="$BATS_TEST_TMPDIR/rows"
  TMPDIR="$BATS_TEST_TMPDIR/temporary files"
  mkdir -p "$checkout/scripts" "$checkout/build/bin" "$tools" "$TMPDIR"
  : >"$calls"
  local script tool
  for script in common.sh profile.sh; do
    # The installer's folder is looked at whatever PATH says.
    sed 's#/usr/local/cuda#/no/such/folder#' "$BATS_TEST_DIRNAME/../../scripts/$script" >"$checkout/scripts/$script"
    chmod +x "$checkout/scripts/$script"
  done
  for tool in awk bash cat dirname env grep mkdir mktemp mlr mv realpath rm sed seq; do
    ln -s "$(command -v "$tool")" "$tools/$tool"
  done
  real_bin="${SECTORSCOPE_BIN:-}"
  unset CUDA_PATH CUDA_HOME SECTORSCOPE_BIN
  export calls rows columns tools TMPDIR

  # What both stand-ins know: variant, value, the four global counts, and the two of shared memory (- for none).
  printf '%s\n' \
    'offset_read 0 32768 131072 32768 131072 - -' \
    'offset_read 1 32768 163840 32768 131072 - -' \
    'offset_tile 2 1048576 4194304 1048576 4194304 1048576 33554432' >"$rows"

  put_script "$checkout/build/bin/offset" "$(stand_in_experiment)"
  put_script "$tools/ncu" "$(stand_in_ncu)"
}

# put_script PATH BODY
put_script() {
  printf '#!%s\n%s\n' "$(command -v bash)" "$2" >"$1"
  chmod +x "$1"
}

# An experiment: one row per line of $rows, with the launch indices of its -w, -r and -i.
stand_in_experiment() {
  cat <<'END'
set -euo pipefail
profiled="${NV_COMPUTE_PROFILER_PERFWORKS_DIR:-}"
echo "${profiled:+profiled }${0##*/} $*" >>"$calls"
[ -z "${experiment_says:-}" ] || echo "$experiment_says" >&2
[ -z "${experiment_status:-}" ] || exit "$experiment_status"
[ -z "$profiled" ] || [ -z "${profiled_status:-}" ] || exit "$profiled_status"
w=10 r=7 i=100 csv='' l2=hot
while [ $# -gt 0 ]; do
  case "$1" in
    -w) w="$2" && shift ;;
    -r) r="$2" && shift ;;
    -i) i="$2" && shift ;;
    --l2) l2="$2" && shift ;;
    --csv) csv="$2" && shift ;;
  esac
  shift
done
echo "Verification: PASSED"
[ -n "$csv" ] || exit 0
[ -s "$csv" ] || echo "$columns" >>"$csv"
skip="$w" ms=0.5 flags=spread
[ -z "$profiled" ] || ms=9.5 flags='spread;profiled'
while read -r variant value lr ls sr ss shl shs; do
  echo "offset,$variant,offset,$value,1048576,,,,,,,4,4,256,$l2,listed,,$w,$i,$r,$skip,1024,\"f(i, k)\",4,$lr,$ls,$sr,$ss,4,4,100,100,${shl#-},${shs#-},8388608,8388608,$ms,$ms,$ms,$ms,,1,1,1,,,dram,0,0,ok,$flags,\"NVIDIA \"\"X\"\", 1\",GPU-1,9.0,1,1,,,Release,0.1.0,2026-01-01T00:00:00Z" >>"$csv"
  skip=$((skip + w + r * i))
done < <(if [ -n "$profiled" ] && [ -s "$rows.profiled" ]; then cat "$rows.profiled"; else cat "$rows"; fi)
END
}

# ncu: runs the experiment, then prints one launch a line, warm-up and timed, with digit groups. $ncu_edit, a sed script,
# changes what it prints; $no_metric is one that it does not know.
stand_in_ncu() {
  cat <<'END'
set -euo pipefail
echo "ncu LC_ALL=${LC_ALL:-} TMPDIR=$TMPDIR $*" >>"$calls"
log='' metrics='' export='' skip=''
while [ $# -gt 0 ]; do
  case "$1" in
    --csv | --force-overwrite) shift ;;
    --log-file) log="$2" && shift 2 ;;
    --metrics) metrics="$2" && shift 2 ;;
    --export) export="$2" && shift 2 ;;
    --launch-skip) skip="$2" && shift 2 ;;
    --*) shift 2 ;;
    *) break ;;
  esac
done
[ -x "$1" ] || exit 9
exec 3>"$log"
echo "==PROF== Connected to process 4711 ($1)" >&3
if [ -n "${ncu_error:-}" ]; then
  echo "$ncu_error" >&3
  echo "==WARNING== No kernels were profiled." >&3
  exit "${ncu_status:-1}"
fi
for metric in ${no_metric:-}; do
  case ",$metrics," in
    *",$metric,"*)
      echo "==ERROR== Failed to find metric ${quoted_metric:-$metric}" >&3
      echo '==ERROR== The application returned an error code (9).' >&3
      echo "==WARNING== No kernels were profiled." >&3
      exit 1
      ;;
  esac
done
status=0
NV_COMPUTE_PROFILER_PERFWORKS_DIR=/tmp "$@" || status=$?
if [ "$status" -ne 0 ]; then
  echo "==ERROR== The application returned an error code ($status)." >&3
  exit 1
fi
if [ -n "$export" ]; then
  echo "report of launch $skip" >"$export.ncu-rep"
  exit 0
fi
IFS=, read -r -a names <<<"$metrics"
{
  echo '==PROF== Profiling "offset_read" - 0: 0%....50%....100% - 9 passes'
  echo '==PROF== Disconnected from process 4711'
  printf '"ID","Process ID","Process Name","Host Name","Kernel Name","Context","Stream","Block Size","Grid Size","Device","CC"'
  printf ',"%s"' "${names[@]}"
  printf '\n"","","","","","","","","","",""'
  for name in "${names[@]}"; do
    case "$name" in
      dram__bytes*) printf ',"byte"' ;;
      gpu__time*) printf ',"%s"' "${time_unit:-ns}" ;;
      *.pct) printf ',"%%"' ;;
      *) printf ',"sector"' ;;
    esac
  done
  printf '\n'
  id=0
  while read -r variant value lr ls sr ss shl shs; do
    for launch in warm timed; do
      printf '"%s","4711","offset","127.0.0.1","%s(const float *, float *, unsigned long)","1","7","(256, 1, 1)","(1024, 1, 1)","0","9.0"' "$id" "$variant"
      for name in "${names[@]}"; do
        case "$name" in
          l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum) number="$lr" ;;
          l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum) number="$ls" ;;
          l1tex__t_requests_pipe_lsu_mem_global_op_st.sum) number="$sr" ;;
          l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum) number="$ss" ;;
          smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_ld.sum) number="$shl" ;;
          smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_st.sum) number="$shs" ;;
          lts__t_sectors_op_read.sum) number=131075 ;;
          lts__t_sectors_op_write.sum) number=131076 ;;
          dram__bytes_read.sum) number=4194304 ;;
          dram__bytes_write.sum) number=4000000 ;;
          l1tex__t_sector_hit_rate.pct) number=12.50 ;;
          lts__t_sector_hit_rate.pct) number=48.07 ;;
          gpu__time_duration.sum) number=1234567 ;;
          *) number=0 ;;
        esac
        [ "$number" != - ] || number=0
        [ "$launch" = timed ] || number=7
        printf ',"%s"' "$(sed ':a;s/^\([0-9]*[0-9]\)\([0-9]\{3\}\)/\1,\2/;ta' <<<"$number")"
      done
      printf '\n'
      id=$((id + 1))
    done
  done <"$rows"
} | sed -e "${ncu_edit:-}" >&3
END
}

profile() { run --separate-stderr env PATH="$tools" "$checkout/scripts/profile.sh" "$@"; }
# bats does not see a failing "! command" unless it is the last of its test.
not() { ! "$@"; }
says() { [[ "$stderr" == *"$1"* ]]; }
called() { grep -qF -- "$1" "$calls"; }

# column NAME: its cells in $output, space between them.
column() { mlr --icsv --onidx cut -f "$1" <<<"$output" | tr '\n' ' ' | sed 's/ $//'; }

nothing_left() {
  local left
  left="$(find "$TMPDIR" "$BATS_TEST_TMPDIR" -mindepth 1 \( -path "$TMPDIR/*" -o -name 'out*' \))"
  [ -z "$left" ]
}

bats_require_minimum_version 1.5.0

@test "the stand-in has the columns of the executables" {
  [ -n "$real_bin" ] || skip "no executables: SECTORSCOPE_BIN is not set"
  run "$real_bin/offset" --predict -q --csv -
  [ "${lines[0]}" = "$columns" ]
}

@test "every row matches: exit 0, the row's columns first, then the counters" {
  profile offset
  [ "$status" -eq 0 ]
  says "all 3 rows match"
  [ "${lines[0]}" = "$columns,$counted" ]
  [ "${#lines[@]}" -eq 4 ]
  [ "$(column counters_match)" = "yes yes yes" ]
  [ "$(column counted_load_requests)" = "32768 32768 1048576" ]
  [ "$(column counted_load_sectors)" = "131072 163840 4194304" ]
  [ "$(column counted_store_requests)" = "32768 32768 1048576" ]
  [ "$(column counted_store_sectors)" = "131072 131072 4194304" ]
  [ "$(column counted_shared_load_wavefronts)" = "0 0 1048576" ]
  [ "$(column counted_shared_store_wavefronts)" = "0 0 33554432" ]
  [ "$(column counted_l2_read_sectors)" = "131075 131075 131075" ]
  [ "$(column counted_l2_write_sectors)" = "131076 131076 131076" ]
  [ "$(column counted_dram_read_bytes)" = "4194304 4194304 4194304" ]
  [ "$(column counted_dram_write_bytes)" = "4000000 4000000 4000000" ]
  [ "$(column counted_l1_hit_pct)" = "12.50 12.50 12.50" ]
  [ "$(column counted_l2_hit_pct)" = "48.07 48.07 48.07" ]
  [ "$(column counted_local_sectors)" = "0 0 0" ]
  [ "$(column counted_duration_ms)" = "1.234567 1.234567 1.234567" ]
  [ "$(mlr --icsv --ojson cut -f gpu then head -n 1 <<<"$output" | grep -c 'NVIDIA \\"X\\", 1')" -eq 1 ]
  nothing_left
}

@test "times, flags and launch counts are those of the run without the profiler" {
  profile offset
  [ "$(column median_ms)" = "0.5 0.5 0.5" ]
  [ "$(column flags)" = "spread spread spread" ]
  [ "$(column warmup)" = "10 10 10" ]
  [ "$(column launch_skip)" = "10 720 1430" ]
}

@test "the user's -w, -r, -i, ITERATIONS and --samples do not reach the profiled run; everything else does" {
  profile offset 1003 5 -w 3 -r2 --offsets 0:2 -u 1 --samples "$BATS_TEST_TMPDIR/samples" -q
  [ "$status" -eq 0 ]
  [ "$(sed -n 's/^offset -q --csv .*timed.csv //p' "$calls")" = \
    "1003 5 -w 3 -r2 --offsets 0:2 -u 1 --samples $BATS_TEST_TMPDIR/samples" ]
  [ "$(sed -n 's/^profiled offset -q --csv .*profiled.csv //p' "$calls" | sort -u)" = "-w 1 -r 1 -i 1 1003 --offsets 0:2 -u 1" ]
  [ "$(grep -c '^profiled offset' "$calls")" -eq 2 ]

  : >"$calls"
  profile offset -- --warmup=3 --runs 2 -i 4 --iterations=9 -qw 5 -n 1003 --l2=hot
  called "profiled.csv -w 1 -r 1 -i 1 -n 1003 --l2=hot"
  not grep -qE -- '^profiled.*(--warmup|--runs|-i 4|--iterations|-w 5)' "$calls"
  called "timed.csv --warmup=3 --runs 2 -i 4 --iterations=9 -w 5 -n 1003 --l2=hot"
}

@test "transpose has its ITERATIONS third" {
  mv "$checkout/build/bin/offset" "$checkout/build/bin/transpose"
  profile transpose 100 200 5 --variants naive
  [ "$status" -eq 0 ]
  called "profiled.csv -w 1 -r 1 -i 1 100 200 --variants naive"
  called "timed.csv 100 200 5 --variants naive"
}

@test "ncu gets named metrics, unlocked clocks, base units and a temporary folder of its own" {
  profile offset
  [ "$(grep -c '^ncu' "$calls")" -eq 2 ]
  [ "$(grep -c '^ncu.*--clock-control none' "$calls")" -eq 2 ]
  [ "$(grep -c '^ncu.*--print-units base' "$calls")" -eq 2 ]
  [ "$(grep -c '^ncu.*--cache-control none' "$calls")" -eq 2 ]
  [ "$(grep -c -- '--metrics gpu__time_duration.sum ' "$calls")" -eq 1 ]
  not grep -E -- '--(set|section)' "$calls"
  grep -q "^ncu .*TMPDIR=$TMPDIR/[^ ]*/ncu " "$calls"
}

@test "--l2 cold: the counters' passes are all cold; the single pass of the duration relies on the executable's flush" {
  profile offset --l2 cold
  [ "$status" -eq 0 ]
  grep '^ncu' "$calls" | grep l1tex__t_sectors | grep -q -- '--cache-control all'
  grep '^ncu' "$calls" | grep gpu__time_duration | grep -q -- '--cache-control none'
}

@test "one sector off: exit 1, the row named with both numbers, the file written" {
  ncu_edit='s/"163,840"/"163,841"/' profile offset -o "$BATS_TEST_TMPDIR/out.csv"
  [ "$status" -eq 1 ]
  says "row 2, offset_read:offset=1: load_sectors predicted 163840, counted 163841"
  says "1 of 3 rows"
  [ -z "$output" ]
  output="$(cat "$BATS_TEST_TMPDIR/out.csv")"
  [ "$(column counters_match)" = "yes no yes" ]
}

@test "a warm-up launch that counts otherwise does not matter, and is not what is joined" {
  ncu_edit='s/"7","7","7"/"8","8","8"/' profile offset
  [ "$status" -eq 0 ]
}

@test "shared wavefronts count where the row predicts them, local memory everywhere" {
  ncu_edit='s/"33,554,432"/"1,048,576"/' profile offset
  [ "$status" -eq 1 ]
  says "row 3, offset_tile:offset=2: shared_store_wavefronts predicted 33554432, counted 1048576"
  [ "$(column counters_match)" = "yes yes no" ]

  ncu_edit='/^"3"/s/"0"$/"1,064"/' profile offset
  [ "$status" -eq 1 ]
  says "row 2, offset_read:offset=1: local_sectors predicted 0, counted 1064"
  [ "$(column counted_local_sectors)" = "0 1064 0" ]
}

@test "n/a is an empty cell and a warning; where the match needs it, the match is unknown, exit 1" {
  ncu_edit='s/"131,075"/"n\/a"/' profile offset
  [ "$status" -eq 0 ]
  says "no value of lts__t_sectors_op_read.sum in 3 of 3 rows"
  [ "$(mlr --icsv --onidx filter 'is_empty($counted_l2_read_sectors)' then count <<<"$output")" -eq 3 ]

  ncu_edit='s/"163,840"/"(!) n\/a"/' profile offset
  [ "$status" -eq 1 ]
  says "row 2, offset_read:offset=1: load_sectors not counted"
  [ "$(column counters_match)" = "yes unknown yes" ]
  [ "$(mlr --icsv --onidx filter 'is_empty($counted_load_sectors)' then count <<<"$output")" -eq 1 ]
}

@test "a row that is both wrong and incomplete does not match" {
  ncu_edit='/^"3"/{s/"163,840"/"n\/a"/;s/"131,072"/"131,073"/}' profile offset
  [ "$status" -eq 1 ]
  [ "$(column counters_match)" = "yes no yes" ]
}

@test "counts with a fraction of zeros are the same integers" {
  ncu_edit='s/"163,840"/"163,840.00"/;s/"1,234,567"/"1,234,567.00"/' profile offset
  [ "$status" -eq 0 ]
  [ "$(column counted_load_sectors)" = "131072 163840 4194304" ]
  [ "$(column counted_duration_ms)" = "1.234567 1.234567 1.234567" ]
}

@test "metrics unknown to this ncu: warnings and empty cells, the others still counted" {
  no_metric='lts__t_sectors_op_read.sum dram__bytes_write.sum' profile offset
  [ "$status" -eq 0 ]
  says "does not know lts__t_sectors_op_read.sum"
  says "does not know dram__bytes_write.sum"
  [ "${lines[0]}" = "$columns,$counted" ]
  [ "$(mlr --icsv --onidx filter 'is_empty($counted_l2_read_sectors) && is_empty($counted_dram_write_bytes)' then count <<<"$output")" -eq 3 ]
  [ "$(column counted_l2_write_sectors)" = "131076 131076 131076" ]
}

@test "an unknown metric that the match needs, quoted as a regular expression: unknown, exit 1" {
  no_metric=l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum \
    quoted_metric='regex:^l1tex__t_sectors_pipe_lsu_mem_global_op_ld\.sum$' profile offset
  [ "$status" -eq 1 ]
  says "does not know l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum"
  [ "$(column counters_match)" = "unknown unknown unknown" ]
  [ "$(column counted_store_sectors)" = "131072 131072 4194304" ]
}

@test "an unknown duration is an empty cell too; with no counter known there is no result, exit 3" {
  no_metric=gpu__time_duration.sum profile offset
  [ "$status" -eq 0 ]
  says "does not know gpu__time_duration.sum"
  [ "$(mlr --icsv --onidx filter 'is_empty($counted_duration_ms)' then count <<<"$output")" -eq 3 ]
  no_metric="$(sed -n 's/^ncu .*--metrics \(l1tex[^ ]*\) .*/\1/p' "$calls" | head -n 1 | tr , ' ')" profile offset
  [ "$status" -eq 3 ]
  says "knows none of the counters"
  [ -z "$output" ]
}

@test "no permission: says so, what an administrator can do, exit 3, no file" {
  ncu_error='==ERROR== ERR_NVGPUCTRPERM - The user does not have permission to access NVIDIA GPU Performance Counters on the target device 0.' \
    profile offset -o "$BATS_TEST_TMPDIR/out.csv"
  [ "$status" -eq 3 ]
  says ERR_NVGPUCTRPERM
  says NVreg_RestrictProfilingToAdminUsers=0
  says CAP_SYS_ADMIN
  says "NVIDIA Control Panel"
  nothing_left
  ncu_status=0 ncu_error='==ERROR== ERR_NVGPUCTRPERM' profile offset
  [ "$status" -eq 3 ]
}

@test "no kernels profiled is a failure even when ncu ends with 0" {
  ncu_status=0 ncu_error='==PROF== Disconnected from process 4711' profile offset -o "$BATS_TEST_TMPDIR/out.csv"
  [ "$status" -eq 3 ]
  says "No kernels were profiled"
  nothing_left
}

@test "ncu missing: one line, exit 3, nothing ran" {
  rm "$tools/ncu"
  profile offset
  [ "$status" -eq 3 ]
  [ "${#stderr_lines[@]}" -eq 1 ]
  says "ncu (Nsight Compute) was not found"
  profile offset --ncu "/no/such/ncu"
  [ "$status" -eq 3 ]
  [ "${#stderr_lines[@]}" -eq 1 ]
  says "/no/such/ncu"
  [ ! -s "$calls" ]
}

@test "ncu is found through --ncu and CUDA_PATH, in a folder with a space" {
  mkdir -p "$BATS_TEST_TMPDIR/my cuda/bin"
  mv "$tools/ncu" "$BATS_TEST_TMPDIR/my cuda/bin/ncu"
  CUDA_PATH="$BATS_TEST_TMPDIR/my cuda" profile offset
  [ "$status" -eq 0 ]
  profile offset --ncu "$BATS_TEST_TMPDIR/my cuda/bin/ncu"
  [ "$status" -eq 0 ]
}

@test "mlr missing, or older than 6: one line, exit 3, nothing ran" {
  rm "$tools/mlr"
  profile offset
  [ "$status" -eq 3 ]
  [ "${#stderr_lines[@]}" -eq 1 ]
  says "apt-get install miller"
  put_script "$tools/mlr" 'echo "Miller v5.10.2"'
  profile offset
  [ "$status" -eq 3 ]
  says "v5.10.2"
  [ ! -s "$calls" ]
}

@test "no CUDA device: exit 77 with the executable's own message, ncu not called" {
  experiment_status=77 experiment_says="offset: error: no NVIDIA driver is installed" \
    profile offset -o "$BATS_TEST_TMPDIR/out.csv"
  [ "$status" -eq 77 ]
  says "no NVIDIA driver is installed"
  not called "ncu "
  nothing_left
}

@test "an executable that fails: its status is named, exit 3; its usage error stays 2" {
  experiment_status=3 profile offset -o "$BATS_TEST_TMPDIR/out.csv"
  [ "$status" -eq 3 ]
  says "exit status 3"
  experiment_status=1 profile offset
  [ "$status" -eq 3 ]
  says "verification (exit status 1)"
  experiment_status=2 experiment_says="--offsets: 'x' is no list" profile offset --offsets x
  [ "$status" -eq 2 ]
  says "'x' is no list"
  profiled_status=3 profile offset -o "$BATS_TEST_TMPDIR/out.csv"
  [ "$status" -eq 3 ]
  says "offset under ncu failed: ncu ended with exit status 1, offset with 3"
  nothing_left
}

@test "an executable that writes nothing, or is not there: exit 3" {
  put_script "$checkout/build/bin/offset" 'exit 0'
  profile offset
  [ "$status" -eq 3 ]
  says "wrote no row"
  profile stride
  [ "$status" -eq 3 ]
  says "build/bin/stride"
}

@test "other configurations, other launches or other row order under ncu: refused, exit 3, no file" {
  head -n 2 "$rows" >"$rows.profiled"
  profile offset -o "$BATS_TEST_TMPDIR/out.csv"
  [ "$status" -eq 3 ]
  says "other configurations"
  sort -r "$rows" >"$rows.profiled"
  profile offset -o "$BATS_TEST_TMPDIR/out.csv"
  [ "$status" -eq 3 ]
  says "other configurations"
  rm "$rows.profiled"
  ncu_edit='/^"5"/d' profile offset -o "$BATS_TEST_TMPDIR/out.csv"
  [ "$status" -eq 3 ]
  says "launches 0 to 5"
  nothing_left
}

@test "a duration in another unit is refused, never scaled by guess" {
  time_unit=us profile offset
  [ "$status" -eq 3 ]
  says "gpu__time_duration.sum in us"
}

@test "an output that exists is refused untouched before anything runs; --force replaces it" {
  echo old >"$BATS_TEST_TMPDIR/out.csv"
  profile offset -o "$BATS_TEST_TMPDIR/out.csv"
  [ "$status" -eq 2 ]
  says "out.csv' exists"
  [ "$(cat "$BATS_TEST_TMPDIR/out.csv")" = old ]
  [ ! -s "$calls" ]
  experiment_status=3 profile offset -o "$BATS_TEST_TMPDIR/out.csv" --force
  [ "$(cat "$BATS_TEST_TMPDIR/out.csv")" = old ]
  profile offset --force -o "$BATS_TEST_TMPDIR/out.csv"
  [ "$status" -eq 0 ]
  [ "$(head -n 1 "$BATS_TEST_TMPDIR/out.csv")" = "$columns,$counted" ]
  profile offset --force -o /dev/null
  [ "$status" -eq 2 ]
}

@test "an output in the place of the executable, of ncu or of the samples is refused, whatever --force says" {
  cd "$checkout/build/bin"
  ln -s offset link
  local file before
  before="$(cat offset "$tools/ncu" | cksum)"
  for file in offset ./link "$checkout/build/bin/offset" "$tools/ncu"; do
    profile offset --bin . --force -o "$file"
    [ "$status" -eq 2 ]
    says "-o: '$file' would take the place of the input '"
  done
  [ "$(cat offset "$tools/ncu" | cksum)" = "$before" ]
  echo old >samples.csv
  for file in samples.csv ../bin/samples.csv; do
    profile offset --force -o "$file" --samples samples.csv
    [ "$status" -eq 2 ]
    profile offset --force -o "$file" -- "--samples=samples.csv"
    [ "$status" -eq 2 ]
    says "-o: '$file' is where the samples go"
  done
  [ "$(cat samples.csv)" = old ]
  [ ! -s "$calls" ]
}

@test "spaces in every path, and started from elsewhere with relative ones" {
  mkdir "$BATS_TEST_TMPDIR/my bin" "$BATS_TEST_TMPDIR/my results"
  mv "$checkout/build/bin/offset" "$BATS_TEST_TMPDIR/my bin/offset"
  cd "$BATS_TEST_TMPDIR"
  profile offset --bin "my bin" -o "my results/the rows.csv" --report "my reports"
  [ "$status" -eq 0 ]
  [ -s "my results/the rows.csv" ]
  [ "$(cd "my results" && ls -A)" = "the rows.csv" ]
  SECTORSCOPE_BIN="$BATS_TEST_TMPDIR/my bin" profile offset
  [ "$status" -eq 0 ]
}

@test "--report keeps one report a row, named after it, of its timed launch; existing ones are refused" {
  profile offset --report "$BATS_TEST_TMPDIR/reports"
  [ "$status" -eq 0 ]
  cd "$BATS_TEST_TMPDIR/reports"
  [ "$(cat offset-offset_read-offset-0.ncu-rep)" = "report of launch 1" ]
  [ "$(cat offset-offset_read-offset-1.ncu-rep)" = "report of launch 3" ]
  [ "$(cat offset-offset_tile-offset-2.ncu-rep)" = "report of launch 5" ]
  called "--launch-count 1 --section"
  called "--section SourceCounters --import-source yes"
  not grep -q -- '--set ' "$calls"
  profile offset --report "$BATS_TEST_TMPDIR/reports"
  [ "$status" -eq 2 ]
  says "offset-offset_read-offset-0.ncu-rep' exists"
  profile offset --report "$BATS_TEST_TMPDIR/reports" --force
  [ "$status" -eq 0 ]
  called "--force-overwrite --export"
  put_script "$tools/ncu" "$(stand_in_ncu | sed 's/echo "report of launch $skip" .*/:/')"
  profile offset --report "$BATS_TEST_TMPDIR/other reports"
  [ "$status" -eq 3 ]
  says "ncu left no "
}

@test "usage: exit 2 naming what is wrong, nothing ran" {
  profile
  [ "$status" -eq 2 ]
  profile -n 5 offset
  [ "$status" -eq 2 ]
  says "'-n'"
  profile ../offset
  [ "$status" -eq 2 ]
  profile offset -o
  [ "$status" -eq 2 ]
  says "-o needs a value"
  local option
  for option in --csv=x --predict --plan --audit --version; do
    profile offset "$option"
    [ "$status" -eq 2 ]
    says "${option%%=*}"
  done
  profile offset --csv x
  [ "$status" -eq 2 ]
  profile offset --samples -
  [ "$status" -eq 2 ]
  [ ! -s "$calls" ]
}

@test "--help needs no tool and tells about cache, clocks and the lock file" {
  rm "$tools/ncu" "$tools/mlr"
  profile --help
  [ "$status" -eq 0 ]
  [[ "${lines[0]}" == "Usage: scripts/profile.sh EXPERIMENT"* ]]
  [[ "$output" == *--cache-control* && "$output" == *--clock-control* && "$output" == *TMPDIR* ]]
  [[ "$output" != *shellcheck* ]]
}

@test "a locale with a decimal comma, and a ~/.mlrrc, change nothing" {
  local german
  german="$(locale -a 2>/dev/null | grep -i -m 1 '^de_DE' || true)"
  printf 'ofs ;\n' >"$BATS_TEST_TMPDIR/.mlrrc"
  HOME="$BATS_TEST_TMPDIR" LC_ALL="${german:-de_DE.UTF-8}" LANG="${german:-de_DE.UTF-8}" profile offset
  [ "$status" -eq 0 ]
  [ "$(column counted_duration_ms)" = "1.234567 1.234567 1.234567" ]
  called "ncu LC_ALL=C TMPDIR"
}
