import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/**
 * Finds readers of JSON that round. JSON.parse turns 12345678901234567890 into …67000 and 1.10 into 1.1, so a document of a user (inputs,
 * outputs, expected, a testcase, a trace, a file) is read by `parseAsWritten`, `parseAnswer` or `platform/json`, or stays text.
 */
const rounding = /\bJSON\.parse\b|\.json\(\)/;
const isComment = /^\s*(?:\/\/|\/?\*)/;

/** How often a file may read JSON in a way that rounds, by the reason why no document can be harmed. */
export const allowed: Record<string, Record<string, number>> = {
  'is the reader that keeps digits, or reads one JSON string, or only asks whether a text is JSON': {
    'client/src/tables/exact-cells.ts': 1,
    'client/src/written-number.ts': 2,
    'server/src/accounts/audit/export.ts': 1,
    'server/src/accounts/scim/filter.ts': 1,
    'server/src/archive/export-project.ts': 1,
    'server/src/engine/masking/mask-json.ts': 3,
    'server/src/evaluation/records/search-text.ts': 1,
    'server/src/platform/http/audit.ts': 1,
    'server/src/platform/json/json.ts': 1,
    'server/src/platform/json/parse-json.ts': 3,
    'server/src/scoring/executions/call-endpoint.ts': 1,
  },
  'checks a copy: what is stored is the text': {
    'server/src/evaluation/masking/mask-data.ts': 1,
  },
  'reads what the service made itself: ids, counts, statistics, settings, words': {
    'cli/src/archive.ts': 2,
    'client/src/archive.ts': 1,
    'client/src/errors.ts': 1,
    'server/src/accounts/scim/routes.ts': 1,
    'server/src/accounts/sso/flow-cookie.ts': 1,
    'server/src/archive/demo/create-demo.ts': 2,
    'server/src/archive/naming.ts': 1,
    'server/src/archive/queries.ts': 1,
    'server/src/archive/routes.ts': 1,
    'server/src/evaluation/masking/masking.ts': 1,
    'server/src/evaluation/masking/routes.ts': 1,
    'server/src/evaluation/records/names.ts': 1,
    'server/src/evaluation/testsets/json-schema.ts': 1,
    'server/src/insights/analysis/calibration-routes.ts': 1,
    'server/src/insights/analysis/changed-records.ts': 3,
    'server/src/insights/analysis/compare-routes.ts': 3,
    'server/src/insights/analysis/measure-jury.ts': 1,
    'server/src/insights/analysis/plan-of-looks.ts': 1,
    'server/src/insights/analysis/read-calibration.ts': 1,
    'server/src/insights/analysis/read-near-duplicates.ts': 1,
    'server/src/insights/analysis/run-scores.ts': 2,
    'server/src/insights/analysis/switches.ts': 1,
    'server/src/insights/analysis/trends.ts': 2,
    'server/src/insights/failures/group-failures.ts': 2,
    'server/src/operate/restore.ts': 1,
    'server/src/platform/http/api-examples.ts': 1,
    'server/src/reviews/settings/update-settings.ts': 1,
    'server/src/scoring/drafts/draft-testcases.ts': 1,
    'server/src/scoring/monitors/define-monitor.ts': 1,
    'server/src/scoring/monitors/upsert-monitor.ts': 1,
    'server/src/scoring/providers/configure-provider.ts': 2,
    'server/src/scoring/providers/model-lists.ts': 1,
    'server/src/scoring/providers/secrets.ts': 3,
    'server/src/scoring/trials/describe-trial.ts': 2,
    'server/src/signals/alerts/configure-alert.ts': 1,
    'server/src/signals/alerts/deliver.ts': 1,
    'server/src/signals/alerts/describe-run.ts': 4,
    'server/src/signals/schedules/start-task.ts': 2,
    'web/src/live.ts': 1,
    'web/src/pages/guide/guide.ts': 2,
    'web/src/pages/playground/ask.ts': 2,
    'web/src/pages/runs/follow-run.ts': 1,
    'web/src/ui/markdown.tsx': 1,
  },
  'passes documents on as texts within a list or an object': {
    'server/src/engine/sandbox/python/process.ts': 1,
    'server/src/engine/templates/template-process.ts': 1,
    'server/src/engine/templates/template.ts': 1,
    'server/src/insights/analysis/same-inputs.ts': 1,
  },
  'reads a verdict of a judge, whose fields are small numbers and texts': {
    'server/src/insights/preferences/judge-pairs.ts': 1,
    'server/src/scoring/judges/read-question.ts': 2,
  },
  'looks for words in a document and returns none of it': {
    'server/src/scoring/judges/addressed.ts': 1,
  },
  'reads settings, rules or lists of files and models, which have no numbers of users with more digits than JavaScript keeps':
    {
      'cli/src/config.ts': 1,
      'cli/src/document.ts': 1,
      'cli/src/gate/pull-request.ts': 2,
      'cli/src/import/hugging-face.ts': 1,
      'server/src/agents/ask/ask-project.ts': 1,
      'server/src/engine/models/list-models.ts': 1,
      'server/src/engine/models/model.ts': 2,
      'server/src/engine/models/price-list.ts': 1,
      'server/src/evaluation/metrics/templates.ts': 1,
      'server/src/scoring/providers/price-lists.ts': 1,
    },
  'gives values to a program in JavaScript, which asked for its own numbers': {
    'cli/src/external.ts': 1,
    'client/src/main.ts': 1,
    'client/src/prompts.ts': 1,
    'client/src/vitest/results.ts': 1,
    'client/src/vitest/test.ts': 1,
    'web/src/pages/projects/first-record.tsx': 1,
  },
};

/** Returns the lines of a file, from 1, that read JSON in a way that rounds. */
export const roundingLines = (text: string): number[] =>
  text.split('\n').flatMap((line, i) => (rounding.test(line) && !isComment.test(line) ? [i + 1] : []));

/** Returns a sentence for each file whose number of such lines is not the allowed one. */
export const problemsOf = (files: ReadonlyMap<string, string>): string[] => {
  const counts = new Map(Object.values(allowed).flatMap((each) => Object.entries(each)));
  const found = [...files].flatMap(([file, text]) => {
    const [lines, most] = [roundingLines(text), counts.get(file) ?? 0];
    if (lines.length === most) return [];
    return lines.length > most
      ? [
          `${file}:${lines.join(',')} JSON.parse or .json() rounds numbers: read a document by parseAsWritten, or say in tools/lint-json.ts why this is none`,
        ]
      : [`${file} reads JSON ${lines.length} times: correct its number in tools/lint-json.ts`];
  });
  const gone = [...counts.keys()].filter((file) => !files.has(file));
  return [...found, ...gone.map((file) => `${file} is gone: take it out of tools/lint-json.ts`)];
};

/** Usage: node tools/lint-json.ts. Exits with 1 if there is a problem. */
if (import.meta.main) {
  const roots = ['client', 'cli', 'server', 'web'].flatMap((part) => [
    `${part}/src/*.ts`,
    `${part}/src/*.tsx`,
  ]);
  const files = execFileSync('git', ['ls-files', ...roots])
    .toString()
    .split('\n')
    .filter(Boolean);
  const sources = files.filter((file) => !/\.test\.tsx?$|generated/.test(file));
  for (const problem of problemsOf(new Map(sources.map((file) => [file, readFileSync(file, 'utf8')])))) {
    process.stderr.write(`${problem}\n`);
    process.exitCode = 1;
  }
}
