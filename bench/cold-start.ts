import { setTimeout as delay } from 'node:timers/promises';
import { untilCalm } from './cost.ts';
import type { Measurement, Processor } from './measure.ts';
import { median, medianProcessor } from './measure.ts';
import { startService } from './service.ts';
import type { Benchmark } from './subject.ts';

const rounds = 5;
const idleSeconds = 30;

type Start = { seconds: number; cpu: Processor | undefined; peakMb: number | undefined };

/** From the start of the process to its first 200: on an empty database, and on an existing one. */
export const coldStart: Benchmark = async ({ engine, emptySettings }) => {
  const start = async (settings: Record<string, string>): Promise<Start> => {
    const service = await startService({ ...settings, DOKIMA_DEMO: 'on' });
    const used = await service.processorSeconds();
    const cpu = used === undefined ? undefined : { service: used, database: undefined };
    const peakMb = await service.peakMemory();
    await service.stop();
    return { seconds: service.startMs / 1000, cpu, peakMb };
  };
  const first: Start[] = [];
  const later: Start[] = [];
  for (let round = 0; round < rounds; round++) {
    const settings = await emptySettings();
    first.push(await start(settings));
    later.push(await start(settings));
  }
  const limit = engine === 'server' ? 0.8 : 1.8;
  const row = (work: string, starts: Start[], target: boolean): Measurement => {
    const seconds = median(starts.map((one) => one.seconds));
    return {
      work,
      engine,
      seconds,
      cpu: medianProcessor(starts.flatMap(({ cpu }) => cpu ?? [])),
      count: 1,
      unit: '',
      peakMb: starts.at(-1)!.peakMb,
      target: target ? { text: `≤ ${limit} s`, met: seconds <= limit } : undefined,
    };
  };
  return [
    row('first start, to the first 200', first, false),
    row('later start, to the first 200', later, true),
  ];
};

/** What a service takes that no one asks anything: the share of a core, and its memory. */
export const idle: Benchmark = async ({ engine, emptySettings }) => {
  const service = await startService(await emptySettings());
  const spent = async (): Promise<number> => (await service.processorSeconds()) ?? Number.NaN;
  await untilCalm({ processor: async () => ({ service: await spent(), database: undefined }) });
  const before = await spent();
  await delay(1_000 * idleSeconds);
  const used = (await spent()) - before;
  const mb = (await service.memory()) ?? Number.NaN;
  await service.stop();
  const share = used / idleSeconds;
  return [
    {
      work: `idle, ${(100 * share).toFixed(2)} % of a core`,
      engine,
      seconds: idleSeconds,
      cpu: { service: used, database: undefined },
      memory: { service: mb, database: undefined },
      target: { text: '≤ 0.3 %', met: share <= 0.003 },
    },
  ];
};
