import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/**
 * Finds readers of JSON that round. JSON.parse turns 12345678901234567890 into …67000 and 1.10 into 1.1, so a document of a user (inputs,
 * outputs, expected, a testcase, a trace, a file) is read by `parseAsWritten`, `parseAnswer` or `platform/json`, or stays text.
 */
const rounding = /\bJSON\.parse\b|\.json\(\)/;
const isComment = /^\s*(?:\/\/|\/?\*)/;

/**
 * How often a file may read JSON in a way that rounds, by the reason why no document can be harmed. The ends of paths, so that a room may
 * move.
 */
export const allowed: Record<string, Record<string, number>> = {
  'is the reader that keeps digits, or reads one JSON string, or only asks whether a text is JSON': {
    'tables/exact-cells.ts': 1,
    'client/src/written-number.ts': 2,
    'audit/export.ts': 1,
    'scim/filter.ts': 1,
    'archive/export-project.ts': 1,
    'masking/mask-json.ts': 3,
    'records/search-text.ts': 1,
    'http/audit.ts': 1,
    'json/json.ts': 1,
    'json/parse-json.ts': 3,
    'executions/call-endpoint.ts': 1,
    'ask/claim-texts.ts': 1,
  },
  'checks a copy: what is stored is the text': {
    'masking/mask-data.ts': 1,
  },
  'reads what the service made itself: ids, counts, statistics, settings, words': {
    'cli/src/archive.ts': 2,
    'lift/trials.ts': 1,
    'client/src/archive.ts': 1,
    'client/src/errors.ts': 1,
    'scim/routes.ts': 1,
    'sso/flow-cookie.ts': 1,
    'addresses/links.ts': 1,
    // Texts alone.
    'trials/align.ts': 1,
    'demo/create-demo.ts': 2,
    'demo/agent-traces.ts': 1,
    'demo/create-production.ts': 2,
    'archive/naming.ts': 1,
    'archive/queries.ts': 1,
    'archive/routes.ts': 1,
    'archive/copy-project.ts': 1,
    'sealed/answer-looks.ts': 1,
    'sealed/seal-testcases.ts': 2,
    'sealed/take-look.ts': 2,
    'masking/masking.ts': 1,
    'masking/routes.ts': 1,
    'records/names.ts': 1,
    'testsets/json-schema.ts': 1,
    'analysis/calibration-routes.ts': 1,
    'analysis/changed-records.ts': 3,
    'analysis/compare-routes.ts': 2,
    'analysis/read-comparison.ts': 1,
    'analysis/read-differences.ts': 1,
    'analysis/measure-jury.ts': 1,
    'analysis/doubts.ts': 1,
    'analysis/people-labels.ts': 1,
    'looks/open-ledger.ts': 1,
    'analysis/plan-of-looks.ts': 1,
    'analysis/read-calibration.ts': 1,
    'analysis/read-near-duplicates.ts': 1,
    'analysis/read-trust.ts': 1,
    'analysis/run-scores.ts': 2,
    'analysis/switches.ts': 1,
    'analysis/trends.ts': 2,
    'failures/group-failures.ts': 2,
    'operate/restore.ts': 1,
    'http/api-examples.ts': 1,
    'settings/update-settings.ts': 1,
    'drafts/draft-testcases.ts': 1,
    'monitors/define-monitor.ts': 1,
    'monitors/upsert-monitor.ts': 1,
    'providers/configure-provider.ts': 2,
    'providers/model-lists.ts': 1,
    'providers/secrets.ts': 3,
    'trials/describe-trial.ts': 2,
    'battery/conclude.ts': 1,
    'passports/issue.ts': 2,
    'decisions/register.ts': 2,
    // The file is canonical: each number is written as JavaScript writes it.
    'client/src/decision-file/check.ts': 1,
    'client/src/decision-file/file.ts': 1,
    'cli/src/commands/verify.ts': 1,
    'decision-file/gate-answers.ts': 1,
    'decision-file/jobs.ts': 1,
    'decision-file/write-file.ts': 2,
    'operate/recompute.ts': 1,
    'decisions/routes.ts': 1,
    'commands/judge.ts': 1,
    'events/apply-results.ts': 1,
    'alerts/configure-alert.ts': 1,
    'alerts/deliver.ts': 1,
    'alerts/describe-run.ts': 4,
    'reports/routes.ts': 1,
    'news/read-news.ts': 2,
    'schedules/start-task.ts': 2,
    'web/src/live.ts': 1,
    'guide/guide.ts': 2,
    'web/src/streamed.ts': 1,
    'runs/follow-run.ts': 1,
    'ui/markdown.tsx': 1,
  },
  'passes documents on as texts within a list or an object': {
    'python/process.ts': 1,
    'templates/template-process.ts': 1,
    'templates/template.ts': 1,
    'analysis/same-inputs.ts': 1,
    'statistics/examined-cases.ts': 1,
  },
  'reads a verdict of a judge, whose fields are small numbers and texts': {
    'preferences/judge-pairs.ts': 1,
    'judges/read-question.ts': 2,
  },
  'looks for words in a document and returns none of it': {
    'judges/addressed.ts': 1,
  },
  'reads settings, rules or lists of files and models, which have no numbers of users with more digits than JavaScript keeps':
    {
      'cli/src/config.ts': 1,
      'cli/src/dokima.ts': 1,
      'cli/src/document.ts': 1,
      'gate/pull-request.ts': 2,
      'lift/arms.ts': 1,
      'lift/events.ts': 1,
      'lift/run-trial.ts': 1,
      'import/hugging-face.ts': 1,
      'ask/ask-project.ts': 1,
      'models/list-models.ts': 1,
      'models/model.ts': 2,
      'models/price-list.ts': 1,
      'metrics/templates.ts': 1,
      'providers/price-lists.ts': 2,
    },
  'gives values to a program in JavaScript, which asked for its own numbers': {
    'cli/src/external.ts': 1,
    'client/src/main.ts': 1,
    'client/src/prompts.ts': 1,
    'results/results.ts': 1,
    'evaluate/own-service.ts': 2,
    'vitest/test.ts': 1,
    'projects/first-record.tsx': 1,
  },
};

/** Returns the lines of a file, from 1, that read JSON in a way that rounds. */
export const roundingLines = (text: string): number[] =>
  text.split('\n').flatMap((line, i) => (rounding.test(line) && !isComment.test(line) ? [i + 1] : []));

/** Returns a sentence for each file whose number of such lines is not the allowed one. */
export const problemsOf = (files: ReadonlyMap<string, string>): string[] => {
  const counts = Object.values(allowed).flatMap((each) => Object.entries(each));
  const countOf = (file: string) => counts.find(([end]) => `/${file}`.endsWith(`/${end}`))?.[1] ?? 0;
  const found = [...files].flatMap(([file, text]) => {
    const [lines, most] = [roundingLines(text), countOf(file)];
    if (lines.length === most) return [];
    if (lines.length < most)
      return [`${file} reads JSON ${lines.length} times: correct its number in tools/lint-json.ts`];
    return [
      `${file}:${lines.join(',')} JSON.parse or .json() rounds numbers: read a document by parseAsWritten, or say in tools/lint-json.ts why this is none`,
    ];
  });
  const gone = counts.filter(([end]) => ![...files.keys()].some((file) => `/${file}`.endsWith(`/${end}`)));
  return [...found, ...gone.map(([end]) => `${end} is gone: take it out of tools/lint-json.ts`)];
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
