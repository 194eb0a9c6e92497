import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { endLine, headOf, lineOf, type Result, readLines, type Session } from '../results/results.ts';
import type { JsonObject } from '../types.ts';
import { keyOf } from './evaluation.ts';

type File = ReturnType<typeof readLines> & { path: string };

/** The folder of the evaluations of this name, which the Python package uses too. */
export const folderOf = (name: string): string =>
  join('dokima-results', name.replaceAll(/[^\p{L}\p{N}\-_. ]/gu, '_'));

/** Returns the readable files of a folder, newest first. */
export const filesIn = (folder: string): File[] => {
  if (!existsSync(folder)) return [];
  const names = readdirSync(folder).filter((name) => name.endsWith('.jsonl'));
  return names
    .sort()
    .reverse()
    .flatMap((name) => {
      const path = join(folder, name);
      try {
        return [{ path, ...readLines(path) }];
      } catch {
        return [];
      }
    });
};

/** Returns the earlier file that `than` names: its path, `previous`, or a mark. */
export const fileOf = (than: string, folder: string, own: string): string | undefined => {
  if (/\.jsonl$/.test(than) && existsSync(than)) return than;
  return filesIn(folder).find(
    ({ path, head, isWhole }) =>
      isWhole && resolve(path) !== resolve(own) && (than === 'previous' || head.marks?.includes(than)),
  )?.path;
};

/** The file of results. Each line is written as soon as it is known, so that a crash loses nothing. */
export type Journal = {
  path: string;
  session: Session;
  /** Results that are there after an interruption. */
  done: Result[];
  /** Answers of the same version of the system, by their key. */
  known: ReadonlyMap<string, Result>;
  add: (result: Result) => void;
  end: () => void;
};

const writing = (path: string) => ({
  add: (result: Result) => appendFileSync(path, lineOf(result)),
  end: () => appendFileSync(path, endLine),
});

/** Cuts off the half line of a process that was killed. */
const cutHalfLine = (path: string): void => {
  const bytes = readFileSync(path);
  truncateSync(path, bytes.lastIndexOf(10) + 1);
};

export type AboutSystem = { name: string; system: string; scores: string; cached: boolean };

/** Opens the file to write: the newest one if it was interrupted with the same functions, else a new one. */
export const openJournal = (
  folder: string,
  file: string | undefined,
  session: Session,
  about: AboutSystem,
  note: (text: string) => void,
): Journal => {
  const known = new Map<string, Result>();
  for (const { path, head, results, isWhole } of file === undefined ? filesIn(folder) : []) {
    if (head.system !== about.system) continue;
    const answered = results.filter(({ error }) => error === null);
    if (!isWhole && head.scores === about.scores) {
      note(`${path} was interrupted. Its ${answered.length} answers are kept.`);
      cutHalfLine(path);
      const there = { id: head.id, tags: head.tags, marks: session.marks ?? [] };
      return { path, session: there, done: answered, known, ...writing(path) };
    }
    if (about.cached)
      for (const result of answered) if (!known.has(keyOf(result))) known.set(keyOf(result), result);
  }
  // Sorts by time. Two starts in one second have different ids.
  const time = new Date().toISOString().slice(0, 19).replaceAll(/[-:]/g, '').replace('T', '-');
  const path = file ?? join(folder, `${time}-${session.id.slice(0, 4)}.jsonl`);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, headOf(session, about as unknown as JsonObject));
  return { path, session, done: [], known, ...writing(path) };
};
