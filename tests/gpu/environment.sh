#!/usr/bin/env bash
# Hard environments on a machine with a GPU: which GPUs are visible, how modules load, too little memory, a driver call
# that fails in the middle, no code for this GPU, other locales, streams that close, files that several write, others on
# the GPU, throttling. What cannot be had here is named and not run.
export bin="${SECTORSCOPE_BIN:?the folder of the executables}"
# shellcheck source-path=SCRIPTDIR source=lib/common.bash
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.bash"
require_gpu
root="$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)"
folder=$(mktemp -d)
# shellcheck disable=SC2317 # run by the trap
clean_up() {
  local running
  mapfile -t running < <(jobs -pr)
  [[ ${#running[@]} -eq 0 ]] || kill -KILL "${running[@]}" || true
  wait
  rm -rf "$folder"
}
trap clean_up EXIT

five=(-n 4096 --offsets 0:4 -w 2 -r 2 -i 3) # five configurations of eight launches

# expect STATUS PHRASES COMMAND...: its exit status, and PHRASES, separated by '|', on stdout or stderr; both stay in
# $folder/out and $folder/err. Nothing here may wait for ever.
expect() {
  local wanted=$1 phrases phrase status=0
  IFS='|' read -r -a phrases <<<"$2"
  shift 2
  timeout 60 "$@" >"$folder/out" 2>"$folder/err" </dev/null || status=$?
  [[ $status -eq $wanted ]] || fail "exit $status instead of $wanted: $*"$'\n'"$(<"$folder/err")"
  for phrase in "${phrases[@]}"; do
    grep -qF -e "$phrase" "$folder/out" "$folder/err" || fail "no '$phrase' from: $*"$'\n'"$(<"$folder/err")"
  done
}

passes() { expect 0 "Verification: PASSED" "$@"; }

not_run() { printf 'not run: %s\n' "$*"; }

# rows FILE: how many there are below the header.
rows() {
  local lines=0
  [[ ! -s $1 ]] || lines=$(($(wc -l <"$1") - 1))
  echo "$lines"
}

# whole FILE: one header, first; every line has its number of fields and ends in a newline.
whole() {
  awk -F, 'NR == 1 { fields = NF; header = $0 }
    NF != fields || (NR > 1 && ($0 == header || $1 != "offset")) { bad = 1 }
    END { exit bad || NR == 0 }' "$1" && [[ -z $(tail -c 1 "$1") ]]
}

# written FILE ROWS
written() {
  [[ $(rows "$1") -eq $2 ]] || fail "${1##*/}: $(rows "$1") rows instead of $2"
  [[ $2 -eq 0 ]] || whole "$1" || fail "${1##*/} is not whole"
}

# wait_for SECONDS COMMAND...: until it succeeds.
wait_for() {
  local tenths=$(($1 * 10))
  until "${@:2}"; do
    tenths=$((tenths - 1))
    [[ $tenths -gt 0 ]] || return 1
    sleep 0.1
  done
}

has_rows() { [[ $(rows "$1") -ge $2 ]]; }

first_word() { awk '{ print $1 }'; }

# --- no code for this GPU: the build starts here, and is looked at last -----------------------------------------------

capability=$("$bin/offset" -n 1 --offsets 0 -r 1 -i 1 --csv - 2>/dev/null | column compute_capability)
foreign=75
[[ $capability != 7.5 ]] || foreign=90
nvcc=$(command -v nvcc || command -v /usr/local/cuda/bin/nvcc) || nvcc=""
if [[ -n $nvcc ]]; then
  "$nvcc" -std=c++17 -Xcompiler -O0 -DFMT_HEADER_ONLY -I"$root/include" \
    -gencode "arch=compute_$foreign,code=sm_$foreign" "$root/src/offset.cu" -o "$folder/foreign" \
    >"$folder/build.log" 2>&1 &
  build=$!
fi

# --- which GPUs are visible -------------------------------------------------------------------------------------------

uuid_of() { "$bin/offset" -n 1 --offsets 0 -r 1 -i 1 --csv - "$@" 2>/dev/null | column uuid; }

expect 2 "--device: '1023' is not on this machine|legal: 0.." "$bin/offset" --device 1023
last=$(sed -nE 's/.*\(legal: 0\.\.([0-9]+)\).*/\1/p' "$folder/err")
[[ $last =~ ^[0-9]+$ ]] || { fail "no number of devices" && last=0; }
expect 2 "--device: '$((last + 1))' is not on this machine|legal: 0..$last" \
  "$bin/offset" "${five[@]}" --device $((last + 1)) --csv "$folder/none.csv"
[[ $last -ge 7 ]] || expect 2 "--device: '7'|legal: 0..$last" "$bin/stride" --device 7
[[ ! -e $folder/none.csv ]] || fail "a device index that is not there left a file"

for hidden in "" -1; do
  for experiment in offset stride aos_soa transpose; do
    expect 77 "no CUDA device is visible" env CUDA_VISIBLE_DEVICES=$hidden "$bin/$experiment" --csv "$folder/none.csv"
    [[ ! -s $folder/out && ! -e $folder/none.csv ]] || fail "$experiment without a device printed, or left a file"
  done
done
CUDA_VISIBLE_DEVICES='' "$bin/offset" --predict -q >/dev/null || fail "--predict with no device visible"

uuid=$(uuid_of)
[[ $uuid =~ ^GPU(-[0-9a-f]+){5}$ ]] || fail "uuid: '$uuid'"
[[ $(CUDA_VISIBLE_DEVICES=$uuid uuid_of) == "$uuid" ]] || fail "by uuid: another GPU"
CUDA_VISIBLE_DEVICES=$uuid expect 2 "--device: '1' is not on this machine|legal: 0..0" "$bin/offset" --device 1
if [[ -n ${CUDA_VISIBLE_DEVICES+set} ]]; then
  not_run "GPUs by index: CUDA_VISIBLE_DEVICES is set already"
else
  for index in $(seq 0 "$last"); do
    [[ $(CUDA_VISIBLE_DEVICES=$index uuid_of --device 0) == "$(uuid_of --device "$index")" ]] ||
      fail "CUDA_VISIBLE_DEVICES=$index: --device 0 is another GPU than --device $index"
  done
  if [[ $last -gt 0 ]]; then
    other=$(uuid_of --device "$last")
    [[ $other != "$uuid" ]] || fail "two GPUs have one uuid"
    [[ $(CUDA_VISIBLE_DEVICES=$other,$uuid uuid_of --device 1) == "$uuid" ]] || fail "by two uuids: the wrong order"
  fi
fi
if command -v nvidia-smi >/dev/null; then
  nvidia-smi -L 2>/dev/null | grep -qF "$uuid" || fail "nvidia-smi knows no GPU $uuid"
fi

# --- how modules load, and when launches return -----------------------------------------------------------------------

for setting in CUDA_MODULE_LOADING=LAZY CUDA_MODULE_LOADING=EAGER CUDA_LAUNCH_BLOCKING=1; do
  passes env "$setting" "$bin/offset" "${five[@]}"
  [[ $setting != CUDA_LAUNCH_BLOCKING* ]] || grep -q "note: CUDA_LAUNCH_BLOCKING is set" "$folder/err" || fail "no note: $setting"
  passes env "$setting" "$bin/stride" -n 4099 -i 3
  passes env "$setting" "$bin/aos_soa" -n 4099 -i 3 --conversion
  passes env "$setting" "$bin/transpose" 100 200 3
done

# --- homes, paths, locales --------------------------------------------------------------------------------------------

passes env HOME=/proc XDG_CACHE_HOME=/proc XDG_RUNTIME_DIR=/proc TMPDIR=/proc "$bin/offset" "${five[@]}"
passes env -u HOME "$bin/offset" "${five[@]}"
passes env PATH=/nowhere "$bin/offset" "${five[@]}" --csv "$folder/no_path.csv"
driver=$("$bin/offset" "${five[@]}" --csv - 2>/dev/null | column driver | first_word)
[[ $(column driver <"$folder/no_path.csv" | first_word) == "$driver" ]] || fail "the driver's version comes from PATH"

# A locale with a decimal comma; where none is installed, one is made.
comma=$(locale -a 2>/dev/null | grep -iE -m 1 '^de_DE\.utf-?8$') || comma=""
if [[ -z $comma ]] && localedef -i de_DE -f UTF-8 "$folder/de_DE.UTF-8" >/dev/null 2>&1; then
  export LOCPATH=$folder
  comma=de_DE.UTF-8
fi
[[ -n $comma ]] || not_run "a locale with a decimal comma: none is installed, none can be made"
for locale in C ${comma:+"$comma"}; do
  passes env LC_ALL="$locale" "$bin/offset" "${five[@]}" \
    --csv "$folder/$locale.csv" --samples "$folder/$locale.runs.csv"
  written "$folder/$locale.csv" 5
  written "$folder/$locale.runs.csv" 10
  for number in median_ms stddev_ms useful_gbps ceiling_gbps pct_of_ceiling peak_gbps; do
    [[ $(column "$number" <"$folder/$locale.csv") =~ ^[0-9.e+\ -]*$ ]] || fail "$number in locale $locale"
  done
done

# --- memory -----------------------------------------------------------------------------------------------------------

# Prints the bytes that are free for a process: what the refusal says.
free_bytes() { { "$bin/offset" -n 40000000000 2>&1 || true; } | sed -nE 's/.* ([0-9]+) bytes free.*/\1/p'; }

too_large=(
  "offset -n 40000000000"
  "offset -n 1000 --offsets 0,80000000000" # what fits must not run either
  "stride -n 40000000000 --strides 3"
  "stride -n 1000 --mapping disjoint --strides 1,100000000"
  "aos_soa -n 20000000000"
  "transpose 200000 200000"
)
for call in "${too_large[@]}"; do
  read -r -a words <<<"$call"
  expect 3 "bytes of device memory needed|bytes free" "$bin/${words[0]}" "${words[@]:1}" --csv "$folder/large.csv"
  [[ $(wc -l <"$folder/err") -eq 1 ]] || fail "not one line: $(<"$folder/err")"
  ! grep -q "Verification" "$folder/out" || fail "a refused request has a verdict: $call"
  [[ $(rows "$folder/large.csv") -le 0 ]] || fail "a refused request left rows: $call"
  rm -f "$folder/large.csv"
done

# Cold mode needs twice the L2 besides.
needed() { { "$bin/offset" -n 40000000000 --offsets 0 "$@" 2>&1 || true; } | sed -nE 's/.* ([0-9]+) bytes of.*/\1/p'; }
[[ $(needed --l2 cold) -gt $(needed) ]] || fail "cold mode: $(needed --l2 cold) bytes needed, hot: $(needed)"

# --- other processes on the GPU ---------------------------------------------------------------------------------------

before=$(free_bytes)
"$bin/offset" -n 2^28 --offsets 0 -i 10000 -r 1000 -q >/dev/null 2>&1 &
neighbour=$!
less_free() { [[ $(free_bytes) -lt $((before - 2147483648)) ]]; } # its two arrays are 2 GiB
wait_for 20 less_free || fail "$before bytes free alone, still $(free_bytes) next to a process that holds 2 GiB"
passes "$bin/offset" "${five[@]}"
if grep -qF "note: other processes use this GPU: pid " "$folder/err"; then
  [[ $(grep -c "other processes" "$folder/err") -eq 1 ]] || fail "the neighbour is named more than once"
  ! grep -q "other processes" "$folder/out" || fail "the neighbour is named on stdout"
  passes "$bin/offset" "${five[@]}" -q
  [[ ! -s $folder/err ]] || fail "-q is not quiet: $(<"$folder/err")"
elif [[ -n $(nvidia-smi --query-compute-apps=pid --format=csv,noheader 2>/dev/null) ]]; then
  fail "nvidia-smi shows a process on the GPU, and offset does not say so"
else
  not_run "the note on other processes: NVML shows none here"
fi
kill -KILL "$neighbour"
wait "$neighbour" 2>/dev/null || true

# --- what NVML says ---------------------------------------------------------------------------------------------------

# A stand-in NVML: clocks that tell which was asked for, NEIGHBOURS processes, and throttle REASONS from call FROM on.
if ! command -v cc >/dev/null; then
  not_run "throttling and many processes: no C compiler"
else
  mkdir "$folder/nvml"
  cc -shared -fPIC -x c -o "$folder/nvml/libnvidia-ml.so.1" - <<'C'
#include <stdio.h>
#include <stdlib.h>

typedef struct {
  unsigned pid;
  unsigned long long used_bytes;
  unsigned gpu_instance, compute_instance;
} Process;

static int number(const char* name) { return getenv(name) ? atoi(getenv(name)) : 0; }

int nvmlInit_v2(void) { return 0; }
int nvmlDeviceGetHandleByUUID(const char* uuid, void** device) { return *device = (void*)uuid, 0; }
int nvmlSystemGetDriverVersion(char* text, unsigned size) { return snprintf(text, size, "999.1"), 0; }
int nvmlDeviceGetClockInfo(void* device, int domain, unsigned* mhz) { return *mhz = 1000 + domain, 0; }
int nvmlDeviceGetCurrentClocksThrottleReasons(void* device, unsigned long long* reasons) {
  static int calls;
  *reasons = ++calls >= number("FROM") && calls <= number("UNTIL") ? number("REASONS") : 1;
  return 0;
}
int nvmlDeviceGetComputeRunningProcesses_v3(void* device, unsigned* count, Process* found) {
  const unsigned there = number("NEIGHBOURS");
  const int fits = there <= *count;
  for (unsigned i = 0; fits && i < there; ++i) found[i].pid = 5000 + i;
  *count = there;
  return fits ? 0 : 7;
}
C
  says=(env LD_LIBRARY_PATH="$folder/nvml${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}")
  # Each configuration asks twice, before it starts and right after its last timed launch.
  for call in 0 3 4; do
    rm -f "$folder/nvml.csv"
    passes "${says[@]}" FROM=$call UNTIL=$call REASONS=4 "$bin/offset" "${five[@]}" --csv "$folder/nvml.csv"
    [[ $(column sm_clock_mhz <"$folder/nvml.csv") == "1001 1001 1001 1001 1001" ]] || fail "not the clock of the SMs"
    [[ $(column memory_clock_mhz <"$folder/nvml.csv") == "1002 1002 1002 1002 1002" ]] || fail "not the memory's clock"
    [[ $(column driver <"$folder/nvml.csv") == "999.1 999.1 999.1 999.1 999.1" ]] || fail "not the driver NVML names"
    wanted=0
    [[ $call -eq 0 ]] || wanted=1
    [[ $(column flags <"$folder/nvml.csv" | tr ' ' '\n' | grep -c throttled) -eq $wanted ]] ||
      fail "throttled at call $call: flags $(column flags <"$folder/nvml.csv")"
    [[ $(column flags <"$folder/nvml.csv" | cut -d ' ' -f 2) == *throttled* || $call -eq 0 ]] ||
      fail "throttled at call $call: flags $(column flags <"$folder/nvml.csv")"
    [[ $(grep -c '^throttled: ' "$folder/err") -eq $wanted ]] || fail "not one line of advice"
  done
  for there in 1 64 65 300; do
    passes "${says[@]}" NEIGHBOURS=$there "$bin/offset" "${five[@]}"
    named=$(sed -n 's/^note: other processes use this GPU: pid //p' "$folder/err" | tr ',' '\n' | wc -l)
    [[ $named -eq $there ]] || fail "$there other processes, $named named"
  done
fi

# --- a driver call that fails in the middle ---------------------------------------------------------------------------

# A stand-in libcuda hands everything to the real one, but for one launch or one allocation. The runtime looks up these
# three functions by name, and all others through cuGetProcAddress.
mkdir "$folder/driver"
real=$(LD_DEBUG=libs "$bin/offset" -n 1 --offsets 0 -r 1 -i 1 2>&1 >/dev/null |
  sed -nE 's/.*calling init: (.*\/libcuda\.so[^ ]*)$/\1/p' | head -n 1) || real=""
if [[ -z $real ]] || ! command -v cc >/dev/null; then
  not_run "a fault in configuration k: no C compiler, or the path of libcuda is unknown"
else
  cc -shared -fPIC -x c -o "$folder/driver/libcuda.so.1" - -ldl <<'C'
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef int (*Lookup)(const char*, void**, int, unsigned long long, void*);
typedef int (*Launch)(void*, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, void*, void**,
                      void**);
typedef int (*LaunchEx)(const void*, void*, void**, void**);
typedef int (*Allocate)(unsigned long long*, size_t);

static Launch real_launch;
static LaunchEx real_launch_ex;
static Allocate real_allocate;
static int launches, allocations;

static void* real(const char* name) {
  static void* library;
  if (!library) library = dlopen(getenv("REAL_LIBCUDA"), RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    fprintf(stderr, "%s\n", dlerror());
    abort();
  }
  return dlsym(library, name);
}

static int is_the_one(const char* name, int count) {
  const char* chosen = getenv(name);
  return chosen && atoi(chosen) == count;
}

static int launch(void* f, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz,
                  unsigned shared, void* stream, void** parameters, void** extra) {
  if (is_the_one("FAIL_LAUNCH", ++launches)) return 719;
  return real_launch(f, gx, gy, gz, bx, by, bz, shared, stream, parameters, extra);
}
static int launch_ex(const void* config, void* f, void** parameters, void** extra) {
  if (is_the_one("FAIL_LAUNCH", ++launches)) return 719;
  return real_launch_ex(config, f, parameters, extra);
}
static int allocate(unsigned long long* pointer, size_t bytes) {
  if (is_the_one("FAIL_ALLOCATION", ++allocations)) return 2;
  return real_allocate(pointer, bytes);
}

int cuDriverGetVersion(int* version) { return ((int (*)(int*))real("cuDriverGetVersion"))(version); }
int cuInit(unsigned flags) { return ((int (*)(unsigned))real("cuInit"))(flags); }

int cuGetProcAddress_v2(const char* name, void** function, int version, unsigned long long flags, void* status) {
  const int result = ((Lookup)real("cuGetProcAddress_v2"))(name, function, version, flags, status);
  if (result || !*function || (flags & 2)) return result; /* 2: functions of the per-thread default stream */
  if (!strncmp(name, "cuGetProcAddress", 16)) *function = (void*)cuGetProcAddress_v2;
#define REPLACE(looked_up, original, ours) \
  if (!strcmp(name, looked_up)) original = *function, *function = (void*)ours;
  REPLACE("cuLaunchKernel", real_launch, launch)
  REPLACE("cuLaunchKernelEx", real_launch_ex, launch_ex)
  REPLACE("cuMemAlloc", real_allocate, allocate)
  return result;
}

__attribute__((destructor)) static void report(void) {
  const char* path = getenv("COUNTS");
  FILE* file = path ? fopen(path, "w") : NULL;
  if (!file) return;
  fprintf(file, "%d %d\n", launches, allocations);
  fclose(file);
}
C
  faulty=(env LD_LIBRARY_PATH="$folder/driver${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}" REAL_LIBCUDA="$real")
  passes "${faulty[@]}" COUNTS="$folder/counts" "$bin/offset" "${five[@]}"
  read -r launches allocations <"$folder/counts"
  [[ $launches -eq 40 ]] || fail "the stand-in driver saw $launches launches instead of 40"

  # fault K REASON SETTING: configuration K of the five fails; the rows before it stay, and nothing else is reported.
  fault() {
    rm -f "$folder/fault.csv" "$folder/fault.runs.csv"
    expect 3 "configuration $1 of 5 (offset_read:offset=$(($1 - 1))): |$2" "${faulty[@]}" "$3" \
      "$bin/offset" "${five[@]}" --csv "$folder/fault.csv" --samples "$folder/fault.runs.csv"
    written "$folder/fault.csv" $(($1 - 1))
    written "$folder/fault.runs.csv" $((2 * ($1 - 1)))
    [[ $(grep -c '^offset_read ' "$folder/out") -eq $(($1 - 1)) ]] || fail "$3: the table has a row too many or too few"
    ! grep -q "Verification" "$folder/out" || fail "$3: a verdict after a fault"
  }
  fault 1 cudaErrorLaunchFailure FAIL_LAUNCH=1
  fault 3 cudaErrorLaunchFailure FAIL_LAUNCH=17 # its first warm-up
  fault 3 cudaErrorLaunchFailure FAIL_LAUNCH=21 # timed
  fault 5 cudaErrorLaunchFailure FAIL_LAUNCH=40 # the last of all
  fault 1 "out of device memory" FAIL_ALLOCATION="$allocations" # the output, which the others use too
fi

# --- streams ----------------------------------------------------------------------------------------------------------

status=0
"$bin/offset" -n 4096 --offsets 0:31 -q --csv - 2>"$folder/err" | head -n 1 >"$folder/out" || status=${PIPESTATUS[0]}
[[ $status -eq 3 ]] || fail "a reader that leaves: exit $status instead of 3"
[[ ! -s $folder/err ]] || fail "a reader that leaves: stderr has $(<"$folder/err")"
grep -q '^experiment,' "$folder/out" || fail "a reader that leaves got no header"

status=0
"$bin/offset" "${five[@]}" >/dev/full 2>"$folder/err" || status=$?
[[ $status -eq 3 && $(<"$folder/err") == *"standard output: No space left"* ]] || fail "a full stdout: exit $status"
status=0
"$bin/offset" "${five[@]}" -q --csv "$folder/closed.csv" >/dev/null 2>&- || status=$?
[[ $status -eq 0 ]] || fail "a closed stderr: exit $status"
written "$folder/closed.csv" 5
expect 3 "'/dev/full': No space left on device" "$bin/offset" "${five[@]}" --csv /dev/full
! grep -q "Verification" "$folder/out" || fail "a verdict after rows that could not be written"

mkfifo "$folder/fifo"
cat "$folder/fifo" >"$folder/from_fifo.csv" &
reader=$!
passes "$bin/offset" "${five[@]}" --csv "$folder/fifo"
wait "$reader" || fail "the reader of the FIFO"
written "$folder/from_fifo.csv" 5
head -n 1 "$folder/fifo" >/dev/null &
status=0
timeout 60 "$bin/offset" -n 4096 --offsets 0:31 -q --csv "$folder/fifo" >"$folder/out" 2>"$folder/err" || status=$?
[[ $status -eq 3 && ! -s $folder/out && ! -s $folder/err ]] || fail "a FIFO whose reader leaves: exit $status"

# --- files that several write, and processes that die -----------------------------------------------------------------

writers=()
for w in 0 1 2 3; do
  "$bin/offset" -n 1024 --offsets 0:99 -w $w -r 2 -i 1 -q --csv "$folder/shared.csv" --samples "$folder/runs.csv" \
    >/dev/null 2>&1 &
  writers+=("$!")
done
for writer in "${writers[@]}"; do wait "$writer" || fail "one of four writers: exit $?"; done
written "$folder/shared.csv" 400
written "$folder/runs.csv" 800
for w in 0 1 2 3; do
  [[ $(column warmup <"$folder/shared.csv" | tr ' ' '\n' | grep -cx $w) -eq 100 ]] || fail "rows of writer $w are lost"
done

for signal in KILL INT TERM; do
  rm -f "$folder/killed.csv"
  # What a script starts in the background ignores SIGINT, unless told otherwise.
  env --default-signal=INT "$bin/offset" -n 1024 --offsets 0:9999 -q --csv "$folder/killed.csv" >/dev/null 2>&1 &
  victim=$!
  wait_for 20 has_rows "$folder/killed.csv" 3 || fail "no rows to be killed after"
  kill -"$signal" "$victim" || fail "nothing to kill"
  wait "$victim" 2>/dev/null || true
  written "$folder/killed.csv" "$(rows "$folder/killed.csv")"
done
before=$(rows "$folder/killed.csv")
touch "$folder/killed.csv.lock" "$folder/.killed.csv.lock"
passes timeout 20 "$bin/offset" "${five[@]}" --csv "$folder/killed.csv" # the dead hold no lock
written "$folder/killed.csv" $((before + 5))
! grep -q "waiting" "$folder/err" || fail "a lock of a process that died is waited for"

# --- no code for this GPU ---------------------------------------------------------------------------------------------

if [[ -z $nvcc ]]; then
  not_run "a build for another architecture: no nvcc"
elif ! wait "$build"; then
  if grep -qE "fatal error: (CLI|fmt)/" "$folder/build.log"; then
    not_run "a build for another architecture: the headers of CLI11 and fmt are not installed"
  else
    fail "a build for sm_$foreign: $(tail -n 5 "$folder/build.log")"
  fi
else
  for loading in LAZY EAGER; do
    expect 3 "cudaErrorNoKernelImageForDevice|holds no code for this GPU|rebuild with -DCMAKE_CUDA_ARCHITECTURES" \
      env CUDA_MODULE_LOADING=$loading "$folder/foreign" "${five[@]}" --csv "$folder/foreign.csv"
    [[ $(rows "$folder/foreign.csv") -le 0 ]] || fail "a build without code for this GPU wrote rows"
    ! grep -q "Verification" "$folder/out" || fail "a build without code for this GPU has a verdict"
  done
  expect 0 "Verification: not run" "$folder/foreign" --predict -q
fi
finish "environment"
