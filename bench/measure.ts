import { styleText } from 'node:util';
import type { Engine } from '../server/src/platform/db/database.ts';

/** The limit for a line of the result. */
export type Target = { text: string; met: boolean };

/** One line of the result. */
export type Measurement = {
  work: string;
  engine: Engine;
  /** Undefined for a row about memory. */
  seconds?: number;
  /** Number of `unit` in `seconds`. */
  count?: number;
  unit?: string;
  /** Seconds that the baseline took for the same work in the same run. */
  bareSeconds?: number | undefined;
  target?: Target | undefined;
  /** Memory in MB of all processes. */
  memory?: Processor | undefined;
  /** Largest resident memory of the service's process. */
  peakMb?: number | undefined;
  /** Processor time for `count`. */
  cpu?: Processor | undefined;
  /** Processor time that the service then takes by itself, until it is calm. */
  later?: Processor | undefined;
  /** Growth of the database with `count`. */
  diskBytes?: number | undefined;
  walBytes?: number | undefined;
};

/** Seconds of processor time of the service's process and of all PostgreSQL processes. An embedded database has no own time. */
export type Processor = { service: number; database: number | undefined };

/** Returns the seconds that `work` takes. */
export const time = async (work: () => Promise<unknown>): Promise<number> => {
  const start = performance.now();
  await work();
  return (performance.now() - start) / 1000;
};

export const median = (values: number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;

/** Returns the processor time between two readings. */
export const difference = (before: Processor, after: Processor): Processor => ({
  service: after.service - before.service,
  database: after.database === undefined ? undefined : after.database - before.database!,
});

/** Returns the medians of the service and of the database separately; undefined without readings. */
export const medianProcessor = (spent: Processor[]): Processor | undefined =>
  spent.length === 0
    ? undefined
    : {
        service: median(spent.map(({ service }) => service)),
        database:
          spent[0]!.database === undefined ? undefined : median(spent.map(({ database }) => database!)),
      };

/** Returns the rate of the service divided by the rate of the baseline. */
export const ratio = ({ seconds, bareSeconds }: Measurement): number | undefined =>
  bareSeconds === undefined || seconds === undefined ? undefined : bareSeconds / seconds;

const number = (value: number) => value.toLocaleString('en', { maximumFractionDigits: value < 10 ? 1 : 0 });
const duration = (seconds: number) =>
  seconds < 0.1 ? `${(seconds * 1000).toFixed(2)} ms` : `${seconds.toFixed(2)} s`;

const processorText = ({ service, database }: Processor): string =>
  `${service.toFixed(2)} s${database === undefined ? '' : ` + ${database.toFixed(2)} s`}`;

const memoryText = ({ service, database }: Processor): string =>
  `${service} MB${database === undefined ? '' : ` + ${database} MB`}`;

const kilobytesEach = (bytes: number | undefined, { count = 1 }: Measurement): string =>
  bytes === undefined ? '' : `${(bytes / count / 1000).toFixed(1)} KB`;

const cells = (row: Measurement): string[] => {
  const part = ratio(row);
  const { seconds, count = 1 } = row;
  return [
    row.work,
    row.engine,
    seconds === undefined ? '' : duration(seconds),
    seconds === undefined || count === 1 ? '' : `${number(count / seconds)} ${row.unit}/s`,
    row.bareSeconds === undefined ? '' : duration(row.bareSeconds),
    part === undefined ? '' : `${part.toFixed(2)} ×`,
    row.memory ? memoryText(row.memory) : row.peakMb === undefined ? '' : `${row.peakMb} MB`,
    row.cpu === undefined ? '' : processorText(row.cpu),
    row.later === undefined ? '' : processorText(row.later),
    kilobytesEach(row.diskBytes, row),
    kilobytesEach(row.walBytes, row),
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
  'peak memory of the service',
  'processor, service + database',
  'afterwards',
  'disk each',
  'WAL each',
  'target',
];

/** Formats the result as a table for people. */
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
