import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { RulesError } from '../gate/rules-error.ts';
import type { Operations } from '../generated.ts';
import type { Environment } from '../types.ts';

const prefix = 'merge-base:';
/** Number of commits that are searched for one with a run. */
const mostCommits = 500;

/** The tag of a run that evaluates a commit. */
export const commitTag = (commit: string): string => `commit:${commit}`;

/** Returns the commit that a CI evaluates. Without CI there is none: the files of a person may differ from their commit. */
export const commitOfCi = ({ GITHUB_SHA, CI_COMMIT_SHA }: Environment): string | undefined =>
  GITHUB_SHA || CI_COMMIT_SHA || undefined;

/** Returns the commits of a branch from where HEAD left it, newest first. */
const historyOf = async (branch: string, directory: string): Promise<string[]> => {
  const git = async (...args: string[]) =>
    (await promisify(execFile)('git', args, { cwd: directory, maxBuffer: 1e7 })).stdout.trim();
  for (const name of [`refs/remotes/origin/${branch}`, `refs/heads/${branch}`]) {
    const base = await git('merge-base', 'HEAD', name).catch(() => undefined);
    if (base)
      return (await git('rev-list', '--first-parent', `--max-count=${mostCommits}`, base)).split('\n');
  }
  throw new RulesError(
    `git knows no common commit of HEAD and ${branch}.`,
    'Run in the repository and fetch the whole history of both: fetch-depth: 0 in GitHub Actions, GIT_DEPTH: 0 in GitLab CI.',
  );
};

/**
 * Returns what finds `merge-base:BRANCH`: the newest complete run, on the same testset, of the newest commit of the branch that has one,
 * counted from where HEAD left the branch.
 */
export const mergeBaseFinder =
  (client: Operations, projectId: string | undefined, runId: string, directory: string) =>
  async (name: string): Promise<{ id: string | undefined } | undefined> => {
    if (!name.startsWith(prefix)) return undefined;
    if (projectId === undefined)
      throw new RulesError(
        `${name} needs a project.`,
        'Name it in the file with the rules, or with --project.',
      );
    const commits = await historyOf(name.slice(prefix.length), directory);
    const { testsetId } = await client.getRun(runId);
    const runs = new Map<string, string>();
    const query = { limit: 100, ...(testsetId !== null && { testsetId }) };
    for await (const run of client.listRunDetails(projectId, query)) {
      if (run.id === runId || run.status !== 'completed') continue;
      for (const tag of run.tags) if (!runs.has(tag)) runs.set(tag, run.id);
    }
    const commit = commits.find((one) => runs.has(commitTag(one)));
    return { id: commit === undefined ? undefined : runs.get(commitTag(commit)) };
  };
