import { styleText } from 'node:util';
import type { Engine } from '../server/src/platform/db/database.ts';

/** What a line of the result is held against. */
export type Target = { text: string; met: boolean };

/** One line of the result. */
export type Measurement = {
  work: string;
  engine: Engine;
  seconds: number;
  /** How many of `unit` were done in `seconds`. */
  count: number;
  unit: string;
  /** The same number of the same by the bare statement, in the same run. */
  bareSeconds?: number | undefined;
  target?: Target | undefined;
  /** Largest resident memory of the service's process. */
  peakMb?: number | undefined;
  /** Processor time that those `count` took. */
  cpu?: Processor | undefined;
};

/** Seconds of processor time of the service's process and of all of PostgreSQL's; no database where it is embedded. */
export type Processor = { service: number; database: number | undefined };

/** Seconds that `work` took. */
export const time = async (work: () => Promise<unknown>): Promise<number> => {
  const start = performance.now();
  await work();
  return (performance.now() - start) / 1000;
};

export const median = (values: number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;

/**
 * Does both things `rounds` times, in turn, so that whatever else the machine does meets both alike; returns the median
 * seconds of each, and the median processor time of the service's side where `processor` reads its clock: on a machine
 * that others use too, that tells more than the seconds.
 */
export const compare = async (
  rounds: number,
  service: () => Promise<unknown>,
  bare: () => Promise<unknown>,
  processor?: () => Promise<Processor | undefined>,
): Promise<{ seconds: number; bareSeconds: number; cpu?: Processor | undefined }> => {
  const seconds: number[] = [];
  const bareSeconds: number[] = [];
  const spent: Processor[] = [];
  for (let round = 0; round < rounds; round++) {
    const before = await processor?.();
    seconds.push(await time(service));
    const after = await processor?.();
    if (before && after) spent.push(difference(before, after));
    bareSeconds.push(await time(bare));
  }
  return { seconds: median(seconds), bareSeconds: median(bareSeconds), cpu: medianProcessor(spent) };
};

/** Processor time between two readings. */
export const difference = (before: Processor, after: Processor): Processor => ({
  service: after.service - before.service,
  database: after.database === undefined ? undefined : after.database - before.database!,
});

/** Of each side by itself; undefined where there is none. */
export const medianProcessor = (spent: Processor[]): Processor | undefined =>
  spent.length === 0
    ? undefined
    : {
        service: median(spent.map(({ service }) => service)),
        database:
          spent[0]!.database === undefined ? undefined : median(spent.map(({ database }) => database!)),
      };

/** Rate of the service as a part of the bare statement's. */
export const ratio = ({ seconds, bareSeconds }: Measurement): number | undefined =>
  bareSeconds === undefined ? undefined : bareSeconds / seconds;

const number = (value: number) => value.toLocaleString('en', { maximumFractionDigits: value < 10 ? 1 : 0 });
const duration = (seconds: number) =>
  seconds < 0.1 ? `${(seconds * 1000).toFixed(2)} ms` : `${seconds.toFixed(2)} s`;

const processorText = ({ service, database }: Processor): string =>
  `${service.toFixed(2)} s${database === undefined ? '' : ` + ${database.toFixed(2)} s`}`;

const cells = (row: Measurement): string[] => {
  const part = ratio(row);
  return [
    row.work,
    row.engine,
    duration(row.seconds),
    row.count === 1 ? '' : `${number(row.count / row.seconds)} ${row.unit}/s`,
    row.bareSeconds === undefined ? '' : duration(row.bareSeconds),
    part === undefined ? '' : `${part.toFixed(2)} ×`,
    row.peakMb === undefined ? '' : `${row.peakMb} MB`,
    row.cpu === undefined ? '' : processorText(row.cpu),
    row.target ? `${row.target.text}: ${row.target.met ? 'met' : 'MISSED'}` : '',
  ];
};

const head = [
  'work',
  'engine',
  'time',
  'rate',
  'bare',
  'rate of bare',
  'peak memory',
  'processor, service + database',
  'target',
];

/** The result as a table for people. */
export const toTable = (rows: Measurement[]): string => {
  const lines = [head, ...rows.map(cells)];
  const widths = head.map((_, column) => Math.max(...lines.map((line) => line[column]!.length)));
  return lines
    .map((line, i) => {
      const text = line
        .map((cell, column) => cell.padEnd(widths[column]!))
        .join('  ')
        .trimEnd();
      if (i === 0) return styleText('bold', text);
      return rows[i - 1]!.target?.met === false ? styleText('red', text) : text;
    })
    .join('\n');
};
