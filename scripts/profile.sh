#!/usr/bin/env bash
# Usage: scripts/profile.sh EXPERIMENT [options] [-o FILE] [--] [experiment options...]
#
# Holds what an experiment predicts against what the GPU counted. Runs EXPERIMENT (offset, stride, aos_soa, transpose)
# three times: without a profiler for its rows and their times, under ncu for the counters, and under ncu in a single
# pass for the duration. Writes each row with its counters behind it: CSV, the row's columns, then counted_* and
# counters_match. A time under the profiler is no result: it appears in counted_duration_ms only.
#
#   -o FILE        where the CSV goes (default, or -: stdout)
#   --report DIR   keep an ncu report (.ncu-rep) of each configuration there, named after its row, to open in the GUI
#   --bin DIR      where the executables are (default: $SECTORSCOPE_BIN, or build/bin of the checkout)
#   --ncu PATH     the ncu to use (default: the one on PATH, or of the CUDA Toolkit)
#   --force        replace FILE and the reports that exist
#   -h, --help     this text
#
# Every other word goes to the experiment; behind -- all of them do. Its -w, -r, -i (and ITERATIONS) and --samples count
# for the run without the profiler only: under ncu it runs with -w 1 -r 1 -i 1, so that row k (from 0) is launch 2k+1.
# --csv, --predict, --plan and --audit are refused.
#
# counters_match is
#   yes       requests and sectors of the global loads and stores equal the prediction to the integer, so do the shared
#             wavefronts where the row predicts them, and nothing went through local memory
#   no        one of them differs: named on stderr, with both numbers
#   unknown   none differs, but one of those counters could not be had. Its cell is empty, never an estimate
#
# What ncu is told:
#   --metrics          named ones only, never a set: every additional pass runs the kernel once more.
#   --clock-control    none: locking the clocks needs rights that not everyone has; no counter depends on the clock, and
#                      counted_duration_ms is then at the clocks of the run.
#   --cache-control    --l2 hot: none, since the warm-up launch of the process decides what is cached (all would flush
#                      the caches before every pass, a cold run that nobody asked for). --l2 cold: all for the counters,
#                      since the flush of the executable precedes the first of their passes only; none for the
#                      duration, one pass, for which that flush holds. Requests, L1 sectors and wavefronts do not
#                      depend on it; L2 sectors, DRAM bytes and hit rates do.
#   TMPDIR             a folder of its own: a lock file that another user left in /tmp stops ncu there.
#
# Needs mlr (Miller 6) and ncu (Nsight Compute).
# Exit status: 0 every row matches; 1 a row does not, or is unknown (the CSV is written); 2 wrong usage, or a file that
# exists; 3 a tool is missing, ncu may not read the counters or profiled nothing, or a run failed (no CSV is left but
# where a report failed); 77 no CUDA device.

# shellcheck disable=SC1010,SC2016 # "then" and "$" inside a Miller command are Miller's

set -euo pipefail

root="$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.." && pwd)"
# shellcheck source=scripts/common.sh
source "$root/scripts/common.sh"

# Column and metric. ncu counts the two halves of the local sectors, and the duration in ns.
counters=(
  counted_load_requests=l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum
  counted_load_sectors=l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum
  counted_store_requests=l1tex__t_requests_pipe_lsu_mem_global_op_st.sum
  counted_store_sectors=l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum
  # Per instruction: l1tex__data_bank_conflicts_* counts arbitration too.
  counted_shared_load_wavefronts=smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_ld.sum
  counted_shared_store_wavefronts=smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_st.sum
  counted_l2_read_sectors=lts__t_sectors_op_read.sum
  counted_l2_write_sectors=lts__t_sectors_op_write.sum
  counted_dram_read_bytes=dram__bytes_read.sum
  counted_dram_write_bytes=dram__bytes_write.sum
  counted_l1_hit_pct=l1tex__t_sector_hit_rate.pct
  counted_l2_hit_pct=lts__t_sector_hit_rate.pct
  local_load_sectors=l1tex__t_sectors_pipe_lsu_mem_local_op_ld.sum
  local_store_sectors=l1tex__t_sectors_pipe_lsu_mem_local_op_st.sum
)
durations=(duration_ns=gpu__time_duration.sum)

