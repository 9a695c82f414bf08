#!/usr/bin/env bash
# deploy: the word build in this comment is no code
set -euo pipefail
source ./lib/common.sh
. "lib/log.sh"

export STAGE=production REGION
readonly RETRIES=3
declare -a targets=(web api)
version="$(git describe)-${STAGE}"

build() {
  local target="$1" out
  out=$(make "$target" 2>&1) || return 1
  echo "build ${out} $version"
}

function deploy {
  for target in "${targets[@]}"; do
    build "$target"
  done
  cat <<EOT
build $STAGE
EOT
}

REGION=eu
deploy 'build'
