#!/usr/bin/env bats
# quickstart.sh and test.sh, with stand-ins for every tool that they call: nothing is installed or compiled.

# A checkout in a folder with a space in its name, and a PATH that holds the stand-ins and a few plain tools only.
setup() {
  checkout="$BATS_TEST_TMPDIR/a checkout"
  tools="$BATS_TEST_TMPDIR/tools"
  calls="$BATS_TEST_TMPDIR/calls"
  mkdir -p "$checkout/scripts" "$tools"
  : >"$calls"
  local script tool
  for script in common.sh quickstart.sh test.sh; do
    # The installer's folder is looked at whatever PATH says.
    sed 's#/usr/local/cuda#/no/such/folder#' "$BATS_TEST_DIRNAME/../../scripts/$script" >"$checkout/scripts/$script"
    chmod +x "$checkout/scripts/$script"
  done
  for tool in awk bash cat chmod dirname env find getconf grep head mkdir sed sleep sort; do
    ln -s "$(command -v "$tool")" "$tools/$tool"
  done
  unset CUDACXX CUDA_PATH CUDA_HOME CUDAARCHS CXX CMAKE_GENERATOR CI
  export calls tools

  stand_in nvcc 'exit 0'
  stand_in nproc 'echo 3'
  stand_in id 'echo 1000'
  stand_in g++ 'cat >/dev/null'
  stand_in make 'exit 0'
  stand_in cmake '
    if [ "$1" = --version ]; then echo "cmake version 3.25.1"; exit 0; fi
    echo "cmake $*" >>"$calls"
    if [ "$1" = --build ]; then
      mkdir -p "$2/bin"
      for name in offset stride aos_soa transpose; do
        cp_stand_in "$name" "$2/bin/$name"
      done
    fi'
  stand_in cp_stand_in 'cat "$tools/experiment" >"$2"; chmod +x "$2"'
  # What the experiments do, until a test says otherwise: as on a machine with a GPU.
  stand_in experiment 'echo "${0##*/} $*" >>"$calls"; echo "Verification: PASSED"'
}

# stand_in NAME BODY: a script on the stand-ins' PATH.
stand_in() {
  printf '#!%s\n%s\n' "$(command -v bash)" "$2" >"$tools/$1"
  chmod +x "$tools/$1"
}

run_script() {
  local name="$1"
  shift
  run env PATH="$tools" "$checkout/scripts/$name" "$@"
}

called() { grep -qxF -- "$1" "$calls"; }
says() { [[ "$output" == *"$1"* ]]; }

@test "quickstart: without nvcc one line says how to get it, exit 3, and nothing was called" {
  rm "$tools/nvcc"
  run_script quickstart.sh
  [ "$status" -eq 3 ]
  [ "${#lines[@]}" -eq 1 ]
  says "https://developer.nvidia.com/cuda-downloads"
  [ ! -s "$calls" ]
}

@test "test: without nvcc one line says how to get it, exit 3" {
  rm "$tools/nvcc"
  run_script test.sh
  [ "$status" -eq 3 ]
  [ "${#lines[@]}" -eq 1 ]
  says "https://developer.nvidia.com/cuda-downloads"
}

@test "quickstart: nvcc off the PATH is found through CUDACXX and through CUDA_PATH" {
  mkdir -p "$BATS_TEST_TMPDIR/my cuda/bin"
  mv "$tools/nvcc" "$BATS_TEST_TMPDIR/my cuda/bin/nvcc"
  CUDACXX="$BATS_TEST_TMPDIR/my cuda/bin/nvcc" run_script quickstart.sh
  [ "$status" -eq 0 ]
  CUDA_PATH="$BATS_TEST_TMPDIR/my cuda" run_script quickstart.sh
  [ "$status" -eq 0 ]
  CUDACXX=/no/such/nvcc run_script quickstart.sh
  [ "$status" -eq 3 ]
}

@test "--help prints the header comment, exit 0, without any tool" {
  rm "$tools/nvcc" "$tools/cmake"
  local script
  for script in quickstart.sh test.sh; do
    run_script "$script" --help
    [ "$status" -eq 0 ]
    [[ "${lines[0]}" == "Usage: scripts/$script"* ]]
    says "--build-dir DIR"
    [[ "$output" != *"set -euo"* ]]
  done
}