counted_columns=counted_load_requests,counted_load_sectors,counted_store_requests,counted_store_sectors
counted_columns+=,counted_shared_load_wavefronts,counted_shared_store_wavefronts
counted_columns+=,counted_l2_read_sectors,counted_l2_write_sectors,counted_dram_read_bytes,counted_dram_write_bytes
counted_columns+=,counted_l1_hit_pct,counted_l2_hit_pct,counted_local_sectors,counted_duration_ms,counters_match

# What the two runs must have in common, row by row: the key without the launch counts, and the prediction.
same_columns=experiment,variant,parameter,value,n,rows,cols,ld_in,ld_out,struct_bytes,lanes,element_bytes
same_columns+=,items_per_thread,block_size,l2,order,seed,grid_size,access
same_columns+=,load_requests,load_sectors,store_requests,store_sectors,shared_load_wavefronts,shared_store_wavefronts

# The name of a row: stride_gather:stride=65.
name_of='
  func name_of(map row): str {
    str name = row["variant"];
    for (axis in ["struct_bytes", "lanes"]) {
      if (row[axis] != "") { name .= ":" . axis . "=" . row[axis] }
    }
    if (row["value"] != "") { name .= ":" . row["parameter"] . "=" . row["value"] }
    return name
  }'

# --- the command line -------------------------------------------------------------------------------------------------

experiment=""
words=()
output=-
report=""
bin="${SECTORSCOPE_BIN:-$root/build/bin}"
ncu=""
force=false
while [[ $# -gt 0 ]]; do
  case "$1" in
    -o) need_value "$@" && output="$2" && shift 2 ;;
    --report) need_value "$@" && report="$2" && shift 2 ;;
    --bin) need_value "$@" && bin="$2" && shift 2 ;;
    --ncu) need_value "$@" && ncu="$2" && shift 2 ;;
    --force) force=true && shift ;;
    -h | --help) usage && exit 0 ;;
    *)
      if [[ -n "$experiment" && "$1" == -- ]]; then
        words+=("${@:2}")
        break
      elif [[ -n "$experiment" ]]; then
        words+=("$1")
      elif [[ "$1" =~ ^[a-z][a-z0-9_]*$ ]]; then
        experiment="$1"
      else
        die "the experiment comes first, not '$1' (offset, stride, aos_soa, transpose; try --help)" 2
      fi
      shift
      ;;
  esac
done
[[ -n "$experiment" ]] || die "which experiment? (offset, stride, aos_soa, transpose; try --help)" 2

# Sorts the experiment's words into timed_words, all of them, and profiled_words, without those about launch counts.
timed_words=()
profiled_words=()
samples=""
sort_words() {
  local positional=0 iterations_position=2 only_positional=false word option item
  [[ "$experiment" != transpose ]] || iterations_position=3
  while [[ $# -gt 0 ]]; do
    word="$1"
    shift
    item=("$word")
    option=""
    if ! $only_positional; then
      case "$word" in
        --)
          only_positional=true
          option=--
          ;;
        --*=*) option="${word%%=*}" ;;
        # The flags; every other option takes a value.
        -q | --quiet | --version | --conversion | --predict | --plan | --audit) option="$word" ;;
        -q?*)
          option=-q
          set -- "-${word#-q}" "$@"
          ;;
        --* | -?)
          option="$word"
          if [[ $# -gt 0 ]]; then
            item+=("$1")
            shift
          fi
          ;;
        -?*) option="${word:0:2}" ;;
      esac
    fi
    case "$option" in
      -q | --quiet) continue ;; # it runs quietly in any case
      --csv) die "--csv: not here, the rows go where -o says" 2 ;;
      --predict | --plan | --audit | --warp | --version) die "$option: nothing runs, so nothing can be counted" 2 ;;
      --samples)
        [[ "${item[*]: -1}" != - && "${item[*]: -1}" != --samples=- ]] || die "--samples -: needs a file here" 2
        samples="${item[*]: -1}"
        samples="${samples#--samples=}"
        timed_words+=("${item[@]}")
        continue
        ;;
      -w | --warmup | -r | --runs | -i | --iterations)
        timed_words+=("${item[@]}")
        continue
        ;;
      "")
        positional=$((positional + 1))
        if [[ $positional -eq $iterations_position ]]; then
          timed_words+=("$word")
          continue
        fi
        ;;
    esac
    timed_words+=("${item[@]}")
    profiled_words+=("${item[@]}")
  done
}
sort_words ${words[@]+"${words[@]}"}

