#!/usr/bin/env bash
# Usage: scripts/sweep.sh EXPERIMENT...|all [options] [-- options passed on]
#
# Runs the sweeps of the table below for each EXPERIMENT (offset, stride, aos_soa, transpose). A point is one process
# that runs one list of configurations; each point is run by several independent processes. All of them are run in one
# shuffled order, so that a drift of the machine does not look like a pattern.
#
#   --out DIR         where the results go, made if need be (default: sweep)
#   --processes K     processes of each point (default: 5, quick: 3)
#   --device LIST     CUDA device indices such as 0,1, or all (default: 0); each GPU runs the whole sweep, all at once
#   --quick           the short lists of the table
#   --seed N          of the shuffled order (default: 1)
#   --resume          run what is missing in DIR; options, GPU and executables, byte for byte, must be those of before,
#                     which stand in DIR/.sweep. A finished run whose files are not whole is run again
#   --force           replace the results in DIR
#   --dry-run         print the command line of each run, in order; starts nothing, and looks at no DIR
#   --build-dir DIR   the build, with the executables in DIR/bin (default: $SECTORSCOPE_BIN, or build/bin of the checkout)
#   -h, --help        this text
#
# What stands behind -- goes to every executable. Options that the table sets, and those about output and device, are
# refused there. With --predict no GPU is needed.
#
# Results, in DIR (with several GPUs in DIR/UUID):
#   EXPERIMENT.csv           the rows, with process (1..K) and point (its name in the table) as last columns
#   EXPERIMENT-samples.csv   the samples, likewise
#   environment.txt          of scripts/environment.sh
#   .sweep/                  options and finished runs: what --resume needs, and nothing else
# Rows stand in the order of the table, whatever was run first. After Ctrl-C, too, the files hold all that is finished.
#
# Needs mlr (Miller 6) and flock (util-linux).
# Exit status: 0 all finished; 1 a run failed: named at the end, --resume runs it again; 2 wrong usage, earlier results
# are in the way, or not what --resume was given; 3 a tool or an executable is missing, or a file cannot be written;
# 77 no CUDA device, or it is lost on the way; 130, 143 and 129 after SIGINT, SIGTERM and SIGHUP; 137 a process of this
# script was killed by SIGKILL. What is finished is kept: --resume goes on.

# shellcheck disable=SC1010,SC2016 # "then" and "$" inside a Miller command are Miller's

set -euo pipefail

root="$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.." && pwd)"
# shellcheck source=scripts/common.sh
source "$root/scripts/common.sh"

