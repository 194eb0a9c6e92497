import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { cp, lstat, mkdir, mkdtemp, readdir, readFile, readlink, rm, symlink } from 'node:fs/promises';
import { basename, dirname, join, sep } from 'node:path';
import type { Agent, Place } from './agents.ts';
import type { Arm } from './arms.ts';
import type { Case } from './cases.ts';

/** Folders that hold what others made: no part of an answer. */
const skipped = new Set(['.git', 'node_modules', '.venv', 'venv', '__pycache__', '.pytest_cache', 'target']);

const mostFiles = 200;
const mostOfFile = 20_000;
const mostOfAll = 200_000;

/** What an agent changed in its workspace. Texts of added and changed files, cut where they are long. */
export type Changes = {
  added: Record<string, string>;
  changed: Record<string, string>;
  removed: string[];
  /** Number of further files that changed; absent if there are none. */
  more?: number;
};

type Snapshot = Map<string, string>;

/** Copies a folder into another, with the links in it as links. */
const lay = (from: string, to: string): Promise<void> =>
  cp(from, to, { recursive: true, verbatimSymlinks: true, force: true });

/** Makes the place of a trial: the workspace of the case with what the arm lays over it, and an empty home. */
export const makePlace = async (
  task: Case,
  arm: Arm,
  agent: Agent,
  env: NodeJS.ProcessEnv,
  directory: string,
): Promise<Place & { root: string }> => {
  const root = await mkdtemp(join(directory, 'dokima-lift-'));
  const [workspace, home] = [join(root, 'workspace'), join(root, 'home')];
  await mkdir(workspace);
  await mkdir(home);
  if (task.workspace) await lay(task.workspace, workspace);
  for (const folder of arm.files) await lay(folder, workspace);
  for (const { name, from } of arm.skills) await lay(from, join(workspace, agent.skills, name));
  if (arm.instructions) await cp(arm.instructions, join(workspace, agent.instructions));
  for (const { from, to } of agent.signIn(env)) {
    if (!existsSync(from)) continue;
    await mkdir(join(home, dirname(to)), { recursive: true });
    // A link, so that nothing of it stays here, and a token that the agent renews is kept.
    await symlink(from, join(home, to));
  }
  return { root, workspace, home, marker: join(root, 'used') };
};

/** Returns each file of a folder with the digest of its content. Links count by where they lead, and are not followed. */
export const snapshotOf = async (
  folder: string,
  below = '',
  into: Snapshot = new Map(),
): Promise<Snapshot> => {
  const entries = await readdir(join(folder, below), { withFileTypes: true });
  for (const entry of entries) {
    const path = below ? `${below}/${entry.name}` : entry.name;
    if (entry.isDirectory()) {
      if (!skipped.has(entry.name)) await snapshotOf(folder, path, into);
    } else if (entry.isSymbolicLink()) into.set(path, `link ${await readlink(join(folder, path))}`);
    else if (entry.isFile()) {
      const { size } = await lstat(join(folder, path));
      // A huge file is compared by its size: reading it would take longer than the agent.
      const content = size > 50_000_000 ? String(size) : await readFile(join(folder, path));
      into.set(path, createHash('sha256').update(content).digest('hex'));
    }
  }
  return into;
};

const textOf = async (path: string, digest: string, limit: number): Promise<string> => {
  if (digest.startsWith('link ')) return digest.replace('link ', '→ ');
  const { size } = await lstat(path);
  if (size > 50_000_000) return `(${size} bytes)`;
  const bytes = await readFile(path);
  if (bytes.subarray(0, 8_000).includes(0)) return `(${size} bytes)`;
  const text = bytes.toString('utf8');
  return text.length <= limit ? text : `${text.slice(0, limit)}…`;
};

/** Returns what changed between two snapshots of a workspace. */
export const changesOf = async (folder: string, before: Snapshot, after: Snapshot): Promise<Changes> => {
  const changes: Changes = { added: {}, changed: {}, removed: [] };
  const paths = [...after.keys()].filter((path) => before.get(path) !== after.get(path)).toSorted();
  let left = mostOfAll;
  for (const path of paths.slice(0, mostFiles)) {
    const text = await textOf(join(folder, path), after.get(path)!, Math.min(mostOfFile, Math.max(0, left)));
    left -= text.length;
    changes[before.has(path) ? 'changed' : 'added'][path] = text;
  }
  const removed = [...before.keys()].filter((path) => !after.has(path)).toSorted();
  changes.removed = removed.slice(0, mostFiles);
  const more = Math.max(0, paths.length - mostFiles) + Math.max(0, removed.length - mostFiles);
  return { ...changes, ...(more > 0 && { more }) };
};

/** Removes what would lead a copy out of the workspace: a link that the agent left where a folder or file of the check belongs. */
const clearWay = async (workspace: string, path: string): Promise<void> => {
  let way = workspace;
  for (const part of path.split(sep)) {
    way = join(way, part);
    const found = await lstat(way).catch(() => undefined);
    if (!found) return;
    const isLast = way === join(workspace, path);
    if (found.isSymbolicLink() || (isLast ? !found.isFile() : !found.isDirectory()))
      await rm(way, { recursive: true, force: true });
  }
};

/** Copies the check of a case into the workspace, after the agent has ended. Returns the path of its program there. */
export const reveal = async ({ hidden, check }: Case, workspace: string): Promise<string> => {
  if (hidden === undefined) {
    const path = join(workspace, basename(check));
    await rm(path, { recursive: true, force: true });
    await cp(check, path);
    return path;
  }
  const entries = await readdir(hidden, { recursive: true, withFileTypes: true });
  for (const entry of entries.filter((one) => !one.isDirectory())) {
    const path = join(entry.parentPath, entry.name).slice(hidden.length + 1);
    await clearWay(workspace, path);
    await mkdir(join(workspace, dirname(path)), { recursive: true });
    await cp(join(hidden, path), join(workspace, path), { verbatimSymlinks: true });
  }
  return join(workspace, basename(check));
};
