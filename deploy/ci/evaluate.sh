#!/usr/bin/env bash
# Runs the testcases, waits for the scores, decides, and keeps one comment on the pull request. action.yml and gitlab.yml call it.
set -euo pipefail
dokima() { node "$(dirname "${BASH_SOURCE[0]}")/../../cli/bin/dokima.js" "$@"; }

run=${DOKIMA_RUN:-}
if [ -z "$run" ]; then
  options=(--testset "$DOKIMA_TESTSET" --metric "$DOKIMA_METRICS" --concurrency "${DOKIMA_CONCURRENCY:-4}" --json)
  if [ -n "${DOKIMA_COMMAND:-}" ]; then options+=(--command "$DOKIMA_COMMAND"); else options+=(--endpoint "$DOKIMA_ENDPOINT"); fi
  made=$(mktemp)
  # 3: some calls got no answer. The gate then says what is missing.
  dokima run "${options[@]}" >"$made" || [ $? = 3 ]
  run=$(node -p 'JSON.parse(require("node:fs").readFileSync(process.argv[1], "utf8")).run.id' "$made")
fi
dokima watch "$run" || [ $? = 3 ]
[ -z "${GITHUB_OUTPUT:-}" ] || echo "run=$run" >>"$GITHUB_OUTPUT"
dokima gate "$run" --config "${DOKIMA_CONFIG:-dokima.yaml}" --baseline "${DOKIMA_BASELINE:-merge-base:main}" --store --comment