# The sweeps: a line is a point for each value of %. Iterations keep a run above 100 us, below which a row is flagged
# "short"; a cold launch is timed alone, so there it is n that does. No two points have a row in common: the key of a
# row tells its point. A row of the quick sweep is one of the full sweep, too.
table() {
  cat <<'END'
sweep | point        | values of %              | options

offset
full  | order-%      | listed reversed shuffled | --access read,write --order % -i 50 --offsets 0:32
quick | order-%      | listed reversed shuffled | --access read,write --order % -i 50 --offsets 0,1,4,8
full  | items-%      | 1 2 8                    | --access read,write -u % -i 50 --offsets 0,1,4,8
quick | items-%      | 1                        | --access read,write -u % -i 50 --offsets 0,1
full  | block-%      | 64 128 1024              | --access read,write -b % -i 50 --offsets 0,1,4
quick | block-%      | 1024                     | --access read,write -b % -i 50 --offsets 0,1
full  | hot          | -                        | --access read,write -n 2^26 -i 20 --offsets 0,1,4,8
full  | cold         | -                        | --access read,write --l2 cold -n 2^26 -i 20 --offsets 0,1,4,8
quick | cold         | -                        | --access read,write --l2 cold -n 2^26 -i 20 --offsets 0,1

stride
full  | %            | gather scatter both      | --access % -i 10 --strides 1:65:2
quick | %            | gather scatter both      | --access % -i 10 --strides 1,3,5,9,17,33,65
full  | disjoint     | -                        | --mapping disjoint -n 2^21 -i 50 --strides 1:65
quick | disjoint     | -                        | --mapping disjoint -n 2^21 -i 50 --strides 1:10,16,33
full  | disjoint-far | -                        | --mapping disjoint -n 2^20 -i 50 --strides 1:1024:*2
full  | n-2^%        | 16 18 20 22              | -n 2^% -i 200 --strides 1,3,9,33
quick | n-2^%        | 16 20                    | -n 2^% -i 200 --strides 1,9,33
full  | n-2^%        | 23 24 26 28              | -n 2^% -i 20 --strides 1,3,9,33
quick | n-2^%        | 24 26                    | -n 2^% -i 20 --strides 1,9,33
full  | items-%      | 1 2 8                    | -u % -i 20 --strides 1,3,9,33
quick | items-%      | 1                        | -u % -i 20 --strides 1,9,33
full  | block-%      | 64 128 1024              | -b % -i 20 --strides 1,3,9,33
quick | block-%      | 1024                     | -b % -i 20 --strides 1,9,33
full  | cold-%       | gather scatter           | --access % --l2 cold -n 2^26 -i 10 --strides 1,3,5,9,17,33,65
quick | cold-%       | gather                   | --access % --l2 cold -n 2^26 -i 10 --strides 1,9,33

aos_soa
full  | struct-16    | -                        | --struct-bytes 16 --conversion -i 20 --fields 1:4 --lanes 1,2,4,8,32
quick | struct-16    | -                        | --struct-bytes 16 --conversion -i 20 --fields 1,4 --lanes 8,32
full  | struct-24    | -                        | --struct-bytes 24 --conversion -i 20 --fields 1:6 --lanes 1,4,8,32
quick | struct-24    | -                        | --struct-bytes 24 --conversion -i 20 --fields 1,6 --lanes 32
full  | step         | -                        | --op step -i 20 --lanes 1,4,8,32
quick | step         | -                        | --op step -i 20 --lanes 32
full  | items-%      | 1 2 8                    | -u % -i 20 --fields 1,4
quick | items-%      | 1                        | -u % -i 20 --fields 1
full  | block-%      | 64 128 1024              | -b % -i 20 --fields 1,4
quick | block-%      | 1024                     | -b % -i 20 --fields 1
full  | hot          | -                        | -n 2^26 -i 10 --fields 1,4
full  | cold         | -                        | --l2 cold -n 2^26 -i 10 --fields 1,4
quick | cold         | -                        | --l2 cold -n 2^26 -i 10 --fields 1

transpose
both  | square       | -                        | -i 10
full  | odd          | -                        | --rows 8191 --cols 8191 -i 10
quick | odd          | -                        | --rows 8191 --cols 8191 --variants copy,naive,padded -i 10
full  | wide         | -                        | --rows 64 --cols 2^20 -i 10
quick | wide         | -                        | --rows 64 --cols 2^20 --variants copy,naive,padded -i 10
full  | tall         | -                        | --rows 2^20 --cols 64 -i 10
both  | padded       | -                        | --rows 8192 --cols 8192 --ld-in 8224 --ld-out 8224 -i 10
full  | cold         | -                        | --rows 8192 --cols 8192 --l2 cold -i 10
quick | cold         | -                        | --rows 8192 --cols 8192 --l2 cold --variants copy,naive,padded -i 10
END
}

experiments=(offset stride aos_soa transpose)

# --- the command line -------------------------------------------------------------------------------------------------

chosen=()
out=sweep
processes=""
devices=0
devices_given=false
quick=false
seed=1
resume=false
force=false
dry_run=false
bin="${SECTORSCOPE_BIN:-$root/build/bin}"
passed=()
while [[ $# -gt 0 ]]; do
  case "$1" in
    --out) need_value "$@" && out="$2" && shift 2 ;;
    --processes) need_value "$@" && processes="$2" && shift 2 ;;
    --device) need_value "$@" && devices="$2" && devices_given=true && shift 2 ;;
    --quick) quick=true && shift ;;
    --seed) need_value "$@" && seed="$2" && shift 2 ;;
    --resume) resume=true && shift ;;
    --force) force=true && shift ;;
    --dry-run) dry_run=true && shift ;;
    --build-dir) need_value "$@" && bin="$2/bin" && shift 2 ;;
    -h | --help) usage && exit 0 ;;
    --)
      passed=("${@:2}")
      break
      ;;
    -*) die "unknown option '$1' (try --help; what the executables take stands behind --)" 2 ;;
    *) chosen+=("$1") && shift ;;
  esac
done

