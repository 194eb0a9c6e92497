import type { Operations } from '../generated.ts';
import { RulesError } from './rules-error.ts';

/** A run to compare with. `id` is undefined if no run has the mark yet. */
export type Baseline = { name: string; id: string | undefined; anchor: boolean };

/** Names of runs by their mark, as in `latest:main`. */
const marked = /^(latest|first):(.*)$/;

/** Returns the newest or the first run with the mark that is older than this run. The first one is of the same testset. */
const findMarked = async (
  client: Operations,
  projectId: string | undefined,
  runId: string,
  [name, which, mark]: readonly string[],
): Promise<string | undefined> => {
  if (projectId === undefined) {
    throw new RulesError(
      `${name} needs a project.`,
      'Name it as project in the file with the rules, or with --project.',
    );
  }
  if (!/^\d+$/.test(runId)) return undefined;
  const isFirst = which === 'first';
  const testsetId = isFirst ? (await client.getRun(runId)).testsetId : null;
  let first: string | undefined;
  for await (const { id } of client.listRuns(projectId, {
    mark: mark!,
    limit: isFirst ? 100 : 10,
    ...(testsetId !== null && { testsetId }),
  })) {
    if (BigInt(id) >= BigInt(runId)) continue;
    if (!isFirst) return id;
    first = id;
  }
  return first;
};

/** Finds a baseline that needs more than the service, as the history of a repository. Returns undefined for any other name. */
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
    const byMark = marked.exec(name);
    const id = special ? special.id : byMark ? await findMarked(client, project, runId, byMark) : name;
    if (id !== undefined && found.some((other) => other.id === id)) continue;
    found.push({ name, id, anchor: i >= baseline.length });
  }
  return found;
};
