#!/usr/bin/env bash
# run_bats.sh FILE...: runs bats; exit 77, which ctest shows as skipped, where bats is not installed.
set -euo pipefail

if ! command -v bats >/dev/null; then
  echo "skipped: bats is not installed"
  exit 77
fi
exec bats "$@"