[[ ${#chosen[@]} -gt 0 ]] || die "which experiments? (${experiments[*]}, or all; try --help)" 2
[[ "${chosen[*]}" != all ]] || chosen=("${experiments[@]}")
for experiment in "${chosen[@]}"; do
  [[ " ${experiments[*]} " == *" $experiment "* ]] ||
    die "no such experiment: '$experiment' (${experiments[*]}; all stands alone)" 2
done
duplicates="$(printf '%s\n' "${chosen[@]}" | sort | uniq -d)"
[[ -z "$duplicates" ]] || die "'${duplicates%%$'\n'*}' is there twice" 2

# In the order of the table, whatever theirs.
in_order=()
for experiment in "${experiments[@]}"; do
  [[ " ${chosen[*]} " != *" $experiment "* ]] || in_order+=("$experiment")
done
chosen=("${in_order[@]}")

[[ -n "$processes" ]] || { $quick && processes=3; } || processes=5
[[ "$processes" =~ ^[1-9][0-9]{0,2}$ ]] || die "--processes takes a number from 1 to 999, not '$processes'" 2
[[ "$seed" =~ ^(0|[1-9][0-9]{0,17})$ ]] || die "--seed takes a whole number, not '$seed'" 2
[[ "$devices" =~ ^(all|(0|[1-9][0-9]{0,3})(,(0|[1-9][0-9]{0,3}))*)$ ]] ||
  die "--device takes indices such as 0,1, or all, not '$devices'" 2
duplicates="$(tr , '\n' <<<"$devices" | sort | uniq -d)"
[[ -z "$duplicates" ]] || die "--device: ${duplicates%%$'\n'*} is there twice" 2
! $resume || ! $force || die "--resume goes on with the results, --force drops them: one of them" 2

bin="$(absolute_path "$bin")"
out="$(absolute_path "$out")"

# --- the points -------------------------------------------------------------------------------------------------------

# Point i is point_names[i] of point_experiments[i], in the order of the table; point_options[i] holds words without
# spaces.
point_experiments=()
point_names=()
point_options=()
read_table() {
  local experiment="" sweep name values options value wanted=full
  ! $quick || wanted=quick
  while IFS='|' read -r sweep name values options; do
    sweep="${sweep// /}"
    name="${name// /}"
    [[ -n "$name" ]] || experiment="${sweep:-$experiment}"
    [[ " ${chosen[*]} " == *" $experiment "* && ("$sweep" == "$wanted" || "$sweep" == both) ]] || continue
    read -ra values <<<"$values"
    for value in "${values[@]}"; do
      point_experiments+=("$experiment")
      point_names+=("${name//%/$value}")
      point_options+=("${options//%/$value}")
    done
  done < <(table)
}
read_table

# long_name OPTION: as it is compared.
long_name() {
  case "$1" in
    -n) echo --n ;;
    -i) echo --iterations ;;
    -r) echo --runs ;;
    -w) echo --warmup ;;
    -b) echo --block-size ;;
    -u) echo --items-per-thread ;;
    -e) echo --element-bytes ;;
    -d) echo --device ;;
    -q) echo --quiet ;;
    -h) echo --help ;;
    *) printf '%s\n' "$1" ;;
  esac
}

# option_names WORD...: sets names to the options among the words, in their long form.
option_names() {
  local word
  names=()
  while [[ $# -gt 0 ]]; do
    word="$1"
    shift
    case "$word" in
      -- | [!-]* | "" | -) die "'$word' behind --: options with their values only" 2 ;;
      --*=*) names+=("${word%%=*}") ;;
      # The flags; every other option takes a value.
      -q | --quiet | -h | --help | --version | --conversion | --predict | --plan | --audit)
        names+=("$(long_name "$word")")
        ;;
      --* | -?)
        names+=("$(long_name "$word")")
        [[ $# -eq 0 ]] || shift
        ;;
      *) names+=("$(long_name "${word:0:2}")") ;;
    esac
  done
}

option_names "${passed[@]}"
passed_names=" ${names[*]} "
taken=" --csv --samples --device --quiet --plan --audit --warp --version --help "
for options in "${point_options[@]}"; do
  read -ra words <<<"$options"
  option_names "${words[@]}"
  taken+="${names[*]} "
done
for name in $passed_names; do
  [[ "$taken" != *" $name "* ]] || die "$name behind --: the sweep sets it itself" 2
done

predicted=false
if [[ "$passed_names" == *" --predict "* ]]; then
  predicted=true
  ! $devices_given || die "--device: a prediction needs no GPU" 2
fi

# Of every run, unless passed on.
launches=()
[[ "$passed_names" == *" --warmup "* ]] || launches+=(-w 5)
[[ "$passed_names" == *" --runs "* ]] || launches+=(-r 3)

# build_command POINT DEVICE: sets command.
build_command() {
  local words
  read -ra words <<<"${point_options[$1]}"
  command=("$bin/${point_experiments[$1]}" "${launches[@]}" "${words[@]}" "${passed[@]}")
  $predicted || command+=(--device "$2")
}