@test "a wrong option, a missing value and a wrong number of jobs: exit 2, naming it" {
  local script
  for script in quickstart.sh test.sh; do
    run_script "$script" --bild-dir x
    [ "$status" -eq 2 ]
    says "--bild-dir"
    run_script "$script" -j
    [ "$status" -eq 2 ]
    says "-j needs a value"
    run_script "$script" --build-dir ""
    [ "$status" -eq 2 ]
    says "--build-dir needs a value"
    run_script "$script" -j 0
    [ "$status" -eq 2 ]
    says "'0'"
  done
  [ ! -s "$calls" ]
}

@test "quickstart: builds and runs the four with their defaults, from a folder with a space, started from elsewhere" {
  cd /
  run_script quickstart.sh
  [ "$status" -eq 0 ]
  called "cmake -S $checkout -B $checkout/build -DCMAKE_BUILD_TYPE=Release"
  called "cmake --build $checkout/build -j 3 --target sectorscope_experiments"
  local experiment
  for experiment in offset stride aos_soa transpose; do
    called "$experiment "
  done
  [ "$(grep -c . "$calls")" -eq 6 ]
  [[ "$output" != *predict* ]]
}

@test "quickstart: -j and a relative --build-dir with a space are honoured" {
  cd "$BATS_TEST_TMPDIR"
  run_script quickstart.sh -j 7 --build-dir "my build"
  [ "$status" -eq 0 ]
  called "cmake --build $BATS_TEST_TMPDIR/my build -j 7 --target sectorscope_experiments"
  [ -x "$BATS_TEST_TMPDIR/my build/bin/offset" ]
}

@test "quickstart: without a GPU it says so once and shows the predictions of all four" {
  stand_in experiment 'echo "${0##*/} $*" >>"$calls"; [ "${1:-}" = --predict ] || exit 77'
  run_script quickstart.sh
  [ "$status" -eq 0 ]
  says "no CUDA device here"
  [ "$(grep -c 'no CUDA device here' <<<"$output")" -eq 1 ]
  local experiment
  for experiment in offset stride aos_soa transpose; do
    called "$experiment --predict"
  done
}

@test "quickstart: a failing experiment is named with its status, the others still run, exit 1" {
  stand_in experiment 'echo "${0##*/} $*" >>"$calls"; case "$0" in */stride) exit 3 ;; esac'
  run_script quickstart.sh
  [ "$status" -eq 1 ]
  says "failed: stride (exit 3)"
  called "transpose "
}

@test "quickstart: a failing prediction fails it too" {
  stand_in experiment 'case "${0##*/} ${1:-}" in "aos_soa --predict") exit 1 ;; *--predict) ;; *) exit 77 ;; esac'
  run_script quickstart.sh
  [ "$status" -eq 1 ]
  says "failed: aos_soa (exit 1)"
}

@test "quickstart: a build that fails runs nothing, exit 1" {
  stand_in cmake '[ "$1" = --version ] && echo "cmake version 3.28.0" && exit 0; [ "$1" != --build ]'
  run_script quickstart.sh
  [ "$status" -eq 1 ]
  says "the build failed"
  [ ! -s "$calls" ]
}

@test "quickstart: a CMake below 3.25 is refused with both versions; 3.100 is not below 3.25" {
  stand_in cmake 'echo "cmake version 3.22.1"'
  run_script quickstart.sh
  [ "$status" -eq 1 ]
  says "3.25"
  says "3.22.1"
  stand_in cmake 'echo "cmake version 3.100.0"; [ "$1" = --build ] && exit 5; exit 0'
  run_script quickstart.sh
  says "the build failed"
}

@test "quickstart: with everything there neither apt-get nor sudo is called" {
  stand_in apt-get 'echo "apt-get $*" >>"$calls"'
  stand_in sudo 'echo "sudo $*" >>"$calls"'
  run_script quickstart.sh
  [ "$status" -eq 0 ]
  ! grep -Eq '^(apt-get|sudo)' "$calls"
}

