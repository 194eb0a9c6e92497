import type { Client } from '../../../client/src/main.ts';
import { CliError } from '../errors.ts';

/** A run to compare with. `id` is undefined if no run has the mark yet. */
export type Baseline = { name: string; id: string | undefined; anchor: boolean };

const latest = 'latest:';

/** Returns the newest run with the mark that is older than this run. */
const findMarked = async (
  client: Client,
  projectId: string | undefined,
  runId: string,
  mark: string,
): Promise<string | undefined> => {
  if (projectId === undefined) {
    throw new CliError(
      `${latest}${mark} needs a project.`,
      'Name it as project in the file with the rules, or with --project.',
    );
  }
  for await (const { id } of client.listRuns(projectId, { mark, limit: 10 })) {
    if (/^\d+$/.test(runId) && BigInt(id) < BigInt(runId)) return id;
  }
  return undefined;
};

/** Finds the runs to compare with: each is an id, or `latest:MARK`. */
export const findBaselines = async (
  client: Client,
  runId: string,
  { project, baseline, anchor }: { project: string | undefined; baseline: string[]; anchor: string[] },
): Promise<Baseline[]> => {
  const found: Baseline[] = [];
  for (const [i, name] of [...baseline, ...anchor].entries()) {
    const id = name.startsWith(latest)
      ? await findMarked(client, project, runId, name.slice(latest.length))
      : name;
    if (id !== undefined && found.some((other) => other.id === id)) continue;
    found.push({ name, id, anchor: i >= baseline.length });
  }
  return found;
};
