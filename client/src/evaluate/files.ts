import { appendFileSync, existsSync, mkdirSync, readdirSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { type Head, readLines } from '../results/read-results.ts';
import { endLine, headOf, lineOf, type Result, type Session } from '../results/results.ts';
import type { JsonObject } from '../types.ts';
import { keyOf } from './evaluation.ts';

type File = ReturnType<typeof readLines> & { path: string };

/** The folder of the evaluations of this name, which the Python package uses too. */
export const folderOf = (name: string): string =>
  join('dokima-results', name.replaceAll(/[^\p{L}\p{N}\-_. ]/gu, '_'));

/** Returns the readable files of a folder, newest first. */
export const filesIn = (folder: string, note: (text: string) => void = () => {}): File[] => {
  if (!existsSync(folder)) return [];
  const names = readdirSync(folder).filter((name) => name.endsWith('.jsonl'));
  return names
    .sort()
    .reverse()
    .flatMap((name) => {
      const path = join(folder, name);
      try {
        return [{ path, ...readLines(path) }];
      } catch (error) {
        note(`Left out: ${(error as Error).message}`);
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

/** Replaces a file by one with the results that are kept, so that no testcase stands there twice. */
const keepOnly = (path: string, head: Head, results: readonly Result[]): void => {
  writeFileSync(`${path}.part`, [`${JSON.stringify(head)}\n`, ...results.map(lineOf)].join(''));
  renameSync(`${path}.part`, path);
};

export type AboutSystem = {
  name: string;
  /** The name of the version, else the digest of the source. */
  system: string;
  scores: string;
  cached: boolean;
  source: string;
};

/** Opens the file to write: the newest one if it was interrupted with the same functions, else a new one. */
export const openJournal = (
  folder: string,
  file: string | undefined,
  session: Session,
  about: AboutSystem,
  isWanted: (result: Result) => boolean,
  note: (text: string) => void,
): Journal => {
  const known = new Map<string, Result>();
  let isChanged = false;
  for (const { path, head, results, isWhole } of file === undefined ? filesIn(folder, note) : []) {
    if (head.system !== about.system) continue;
    const answered = results.filter(({ error }) => error === null);
    if (!isWhole && head.scores === about.scores && head.source === about.source) {
      const done = answered.filter(isWanted);
      note(`${path} was interrupted. Its ${done.length} answers are kept.`);
      const there = { id: head.id, tags: head.tags, marks: session.marks ?? [] };
      keepOnly(path, { ...head, ...there }, done);
      return { path, session: there, done, known, ...writing(path) };
    }
    if (!about.cached) continue;
    // A file of an older program does not say how its answers were stored.
    for (const result of answered.filter(({ bare }) => bare !== null)) {
      if (known.has(keyOf(result))) continue;
      known.set(keyOf(result), result);
      isChanged ||= head.source !== about.source;
    }
  }
  if (isChanged)
    note(
      `The source of the system is not that of the answers to '${about.system}'. If it answers otherwise now, give cache another name.`,
    );
  // Sorts by time.
  const time = new Date().toISOString().slice(0, 23).replaceAll(/[-:.]/g, '').replace('T', '-');
  const path = file ?? join(folder, `${time}-${session.id.slice(0, 4)}.jsonl`);
  // Absolute: Node repeats forever where the working directory was deleted.
  mkdirSync(resolve(dirname(path)), { recursive: true });
  writeFileSync(path, headOf(session, about as unknown as JsonObject));
  return { path, session, done: [], known, ...writing(path) };
};