@test "quickstart: installs only what is missing, through sudo when not root, and asks apt twice for its lists" {
  rm "$tools/make"
  stand_in sudo 'echo "sudo $*" >>"$calls"; "$@"'
  stand_in apt-get '
    echo "apt-get $*" >>"$calls"
    case "$1" in
      update) exit 100 ;;
      install) [ "$DEBIAN_FRONTEND" = noninteractive ] && cat "$tools/nproc" >"$tools/make" && chmod +x "$tools/make" ;;
    esac'
  run_script quickstart.sh
  [ "$status" -eq 0 ]
  [ "$(grep -c '^apt-get update' "$calls")" -eq 2 ]
  called "apt-get install -y -qq --no-install-recommends make"
  grep -q '^sudo env DEBIAN_FRONTEND=noninteractive apt-get install' "$calls"
}

@test "quickstart: root installs without sudo" {
  rm "$tools/make"
  stand_in id 'echo 0'
  stand_in apt-get 'case "$1" in install) cat "$tools/nproc" >"$tools/make" && chmod +x "$tools/make" ;; esac'
  run_script quickstart.sh
  [ "$status" -eq 0 ]
}

@test "quickstart: without apt-get, or without a way to be root, it names what to install" {
  rm "$tools/make"
  run_script quickstart.sh
  [ "$status" -eq 1 ]
  says "not installed: make"
  says "cannot go on without: make"
  stand_in apt-get 'exit 0'
  run_script quickstart.sh
  [ "$status" -eq 1 ]
  says "as root: apt-get install make"
}

@test "quickstart: libraries that cannot be installed are left to CMake" {
  stand_in g++ 'while read -r line; do case "$line" in *CLI/CLI.hpp*) exit 1 ;; esac; done'
  run_script quickstart.sh
  [ "$status" -eq 0 ]
  says "CMake will fetch what it does not find of: libcli11-dev"
}

# test.sh with stand-ins for the tools that check.
test_tools() {
  stand_in git 'echo "git $*" >>"$calls"; [ "$3" = rev-parse ] || printf "a file.hpp\0"'
  stand_in ctest 'echo "ctest $*" >>"$calls"'
  stand_in clang-format 'echo "clang-format $*" >>"$calls"; echo "clang-format version ${CLANG_FORMAT:-14}.0.6"'
  stand_in shellcheck 'echo "shellcheck $*" >>"$calls"'
  local tool
  for tool in bats gnuplot mlr; do
    stand_in "$tool" 'exit 0'
  done
}

@test "test: checks, builds, runs ctest and then the sanitizers, all from a folder with a space" {
  test_tools
  cd /
  run_script test.sh
  [ "$status" -eq 0 ]
  says "all steps passed"
  called "clang-format --dry-run -Werror a file.hpp"
  called "shellcheck -x a file.hpp"
  called "cmake -S $checkout --preset ci -B $checkout/build-ci"
  called "cmake -S $checkout --preset sanitize -B $checkout/build-ci-sanitize"
  grep -qF "ctest --test-dir $checkout/build-ci -j 3" "$calls"
  grep -qF "ctest --test-dir $checkout/build-ci-sanitize -j 3 -L ^unit\$" "$calls"
}

@test "test: each failing step is named at the end, and the steps after it still run" {
  test_tools
  stand_in shellcheck 'exit 1'
  stand_in ctest 'echo "ctest $*" >>"$calls"; exit 8'
  run_script test.sh
  [ "$status" -eq 1 ]
  says "failed: shellcheck ctest unit tests under sanitizers"
  [ "$(grep -c '^ctest' "$calls")" -eq 2 ]
}

@test "test: another clang-format is skipped and named, never trusted" {
  test_tools
  CLANG_FORMAT=18 run_script test.sh
  [ "$status" -eq 0 ]
  says "skipped: clang-format (only version 14 counts"
  ! grep -q '^clang-format --dry-run' "$calls"
}

@test "test: a missing tool is named and skipped, and under CI it is a failure" {
  test_tools
  rm "$tools/shellcheck"
  run_script test.sh
  [ "$status" -eq 0 ]
  says "skipped: shellcheck (not installed)"
  CI=true run_script test.sh
  [ "$status" -eq 1 ]
  says "not installed: shellcheck"
}
