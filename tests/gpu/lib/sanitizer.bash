# shellcheck shell=bash
# compute-sanitizer, for the scripts that look for its findings. Sourced behind scripts/common.sh.

# Prints the path of compute-sanitizer; false when there is none.
find_sanitizer() {
  local nvcc
  command -v compute-sanitizer && return
  nvcc="$(find_nvcc)" || return 1
  nvcc="${nvcc%/*}/compute-sanitizer"
  [[ -x "$nvcc" ]] && printf '%s\n' "$nvcc"
}

# sanitize TOOL LOG COMMAND...: runs COMMAND under a tool, its findings and its output in LOG; fails as COMMAND does, or
# with 99 for a finding.
sanitize() {
  # Backtraces of the host name functions of the executable that did not run on the GPU.
  "$(find_sanitizer)" --tool "$1" --error-exitcode 99 --show-backtrace device "${@:3}" >"$2" 2>&1
}

# sanitizer_errors LOG...: the sum of what the tool counted. Fails unless every LOG has its summary.
sanitizer_errors() {
  awk '
    # "ERROR SUMMARY: 3 errors", "RACECHECK SUMMARY: 1 hazard displayed (0 errors, 1 warning)"
    /^========= (ERROR|RACECHECK) SUMMARY:/ {
      ++summaries
      most = 0
      gsub(/[(,)]/, "")
      for (i = 1; i < NF; ++i) if ($(i + 1) ~ /^(error|hazard|warning)s?$/ && $i + 0 > most) most = $i + 0
      errors += most
    }
    END { print errors + 0; exit summaries == ARGC - 1 ? 0 : 1 }' "$@"
}