# shell_words WORD...: one line that a shell reads as these words.
shell_words() {
  local word separator=""
  for word in "$@"; do
    [[ "$word" =~ ^[A-Za-z0-9_./:=,^+-]+$ ]] || word="${word@Q}"
    printf '%s%s' "$separator" "$word"
    separator=" "
  done
  printf '\n'
}

# --- what must be there, before anything runs -------------------------------------------------------------------------

need_miller
command -v flock >/dev/null || die "flock was not found: apt-get install util-linux" 3
for experiment in "${chosen[@]}"; do
  [[ -f "$bin/$experiment" && -x "$bin/$experiment" ]] ||
    die "no executable $bin/$experiment: build first (scripts/quickstart.sh), or say where with --build-dir" 3
done

# A run is "POINT PROCESS".
order="$(for ((i = 0; i < ${#point_names[@]}; ++i)); do
  for ((process = 1; process <= processes; ++process)); do echo "$i $process"; done
done | mlr --seed "$seed" --inidx --onidx shuffle)" || die "mlr cannot shuffle the runs" 3
mapfile -t runs <<<"$order"

if $dry_run; then
  [[ "$devices" != all ]] || { warn "--device all: device 0 stands for each of them" && devices=0; }
  for device in ${devices//,/ }; do
    for run in "${runs[@]}"; do
      build_command "${run% *}" "$device"
      shell_words "${command[@]}" || die "the command lines cannot be written" 3
    done
  done
  exit 0
fi

# checksum EXPERIMENT: of its executable.
checksum() { cksum <"$bin/$1"; }

declare -A checksums=()
for experiment in "${chosen[@]}"; do
  checksums[$experiment]="$(checksum "$experiment")" || die "$bin/$experiment cannot be read" 3
done

[[ ! -e "$out" || -d "$out" ]] || die "--out: '$out' is no folder" 2
state="$out/.sweep"

# refuse_earlier DIR...: neither --resume nor --force was given, or there is nothing that --resume could go on with.
refuse_earlier() {
  local folder experiment file found=""
  for folder in "$@"; do
    for experiment in "${chosen[@]}"; do
      for file in "$folder/$experiment.csv" "$folder/$experiment-samples.csv" "$folder/environment.txt"; do
        [[ ! -e "$file" ]] || found="$file"
      done
    done
  done
  if [[ -e "$state/options" ]]; then
    $resume || $force || die "'$out' holds a sweep: --resume goes on with it, --force replaces it" 2
  elif [[ -n "$found" ]]; then
    $force || die "'$found' exists, and is of no sweep that --resume could go on with; --force replaces it" 2
  fi
}
refuse_earlier "$out"

work="$(mktemp -d)" || die "no temporary folder can be made" 3
locked=false
# shellcheck disable=SC2317 # run by the trap
clean_up() {
  rm -rf -- "$work"
  ! $locked || rm -rf -- "$state/running"
}
trap clean_up EXIT
trap 'exit 129' HUP
trap 'exit 130' INT
trap 'exit 143' TERM
mkdir "$work/plans" "$work/failures"

# How many rows each point must have: what it predicts. A wrong request is found out here; an executable that fails in
# another way fails again when it is run, and is reported then.
for i in "${!point_names[@]}"; do
  build_command "$i" 0
  $predicted || command+=(--predict)
  status=0
  "${command[@]}" -q --csv "$work/plans/$i" >"$work/said" 2>&1 </dev/null || status=$?
  if [[ $status -eq 2 ]]; then
    cat "$work/said" >&2
    die "${point_experiments[i]} refuses what point ${point_names[i]} asks for: $(shell_words "${command[@]}")" 2
  fi
  [[ $status -eq 0 ]] || rm -f -- "$work/plans/$i"
done

planned_rows=()
versions=()
build_types=()
plans=("$work"/plans/*)
if [[ -e "${plans[0]}" ]]; then
  counts="$(mlr --icsv --onidx put -q '
    @rows[sub(FILENAME, "^.*/", "") . "|" . $version . "|" . $build_type] += 1;
    end { for (point, count in @rows) { print point . "|" . count } }' "${plans[@]}")" ||
    die "mlr cannot read the predicted rows" 3
  while IFS='|' read -r i version build_type count; do
    planned_rows[i]="$count"
    versions+=("$version")
    build_types+=("$build_type")
  done <<<"$counts"
fi

# no_answer: ends the script, since the last command failed and nothing can be done without.
no_answer() {
  cat "$work/said" >&2
  case $status in
    2 | 77) exit "$status" ;;
    *) die "exit status $status: $(shell_words "${command[@]}")" ;;
  esac
}
[[ ${#versions[@]} -gt 0 ]] || no_answer

# probe DEVICE: sets uuid, as the executables see it, whatever CUDA_VISIBLE_DEVICES says; false, and status, when none
# of them tells.
probe() {
  local experiment size
  for experiment in "${chosen[@]}"; do
    size=(-n 1)
    [[ "$experiment" != transpose ]] || size=(--rows 1 --cols 1)
    command=("$bin/$experiment" "${size[@]}" -w 0 -r 1 -i 1 --device "$1")
    rm -f -- "$work/probe.csv"
    status=0
    "${command[@]}" -q --csv "$work/probe.csv" >"$work/said" 2>&1 </dev/null || status=$?
    case $status in
      0)
        uuid="$(mlr --icsv --onidx head -n 1 then cut -f uuid "$work/probe.csv")" || die "mlr cannot read a row" 3
        [[ "$uuid" =~ ^[A-Za-z0-9-]*$ ]] || die "a uuid of a GPU was expected, not '$uuid'" 3
        return
        ;;
      2 | 77) return 1 ;;
    esac
  done
  return 1
}

uuids=("")
if ! $predicted; then
  uuids=()
  if [[ "$devices" == all ]]; then
    devices=0
    for ((device = 0; ; ++device)); do
      probe "$device" || { [[ $device -gt 0 && $status -eq 2 ]] && break; } || no_answer
      uuids+=("$uuid")
      [[ $device -eq 0 ]] || devices+=",$device"
    done
  else
    for device in ${devices//,/ }; do
      probe "$device" || no_answer
      uuids+=("$uuid")
    done
  fi
  duplicates="$(printf '%s\n' "${uuids[@]}" | sort | uniq -d)"
  [[ ${#uuids[@]} -eq 1 || (-z "$duplicates" && " ${uuids[*]} " != *"  "*) ]] ||
    die "--device: $devices have the uuids ${uuids[*]}: not one each" 2
fi
read -ra devices <<<"${devices//,/ }"

# Of GPU g: results, and finished runs.
result_dirs=()
finished_dirs=()
for uuid in "${uuids[@]}"; do
  if [[ ${#uuids[@]} -eq 1 ]]; then
    result_dirs+=("$out")
  else
    result_dirs+=("$out/$uuid")
  fi
  finished_dirs+=("$state/finished/${uuid:-none}")
done

# --- the folder -------------------------------------------------------------------------------------------------------

# A killed sweep gives its lock back, whatever it left running: no child has this descriptor.
mkdir -p -- "$state" || die "--out: '$out' cannot be made" 3
exec 9>>"$state/lock" || die "--out: nothing can be written to '$out'" 3
flock --nonblock 9 || die "another sweep is at work in '$out'" 2
locked=true

# Again, now that nobody can come between, and for every GPU.
refuse_earlier "${result_dirs[@]}"

# is_run PID FOLDER: whether that process is the run whose private folder that is.
is_run() { grep -qzF -- "$2/" "/proc/$1/cmdline" 2>/dev/null; }

# end_run PID FOLDER: ends that run, if need be by force.
end_run() {
  local tenths
  for ((tenths = 0; tenths < 50; ++tenths)); do
    is_run "$1" "$2" || return 0
    [[ $tenths -gt 0 ]] || kill "$1" 2>/dev/null || true
    sleep 0.1
  done
  kill -KILL "$1" 2>/dev/null || true
}

# What a killed sweep or worker left: a run that still occupies the GPU.
end_left_runs() {
  local folder
  for folder in "$state"/running/*; do
    [[ ! -s "$folder/pid" ]] || end_run "$(<"$folder/pid")" "$folder"
  done
}
end_left_runs
rm -rf -- "$state/running"

# What a resumed sweep must have in common with the one before.
stamp=(
  "experiments: ${chosen[*]}"
  "quick: $quick"
  "processes: $processes"
  "seed: $seed"
  "passed on: $(shell_words "${passed[@]}")"
  "version: $(printf '%s\n' "${versions[@]}" | sort -u | paste -sd ' ')"
  "build type: $(printf '%s\n' "${build_types[@]}" | sort -u | paste -sd ' ')"
  "gpu: $(printf '%s\n' "${uuids[@]}" | sort | paste -sd ' ')"
  "table: $(for i in "${!point_names[@]}"; do
    echo "${point_experiments[i]} ${point_names[i]} ${launches[*]} ${point_options[i]}"
  done | cksum)"
)

# remove_results DIR EXPERIMENT...: a folder of such a name is none of ours.
remove_results() {
  local folder="$1" experiment
  shift
  for experiment in "$@"; do
    rm -f -- "$folder/$experiment.csv" "$folder/$experiment-samples.csv" ||
      die "--force: the results in '$folder' cannot be removed" 3
  done
  rm -f -- "$folder/environment.txt" || die "--force: the results in '$folder' cannot be removed" 3
}

if $force; then
  if [[ -e "$state/options" ]]; then
    read -ra earlier <<<"$(sed -n 's/^experiments: //p' "$state/options")"
    read -ra earlier_uuids <<<"$(sed -n 's/^gpu: //p' "$state/options")"
    # These become names of files to remove.
    damaged() { die "'$state/options' is damaged: it names '$1'; remove '$state' by hand" 2; }
    for experiment in "${earlier[@]}"; do
      [[ " ${experiments[*]} " == *" $experiment "* ]] || damaged "$experiment"
    done
    for uuid in "${earlier_uuids[@]}"; do
      [[ "$uuid" =~ ^[A-Za-z0-9-]+$ ]] || damaged "$uuid"
    done
    remove_results "$out" "${earlier[@]}"
    for uuid in "${earlier_uuids[@]}"; do
      remove_results "$out/$uuid" "${earlier[@]}"
      [[ ! -d "$out/$uuid" ]] || rmdir --ignore-fail-on-non-empty -- "$out/$uuid"
    done
  fi
  for folder in "${result_dirs[@]}"; do remove_results "$folder" "${chosen[@]}"; done
  rm -rf -- "$state/finished" "$state/options"
elif [[ -e "$state/options" ]]; then
  mapfile -t earlier <"$state/options"
  for k in "${!stamp[@]}"; do
    [[ "${earlier[k]:-}" == "${stamp[k]}" ]] ||
      die "--resume: the sweep in '$out' has '${earlier[k]:-}', now it would be '${stamp[k]}'" 2
  done
  for folder in "${finished_dirs[@]}"; do
    for experiment in "${chosen[@]}"; do
      for file in "$folder/$experiment"/*/executable; do
        [[ ! -s "$file" || "$(<"$file")" == "${checksums[$experiment]}" ]] ||
          die "--resume: '$bin/$experiment' is not the executable that the sweep in '$out' was begun with" 2
      done
    done
  done
fi

# replace FILE COMMAND...: writes what it prints to FILE, in one step; a command that fails leaves FILE as it is.
replace() {
  local partial="$state/running/${1##*/}"
  # Miller does not notice a full disk; cat, at the end of the pipe, does.
  "${@:2}" | cat >"$partial" && mv -fT -- "$partial" "$1"
}

folders=("$state/running" "${result_dirs[@]}")
for folder in "${finished_dirs[@]}"; do folders+=("${chosen[@]/#/"$folder/"}"); done
mkdir -p -- "${folders[@]}" || die "--out: nothing can be written to '$out'" 3
replace "$state/options" printf '%s\n' "${stamp[@]}" || die "--out: nothing can be written to '$out'" 3

for g in "${!result_dirs[@]}"; do
  [[ ! -e "${result_dirs[g]}/environment.txt" ]] || continue
  replace "${result_dirs[g]}/environment.txt" "$root/scripts/environment.sh" \
    --build-dir "$(dirname -- "$bin")" ${uuids[g]:+--device "${uuids[g]}"} ||
    die "environment.txt cannot be written to '$out'" 3
done

# --- the runs ---------------------------------------------------------------------------------------------------------

# finished_dir G POINT PROCESS
finished_dir() { printf '%s\n' "${finished_dirs[$1]}/${point_experiments[$2]}/${point_names[$2]}.$3"; }

# check_run G POINT FOLDER: prints what is wrong with the files of a run that exited with 0.
check_run() {
  local counts rows samples expected uuid
  [[ -s "$3/executable" ]] || { echo "no checksum of the executable" && return; }
  counts="$(UUID="${uuids[$1]}" mlr --icsv --onidx put -q '
    begin {
      @rows = 0;
      @samples = 0;
      @expected = 0;
      @uuid = "";
    }
    if (FILENAME =~ "/samples.csv$") {
      @samples += 1;
    } else {
      @rows += 1;
      if ($status != "predicted") { @expected += $runs }
      if ($uuid != ENV["UUID"]) { @uuid = $uuid }
    }
    end { print @rows . " " . @samples . " " . @expected . " " . @uuid }' \
    "$3/rows.csv" "$3/samples.csv" 2>&1)" || { printf 'no whole CSV: %s\n' "${counts%%$'\n'*}" && return; }
  read -r rows samples expected uuid <<<"$counts"
  if [[ "$rows" != "${planned_rows[$2]:-}" ]]; then
    echo "$rows rows, predicted were ${planned_rows[$2]:-none}"
  elif [[ "$samples" != "$expected" ]]; then
    echo "$samples samples, the rows tell of $expected"
  elif [[ -n "$uuid" ]]; then
    echo "ran on $uuid, not on ${uuids[$1]}"
  fi
}

# A worker whose sweep was killed with SIGKILL must not go on alone.
orphaned() { [[ -e "/proc/$BASHPID" ]] && ! grep -q "^PPid:[[:space:]]*$$\$" "/proc/$BASHPID/status"; }

# run_point G POINT PROCESS: one process of one point, in a private folder that becomes a finished one in one step.
run_point() {
  # What it says is kept apart: a full disk must not swallow the message about it.
  local folder="$state/running/$BASHPID-$2-$3" said="$work/said-$1" status=0
  failure=""
  mkdir -- "$folder" || die "--out: nothing can be written to '$out'" 3
  build_command "$2" "${devices[$1]}"
  "${command[@]}" -q --csv "$folder/rows.csv" --samples "$folder/samples.csv" >"$said" 2>&1 </dev/null &
  child=$!
  # On a full disk the run itself fails, and says why.
  echo "$child" >"$folder/pid" 2>/dev/null || true
  ! $stop || kill "$child" 2>/dev/null || true
  wait "$child" || status=$?
  if $stop; then
    end_run "$child" "$folder"
    rm -rf -- "$folder"
    return
  fi
  child=""
  ! orphaned || exit 1
  if [[ $status -eq 77 ]]; then
    mv -f -- "$said" "$work/no_device"
    exit 77
  fi

  if [[ $status -ne 0 ]]; then
    failure="exit status $status"
  elif ! checksum "${point_experiments[$2]}" >"$folder/executable"; then
    failure="the checksum of the executable cannot be written"
  elif [[ "$(<"$folder/executable")" != "${checksums[${point_experiments[$2]}]}" ]]; then
    failure="the executable is not the one that the sweep was begun with"
  else
    failure="$(check_run "$1" "$2" "$folder")"
  fi
  if [[ -z "$failure" ]]; then
    rm -f -- "$folder/pid"
    mv -T -- "$folder" "$(finished_dir "$@")" || die "--out: nothing can be written to '$out'" 3
  else
    {
      echo "${point_experiments[$2]} ${point_names[$2]}, process $3: $failure"
      printf '  %s\n' "$(shell_words "${command[@]}")"
      tail -n 10 "$said" | sed 's/^/  | /'
    } >"$work/failures/$(printf '%d-%05d-%03d' "$@")"
    rm -rf -- "$folder"
  fi
}

duration() {
  if [[ $1 -lt 60 ]]; then
    echo "$1 s"
  else
    echo "$(($1 / 60)) min $(($1 % 60)) s"
  fi
}

# progress G TEXT: one line that is written over on a terminal, lines elsewhere and where several workers write.
progress() {
  if [[ ${#uuids[@]} -gt 1 ]]; then
    say "device ${devices[$1]}: $2"
  elif [[ -t 2 ]]; then
    printf '\r%-79.79s' "==> $2" >&2
  else
    say "$2"
  fi
}

# sweep_gpu G: what is missing on that GPU, in the shuffled order.
sweep_gpu() {
  local g="$1" run i process missing=() began=$SECONDS ended=0 failed=0 text folder problem
  stop=false
  child=""
  trap 'stop=true; [[ -z "$child" ]] || kill "$child" 2>/dev/null || true' HUP TERM
  for run in "${runs[@]}"; do
    i="${run% *}"
    process="${run#* }"
    folder="$(finished_dir "$g" "$i" "$process")"
    if [[ -d "$folder" ]]; then
      # A crash of the machine leaves files that are not whole.
      problem="$(check_run "$g" "$i" "$folder")"
      # A signal may have ended the check as well.
      ! $stop || return 0
      [[ -n "$problem" ]] || continue
      warn "run again: ${point_experiments[i]} ${point_names[i]}, process $process: $problem"
      rm -rf -- "$folder"
    fi
    missing+=("$run")
  done
  for run in "${missing[@]}"; do
    [[ ! -e "$work/no_device" ]] || break
    i="${run% *}"
    process="${run#* }"
    run_point "$g" "$i" "$process"
    ! $stop || break
    ended=$((ended + 1))
    [[ -z "$failure" ]] || failed=$((failed + 1))
    # The average so far tells it; the order is shuffled.
    text="$ended/${#missing[@]}, $(duration $(((SECONDS - began) * (${#missing[@]} - ended) / ended))) left"
    [[ $failed -eq 0 ]] || text+=", $failed failed"
    progress "$g" "$text: ${point_experiments[i]} ${point_names[i]}, process $process"
  done
}

text="${#runs[@]} runs (${#point_names[@]} points, K = $processes)"
[[ ${#uuids[@]} -eq 1 ]] || text+=" on each of ${#uuids[@]} GPUs"
say "$text"
interrupted=0
workers=()
# shellcheck disable=SC2317 # run by the traps
interrupt() {
  interrupted="$1"
  [[ ${#workers[@]} -eq 0 ]] || kill "${workers[@]}" 2>/dev/null || true
}
trap 'interrupt 129' HUP
trap 'interrupt 130' INT
trap 'interrupt 143' TERM
for g in "${!uuids[@]}"; do
  sweep_gpu "$g" 9>&- &
  workers+=("$!")
done
[[ $interrupted -eq 0 ]] || interrupt "$interrupted"

worst=0
killed=""
for g in "${!workers[@]}"; do
  worker="${workers[g]}"
  while :; do
    status=0
    wait "$worker" || status=$?
    # A signal ends the wait, not the worker.
    kill -0 "$worker" 2>/dev/null || break
  done
  [[ $status -ne 137 ]] || killed+=" ${devices[g]}"
  [[ $status -le $worst ]] || worst=$status
done
[[ -z "$killed" ]] || end_left_runs

# --- the results ------------------------------------------------------------------------------------------------------

# From here on it takes a moment only, and is better done than broken off.
trap '' HUP INT TERM
[[ ! -t 2 || ${#uuids[@]} -gt 1 ]] || echo >&2 # behind the progress

# join_runs G EXPERIMENT FILE: that file of all finished runs, in the order of the table, with process and point behind.
join_runs() {
  local i process run files=()
  cd -- "${finished_dirs[$1]}/$2" || return
  for i in "${!point_names[@]}"; do
    for ((process = 1; process <= processes; ++process)); do
      run="${point_names[i]}.$process"
      [[ "${point_experiments[i]}" != "$2" || ! -e "$run" ]] || files+=("$run/$3.csv")
    done
  done
  # The header apart, for a file without rows: what Miller makes of one differs between its versions.
  mlr --csv --implicit-csv-header --headerless-csv-output head -n 1 then put '
    $process = "process";
    $point = "point"' "${files[0]}" || return
  mlr -S --csv --headerless-csv-output put '
    name = splitax(FILENAME, "/")[1];
    $process = sub(name, "^.*[.]", "");
    $point = sub(name, "[.][^.]*$", "")' "${files[@]}"
}

written=true
joined=()
for g in "${!uuids[@]}"; do
  for experiment in "${chosen[@]}"; do
    [[ -n "$(ls -- "${finished_dirs[g]}/$experiment")" ]] || continue
    replace "${result_dirs[g]}/$experiment.csv" join_runs "$g" "$experiment" rows &&
      replace "${result_dirs[g]}/$experiment-samples.csv" join_runs "$g" "$experiment" samples || written=false
    joined+=("${result_dirs[g]}/$experiment.csv")
  done
  replace "${result_dirs[g]}/environment.txt" "$root/scripts/environment.sh" \
    --after "${result_dirs[g]}/environment.txt" ${uuids[g]:+--device "${uuids[g]}"} || written=false
done

failures=("$work"/failures/*)
if [[ -e "${failures[0]}" ]]; then
  warn "${#failures[@]} of ${#runs[@]} runs failed; --resume runs them again:"
  cat "${failures[@]}" >&2
fi
$written || die "the finished runs are kept, but the results could not be written to '$out'; --resume writes them" 3
if [[ $interrupted -ne 0 ]]; then
  warn "interrupted: --resume goes on with '$out'"
  exit "$interrupted"
fi
if [[ -e "$work/no_device" ]]; then
  cat "$work/no_device" >&2
  warn "the CUDA device was lost: --resume goes on with '$out' once it is back"
  exit 77
fi
[[ -z "$killed" ]] || die "the process of device$killed was killed by SIGKILL: --resume goes on with '$out'" 137
[[ $worst -eq 0 ]] || exit "$worst"
[[ ! -e "${failures[0]}" ]] || exit 1
flags="$(mlr --icsv --onidx --ofs ' ' nest --explode --values --across-records -f flags --nested-fs ';' \
  then filter '$flags != ""' then count-distinct -f flags "${joined[@]}" | paste -sd ,)" ||
  die "mlr cannot read the flags of the rows" 3
[[ -z "$flags" ]] || warn "rows with a flag, see the column: ${flags//,/, }"
say "done: $out"