# --- what must be there, before anything runs -------------------------------------------------------------------------

if [[ "$output" != - ]]; then
  [[ ! -e "$output" || -f "$output" ]] || die "-o: '$output' is no regular file" 2
  [[ ! -e "$output" ]] || $force || die "-o: '$output' exists; --force replaces it" 2
  [[ -z "$samples" || "$(realpath -m -- "$output")" != "$(realpath -m -- "$samples")" ]] ||
    die "-o: '$output' is where the samples go" 2
fi

find_ncu() {
  if [[ -n "$ncu" ]]; then
    command -v -- "$ncu" || die "no ncu at '$ncu'" 3
    return
  fi
  command -v ncu && return
  local toolkit
  for toolkit in "${CUDA_PATH:-}" "${CUDA_HOME:-}" /usr/local/cuda; do
    if [[ -n "$toolkit" && -x "$toolkit/bin/ncu" ]]; then
      printf '%s\n' "$toolkit/bin/ncu"
      return
    fi
  done
  die "ncu (Nsight Compute) was not found: put the bin folder of the CUDA Toolkit on PATH, or give --ncu PATH" 3
}
ncu="$(find_ncu)" || exit
need_miller
executable="$bin/$experiment"
[[ -f "$executable" && -x "$executable" ]] ||
  die "no executable $executable: build first (scripts/quickstart.sh), or say where with --bin" 3
[[ "$output" == - ]] || refuse_input -o "$output" "$executable" "$ncu"

make_work_folder
mkdir "$work/ncu"

# Next to the output, so that the rename is one step; made now, so that a folder that takes no file is found out now.
if [[ "$output" != - ]]; then
  partial="$output.partial.$$"
  : >"$partial" || die "-o: nothing can be written beside '$output'" 3
fi
if [[ -n "$report" ]]; then
  mkdir -p -- "$report" || die "--report: '$report' cannot be made" 3
fi

# miller ARGUMENT...: mlr, whose failure is the end; it has said why.
miller() { mlr "$@" || die "mlr failed on the rows or their counters" 3; }

# rows_of FILE: how many rows a CSV has.
rows_of() {
  miller --icsv --onidx count "$1"
}

# --- the rows, and their times ----------------------------------------------------------------------------------------

say "$experiment without a profiler: the rows and their times"
status=0
"$executable" -q --csv "$work/timed.csv" ${timed_words[@]+"${timed_words[@]}"} >&2 || status=$?
case "$status" in
  0) ;;
  2 | 77) exit "$status" ;; # it has said why
  1) die "$experiment failed its verification (exit status 1): its counters would tell nothing" 3 ;;
  *) die "$experiment failed without a profiler (exit status $status)" 3 ;;
esac
[[ -s "$work/timed.csv" ]] || die "$experiment wrote no row" 3
row_count="$(rows_of "$work/timed.csv")"
[[ "$row_count" -gt 0 ]] || die "$experiment wrote no row" 3

