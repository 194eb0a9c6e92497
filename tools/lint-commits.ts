import { execFileSync } from 'node:child_process';

/** Types of Conventional Commits (conventionalcommits.org) that this repository uses. */
const types = 'build|chore|ci|docs|feat|fix|perf|refactor|revert|style|test';
/** A longer subject is cut in lists of commits. */
const maxLength = 72;

/** Returns what is wrong with the subject of a commit, or undefined. */
export const subjectProblem = (subject: string): string | undefined => {
  if (subject.startsWith('Merge ') || subject.startsWith('Revert "')) return undefined;
  if (subject.length > maxLength) return `${subject.length} characters, at most ${maxLength}`;
  if (!new RegExp(`^(?:${types})(?:\\([\\w./-]+\\))?!?: \\S`).test(subject))
    return `must begin with a type, as "fix(runs): …": ${types.replaceAll('|', ', ')}`;
  return undefined;
};

/** Checks the subjects of the commits since COMMIT. Usage: node tools/lint-commits.ts COMMIT. Exits with 1 if one is wrong. */
if (import.meta.main) {
  const [since = 'origin/main'] = process.argv.slice(2);
  const subjects = execFileSync('git', ['log', '--format=%h %s', `${since}..HEAD`])
    .toString()
    .split('\n')
    .filter(Boolean);
  for (const line of subjects) {
    const problem = subjectProblem(line.slice(line.indexOf(' ') + 1));
    if (!problem) continue;
    process.stderr.write(`${line}\n  ${problem}\n`);
    process.exitCode = 1;
  }
}
