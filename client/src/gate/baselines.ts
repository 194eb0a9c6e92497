import type { Operations } from '../generated.ts';
import { RulesError } from './rules-error.ts';

/** A run to compare with. `id` is undefined if no run has the mark yet. */
export type Baseline = { name: string; id: string | undefined; anchor: boolean };

const latest = 'latest:';

/** Returns the newest run with the mark that is older than this run. */
const findMarked = async (
  client: Operations,
  projectId: string | undefined,
  runId: string,
  mark: string,
): Promise<string | undefined> => {
  if (projectId === undefined) {
    throw new RulesError(
      `${latest}${mark} needs a project.`,
      'Name it as project in the file with the rules, or with --project.',
    );
  }
  for await (const { id } of client.listRuns(projectId, { mark, limit: 10 })) {
    if (/^\d+$/.test(runId) && BigInt(id) < BigInt(runId)) return id;
  }
  return undefined;
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

/** Finds the runs to compare with: each is an id, `latest:MARK`, or what `find` knows. */
export const findBaselines = async (
  client: Operations,
  runId: string,
  { project, baseline, anchor }: { project: string | undefined; baseline: string[]; anchor: string[] },
  find: FindBaseline = withoutRepository,
): Promise<Baseline[]> => {
  const found: Baseline[] = [];
  for (const [i, name] of [...baseline, ...anchor].entries()) {
    const special = await find(name);
    const id = special
      ? special.id
      : name.startsWith(latest)
        ? await findMarked(client, project, runId, name.slice(latest.length))
        : name;
    if (id !== undefined && found.some((other) => other.id === id)) continue;
    found.push({ name, id, anchor: i >= baseline.length });
  }
  return found;
};