header="$(miller --icsv --onidx head -n 1 then put -q 'print joink($*, ",")' "$work/timed.csv")"
for column in ${same_columns//,/ } launch_skip; do
  [[ ",$header," == *",$column,"* ]] ||
    die "the rows of $experiment have no column $column: is $executable of this version?" 3
done
l2="$(miller --icsv --onidx head -n 1 then cut -f l2 "$work/timed.csv")"

report_names=()
if [[ -n "$report" ]]; then
  names="$(miller -S --icsv --onidx put -q "$name_of"'
    print gsub($experiment . "-" . name_of($*), "[:=]", "-")' "$work/timed.csv")"
  mapfile -t report_names <<<"$names"
  for name in "${report_names[@]}"; do
    [[ ! -e "$report/$name.ncu-rep" ]] || $force ||
      die "--report: '$report/$name.ncu-rep' exists; --force replaces it" 2
  done
fi

# --- the counters -----------------------------------------------------------------------------------------------------

# What ncu itself said, from its log and, before it has one, from stderr.
complaints() {
  sed -n '/^==\(ERROR\|WARNING\)==/p' "$work/ncu.log" "$work/ncu.err"
}

# run_ncu OPTION...: one run under ncu, of exactly the profiled words.
run_ncu() {
  rm -f -- "$work/profiled.csv"
  : >"$work/ncu.log"
  TMPDIR="$work/ncu" "$ncu" --clock-control none --log-file "$work/ncu.log" "$@" \
    "$executable" -q --csv "$work/profiled.csv" -w 1 -r 1 -i 1 ${profiled_words[@]+"${profiled_words[@]}"} \
    >"$work/ncu.out" 2>"$work/ncu.err"
}

# check_ncu STATUS: ends the script unless ncu profiled something.
check_ncu() {
  if grep -q ERR_NVGPUCTRPERM "$work/ncu.log" "$work/ncu.out" "$work/ncu.err"; then
    die "ncu may not read the performance counters of this GPU (ERR_NVGPUCTRPERM). What an administrator can do:
  Linux: put 'options nvidia NVreg_RestrictProfilingToAdminUsers=0' into a file of /etc/modprobe.d and reboot,
    or run this as root or with CAP_SYS_ADMIN (containers: --cap-add SYS_ADMIN)
  Windows: NVIDIA Control Panel > Developer > Manage GPU Performance Counters > allow access to all users
  https://developer.nvidia.com/ERR_NVGPUCTRPERM" 3
  fi
  local code
  if [[ "$1" -ne 0 ]]; then
    cat "$work/ncu.err" >&2
    complaints >&2
    code="$(complaints | awk -F '[()]' '/returned an error code/ && !code { code = $2 } END { print code }')"
    die "$experiment under ncu failed: ncu ended with exit status $1${code:+, $experiment with $code}" 3
  fi
  if grep -q 'No kernels were profiled' "$work/ncu.log" "$work/ncu.out" "$work/ncu.err"; then
    cat "$work/ncu.err" >&2
    complaints >&2
    die "No kernels were profiled: ncu saw no launch of $experiment" 3
  fi
}

# unknown_metrics METRIC...: those that ncu complains it does not know, one a line. It may quote a name as a regular
# expression (name\.sum), and may stop at the first.
unknown_metrics() {
  local metric about
  about="$(complaints | sed -n '/find\|found\|nknown\|nsupported\|not available\|not supported\|nvalid/p')"
  for metric in "$@"; do
    ! grep -qE "(^|[^A-Za-z0-9_])${metric%.*}([^A-Za-z0-9_]|\$)" <<<"$about" || printf '%s\n' "$metric"
  done
}

# check_unit FILE METRIC UNIT...: a number in another unit than asked for is no number.
check_unit() {
  local file="$1" metric="$2" unit
  shift 2
  unit="$(miller -S --icsv --onidx filter 'is_empty($ID)' then head -n 1 then cut -f "$metric" "$file")"
  [[ -z "$unit" || " $* " == *" $unit "* ]] || die "ncu gives $metric in $unit, expected: $*" 3
}

# count_launches COLUMN=METRIC... : profiles them all; leaves launch and the columns, clean numbers or empty, in
# launches.csv. $cache is the cache control. known_metrics says how many this ncu knew: without any there is no such
# file.
count_launches() {
  local pairs=("$@") metrics=() unknown status kept pair metric empty
  known_metrics=$#
  while :; do
    metrics=("${pairs[@]#*=}")
    status=0
    run_ncu --csv --page raw --print-units base --cache-control "$cache" \
      --metrics "$(IFS=, && printf '%s' "${metrics[*]}")" || status=$?
    unknown=""
    if [[ $status -ne 0 ]] || grep -q 'No kernels were profiled' "$work/ncu.log"; then
      unknown="$(unknown_metrics "${metrics[@]}")"
    fi
    [[ -n "$unknown" ]] || break
    kept=()
    for pair in "${pairs[@]}"; do
      if grep -qxF -- "${pair#*=}" <<<"$unknown"; then
        warn "this ncu does not know ${pair#*=} on this GPU: its cells stay empty"
      else
        kept+=("$pair")
      fi
    done
    known_metrics=${#kept[@]}
    [[ $known_metrics -gt 0 ]] || return 0
    pairs=("${kept[@]}")
  done
  check_ncu "$status"

  # The table between the messages; the first line of it names the columns, the second the units.
  sed -n '/^"\{0,1\}ID"\{0,1\},/,$p' "$work/ncu.log" | sed '/^==/d; /^[[:space:]]*$/d' >"$work/raw.csv"
  [[ -s "$work/raw.csv" ]] || die "ncu printed no table" 3
  check_unit "$work/raw.csv" dram__bytes_read.sum byte
  check_unit "$work/raw.csv" dram__bytes_write.sum byte
  check_unit "$work/raw.csv" gpu__time_duration.sum ns nsecond nanosecond
  PAIRS="$*" miller -S --icsv --ocsv filter '$ID =~ "^[0-9,]+$"' then put -q '
    map launch = {"launch": gsub($ID, ",", "")};
    for (pair in splitax(ENV["PAIRS"], " ")) {
      names = splitax(pair, "=");
      str number = "";
      if (is_present($[names[2]])) {
        number = gsub($[names[2]], ",", "");
      }
      if (names[2] =~ "[.]sum$") {
        number = sub(number, "[.]0+$", "");
      }
      if (number !=~ "^[0-9]+([.][0-9]+)?$") { # n/a and its kin
        number = "";
      }
      launch[names[1]] = number;
    }
    emit launch' "$work/raw.csv" >"$work/launches.csv"
  check_launches

  for pair in "${pairs[@]}"; do
    metric="${pair#*=}"
    empty="$(COLUMN="${pair%%=*}" miller -S --icsv --onidx \
      filter '$launch =~ "[13579]$" && $[ENV["COLUMN"]] == ""' then count "$work/launches.csv")"
    [[ "$empty" -eq 0 ]] || warn "ncu has no value of $metric in $empty of $row_count rows: these cells stay empty"
  done
}

# The rows of the run under ncu are those of the run without, and its launches are two a row, the second one timed.
check_launches() {
  local file launches
  [[ -s "$work/profiled.csv" ]] || die "$experiment wrote no row under ncu" 3
  for file in timed profiled; do
    miller -S --icsv --ocsv cut -o -f "$same_columns" "$work/$file.csv" >"$work/$file.key"
  done
  [[ "$(<"$work/timed.key")" == "$(<"$work/profiled.key")" ]] ||
    die "$experiment ran other configurations under ncu than without it: no counter can be given to a row" 3
  launches="$(miller -S --icsv --onidx cut -f launch_skip "$work/profiled.csv")"
  [[ "$launches" == "$(seq 1 2 $((2 * row_count - 1)))" ]] ||
    die "launch_skip of the rows of $experiment under ncu is not 1, 3, 5...: no counter can be given to a row" 3
  launches="$(miller -S --icsv --onidx cut -f launch "$work/launches.csv")"
  [[ "$launches" == "$(seq 0 $((2 * row_count - 1)))" ]] ||
    die "ncu did not see launches 0 to $((2 * row_count - 1)), two a row: no counter can be given to a row" 3
}

say "$experiment under ncu: the counters of $row_count rows"
cache=none
[[ "$l2" != cold ]] || cache=all
counter_cache="$cache"
count_launches "${counters[@]}"
[[ $known_metrics -gt 0 ]] || die "this ncu knows none of the counters" 3
miller --icsv --ocsv filter '$launch % 2 == 1' then put '
  $counted_local_sectors = is_empty($local_load_sectors) || is_empty($local_store_sectors)
    ? "" : $local_load_sectors + $local_store_sectors' "$work/launches.csv" >"$work/counters.csv"

say "$experiment under ncu: the duration, in a single pass"
cache=none
count_launches "${durations[@]}"
if [[ $known_metrics -eq 0 ]]; then
  miller --icsv --ocsv cut -f launch then put '$counted_duration_ms = ""' "$work/counters.csv" >"$work/durations.csv"
else
  miller --icsv --ocsv filter '$launch % 2 == 1' then put '
    $counted_duration_ms = is_empty($duration_ns) ? "" : fmtnum($duration_ns / 1000000, "%.6f")' \
    "$work/launches.csv" >"$work/durations.csv"
fi

# --- the rows with their counters -------------------------------------------------------------------------------------

miller -S --icsv --ocsv put '$launch = 2 * NR - 1' \
  then join -j launch -f "$work/counters.csv" then join -j launch -f "$work/durations.csv" \
  then put '
    str wrong = "";
    str missing = "";
    for (name in ["load_requests", "load_sectors", "store_requests", "store_sectors",
                  "shared_load_wavefronts", "shared_store_wavefronts", "local_sectors"]) {
      str predicted = name == "local_sectors" ? "0" : $[name];
      str counted = $["counted_" . name];
      if (predicted == "" && name =~ "^shared_") {
        continue
      }
      if (predicted == "" || counted == "") {
        missing .= ", " . name . (counted == "" ? " not counted" : " not predicted");
      } elif (predicted != counted) {
        wrong .= ", " . name . " predicted " . predicted . ", counted " . counted;
      }
    }
    $counters_match = wrong != "" ? "no" : missing != "" ? "unknown" : "yes";
    $problem = sub(wrong . missing, "^, ", "")' \
  then cut -o -f "$header,$counted_columns,problem" "$work/timed.csv" >"$work/joined.csv"
[[ "$(rows_of "$work/joined.csv")" == "$row_count" ]] || die "rows were lost in the join" 3

miller -S --icsv --ocsv cut -x -f problem "$work/joined.csv" >"$work/result.csv"
if [[ "$output" == - ]]; then
  cat "$work/result.csv" || die "stdout took no more" 3
else
  cat "$work/result.csv" >"$partial" || die "-o: '$output' cannot be written" 3
  mv -fT -- "$partial" "$output" || die "-o: '$output' cannot be written" 3
  partial=""
fi

# --- the reports ------------------------------------------------------------------------------------------------------

cache="$counter_cache"
for ((k = 0; k < ${#report_names[@]}; ++k)); do
  say "report $((k + 1)) of ${#report_names[@]}: $report/${report_names[k]}.ncu-rep"
  overwrite=()
  ! $force || overwrite=(--force-overwrite)
  status=0
  run_ncu --cache-control "$cache" --launch-skip $((2 * k + 1)) --launch-count 1 \
    --section LaunchStats --section SpeedOfLight --section MemoryWorkloadAnalysis \
    --section MemoryWorkloadAnalysis_Chart --section MemoryWorkloadAnalysis_Tables \
    --section SourceCounters --import-source yes \
    ${overwrite[@]+"${overwrite[@]}"} --export "$report/${report_names[k]}" || status=$?
  check_ncu "$status"
  [[ -s "$report/${report_names[k]}.ncu-rep" ]] || die "ncu left no $report/${report_names[k]}.ncu-rep" 3
done

# --- the verdict ------------------------------------------------------------------------------------------------------

problems="$(miller -S --icsv --onidx put -q "$name_of"'
  if ($counters_match != "yes") {
    print "row " . NR . ", " . name_of($*) . ": " . $problem
  }' "$work/joined.csv")"
[[ -n "$problems" ]] || { say "all $row_count rows match" && exit 0; }
mapfile -t lines <<<"$problems"
for line in "${lines[@]}"; do
  printf '%s\n' "$line" >&2
done
die "${#lines[@]} of $row_count rows do not match, or are unknown" 1
