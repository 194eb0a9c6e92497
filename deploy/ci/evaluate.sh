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
config=${DOKIMA_CONFIG:-dokima.yaml}
rules=("$run" --config "$config" --baseline "${DOKIMA_BASELINE:-merge-base:main}" --store --comment)
[ -z "${DOKIMA_DECISION:-}" ] || rules+=(--decision "$DOKIMA_DECISION")
code=0
dokima gate "${rules[@]}" || code=$?
# The file holds what was decided, also where that is no pass. 4: the gate could not decide.
if [ -n "${DOKIMA_DECISION:-}" ] && [ "$code" -lt 4 ]; then
  files=(--out dokima-decision.json --predicate dokima-predicate.json)
  dokima decision export "$DOKIMA_DECISION" --run "$run" --project "$DOKIMA_PROJECT" --config "$config" "${files[@]}"
  if [ -n "${GITHUB_OUTPUT:-}" ]; then
    echo "decision-file=$PWD/dokima-decision.json" >>"$GITHUB_OUTPUT"
    echo "predicate-file=$PWD/dokima-predicate.json" >>"$GITHUB_OUTPUT"
  fi
fi
exit "$code"
