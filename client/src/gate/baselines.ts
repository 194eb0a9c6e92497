import type { Operations } from '../generated.ts';
import { RulesError } from './rules-error.ts';

/** A run to compare with, and earlier runs whose scores count as its trials. `id` is undefined if no run has the mark yet. */
export type Baseline = { name: string; id: string | undefined; anchor: boolean; pooled?: string[] };

/** Names of runs by their mark: `latest:main`, `first:main`, and `latest:main*3` for the last three together. */
const marked = /^(latest|first):([^*]*)(?:\*([1-9]|10))?$/;

/** Returns the runs with the mark that are older than this run, the newest first; for several and for the first, of the same testset. */
const findMarked = async (
  client: Operations,
  projectId: string | undefined,
  runId: string,
  { name, isFirst, mark, count }: { name: string; isFirst: boolean; mark: string; count: number },
): Promise<string[]> => {
  if (projectId === undefined) {
    throw new RulesError(
      `${name} needs a project.`,
      'Name it as project in the file with the rules, or with --project.',
    );
  }
  if (!/^\d+$/.test(runId)) return [];
  const testsetId = isFirst || count > 1 ? (await client.getRun(runId)).testsetId : null;
  const found: string[] = [];
  for await (const { id } of client.listRuns(projectId, {
    mark,
    limit: isFirst ? 100 : 10,
    ...(testsetId !== null && { testsetId }),
  })) {
    if (BigInt(id) >= BigInt(runId)) continue;
    found.push(id);
    if (!isFirst && found.length === count) break;
  }
  return isFirst ? found.slice(-1) : found;
};

/**
 * Finds a baseline that the service cannot find alone, such as one in the history of a repository. Returns undefined for any other name.
 */
export type FindBaseline = (name: string) => Promise<{ id: string | undefined } | undefined>;

const withoutRepository: FindBaseline = async (name) => {
  if (!name.startsWith('merge-base:')) return undefined;
  throw new RulesError(
    `${name} needs a repository, which only the command line has.`,
    'Name a run or latest:MARK instead.',
  );
};

/** Finds the runs to compare with: each is an id, `latest:MARK`, `first:MARK`, or what `find` knows. */
export const findBaselines = async (
  client: Operations,
  runId: string,
  { project, baseline, anchor }: { project: string | undefined; baseline: string[]; anchor: string[] },
  find: FindBaseline = withoutRepository,
): Promise<Baseline[]> => {
  const found: Baseline[] = [];
  for (const [i, name] of [...baseline, ...anchor].entries()) {
    const special = await find(name);
    const [, which, mark = '', count = '1'] = marked.exec(name) ?? [];
    const ids = special
      ? [special.id]
      : which
        ? await findMarked(client, project, runId, {
            name,
            isFirst: which === 'first',
            mark,
            count: Number(count),
          })
        : [name];
    const [id, ...pooled] = ids;
    if (id !== undefined && found.some((other) => other.id === id)) continue;
    found.push({
      name,
      id,
      anchor: i >= baseline.length,
      ...(pooled.length > 0 && { pooled: pooled.filter((one) => one !== undefined) }),
    });
  }
  return found;
};
