import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { type Connection, connect } from './connection.ts';
import { familyMemory, processSeconds } from './processor.ts';

const root = fileURLToPath(new URL('../', import.meta.url));
const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  scripts: { start: string };
};
export const apiKey = 'ak_benchmark_benchmark_benchmark';

/** The service as its users run it: a separate process that answers over HTTP. */
export type Service = {
  url: string;
  /** From the start of the process to its first 200 on an authenticated route. */
  startMs: number;
  connect: () => Promise<Connection>;
  /** Largest resident memory since the start or the last reset, in MB; undefined without /proc. */
  peakMemory: () => Promise<number | undefined>;
  resetPeakMemory: () => Promise<void>;
  /** Memory in MB, with the processes of the sandbox. */
  memory: () => Promise<number | undefined>;
  /** Processor time that the process has used so far; undefined without /proc. */
  processorSeconds: () => Promise<number | undefined>;
  stop: () => Promise<void>;
};

/** Starts the service on a free port, with `settings` and no other settings. */
export const startService = async (settings: Record<string, string>): Promise<Service> => {
  const startedAt = performance.now();
  const { PATH = '', HOME = '' } = process.env;
  // The script of `npm start` without npm, which would take a third of the start time. It becomes Node by `exec`.
  const child = spawn('sh', ['-c', scripts.start], {
    cwd: root,
    env: {
      PATH: `${dirname(process.execPath)}:${PATH}`,
      HOME,
      PORT: '0',
      DOKIMA_LOG_LEVEL: 'warn',
      DOKIMA_DEMO: 'off',
      DOKIMA_BOOTSTRAP_API_KEY: apiKey,
      ...settings,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const kill = () => child.kill('SIGKILL');
  process.once('exit', kill);
  const stop = async () => {
    process.off('exit', kill);
    if (child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, 'exit');
    child.kill('SIGTERM');
    await exited;
  };

  let port: number | undefined;
  for await (const line of createInterface({ input: child.stdout })) {
    port = Number(/http:\/\/localhost:(\d+)/.exec(line)?.[1]) || undefined;
    if (port) break;
  }
  child.stdout.resume();
  if (!port) throw new Error('The service did not start. Its output above says why.');
  const first = await connect(port, apiKey);
  await first.get('/api/v2/me');
  first.close();
  const startMs = performance.now() - startedAt;

  return {
    url: `http://127.0.0.1:${port}`,
    startMs,
    connect: () => connect(port, apiKey),
    peakMemory: async () => {
      const status = await readFile(`/proc/${child.pid}/status`, 'utf8').catch(() => '');
      const kilobytes = /VmHWM:\s+(\d+) kB/.exec(status)?.[1];
      return kilobytes ? Math.round(Number(kilobytes) / 1024) : undefined;
    },
    // The value 5 resets VmHWM to the memory that is resident now (proc_pid_clear_refs(5)).
    resetPeakMemory: () => writeFile(`/proc/${child.pid}/clear_refs`, '5').catch(() => {}),
    memory: () => familyMemory(child.pid!),
    processorSeconds: () => processSeconds(child.pid!),
    stop,
  };
};
