import { type ChildProcessWithoutNullStreams, execFile, spawn } from 'node:child_process';
import type { Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { killWithParent } from './kill-with-parent.ts';
import { processorMs } from './processor-time.ts';
import { frame, type Request } from './serve.ts';

/** Pyodide takes four seconds of processor time to start; on a busy machine that is many times longer on the clock. */
const startMs = 120_000;

/** Settings of a process. */
export type Program = {
  script: URL;
  readable: string[];
  memoryBytes: number;
  heapMb: number;
  /** Stack of the main thread in KB; V8's default is 984. */
  stackKb?: number;
  /** A program that prints what `script` reads from file descriptor 3, so that slow preparation happens once. */
  imageScript?: URL;
  /** Longest answer in bytes. A process that writes more is killed. */
  longestAnswer: number;
  /** Whether the program never waits. If an answer is late while other processes had the processor, the machine is the cause. */
  neverWaits?: true;
};

/** Factor by which an answer may exceed its limit while the machine is busy with other processes. */
const mostTimes = 10;

const argumentsFor = (script: URL, { readable, memoryBytes, heapMb, stackKb }: Program): string[] => [
  '--permission',
  ...readable.map((path) => `--allow-fs-read=${path}`),
  // Permissions name paths, so files must be read under these names even if node_modules is a link.
  '--preserve-symlinks',
  '--preserve-symlinks-main',
  `--max-old-space-size=${heapMb}`,
  ...(stackKb === undefined ? [] : [`--stack-size=${stackKb}`]),
  '--disable-warning=ExperimentalWarning',
  fileURLToPath(script),
  String(memoryBytes),
];
// Without TZ, Node would take the machine's time zone.
const env = { TZ: 'UTC' };

/** Returns what the program's `imageScript` prints; nothing when it has none. */
export const makeImage = async (program: Program, signal: AbortSignal): Promise<Buffer> => {
  if (!program.imageScript) return Buffer.alloc(0);
  const { stdout } = await promisify(execFile)(process.execPath, argumentsFor(program.imageScript, program), {
    env,
    signal,
    timeout: startMs,
    encoding: 'buffer',
    maxBuffer: program.memoryBytes,
  });
  return stdout;
};

/** The process has ended. */
export class ProcessEnded extends Error {}
/** The process was killed because no answer came in time. */
export class TimedOut extends ProcessEnded {}

type Job = {
  left: number;
  onAnswer: (line: string) => void;
  resolve: () => void;
  reject: (error: ProcessEnded) => void;
};

/**
 * A child process without environment, network or file system, except the interpreter's own files. It answers requests one after
 * the other. Every request settles, whatever happens to the process.
 */
export class SandboxProcess {
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #longestAnswer: number;
  readonly #neverWaits: boolean;
  #job: Job | undefined;
  #wallClockMs = 0;
  /** Processor time when the current requests were sent. */
  #processorMsBefore: number | undefined;
  #timer: NodeJS.Timeout | undefined;
  #unread: Buffer[] = [];
  #unreadBytes = 0;
  #complaint = '';
  #end: ProcessEnded | undefined;
  /** Resolves when the process accepts requests. */
  readonly ready: Promise<void>;
  /** Resolves when the process has ended. */
  readonly gone: Promise<void>;

  constructor(program: Program, image: Buffer) {
    this.#longestAnswer = program.longestAnswer;
    this.#neverWaits = program.neverWaits ?? false;
    this.#child = spawn(process.execPath, argumentsFor(program.script, program), {
      env,
      stdio: ['pipe', 'pipe', 'pipe', 'pipe'],
    });
    if (this.#child.pid !== undefined) killWithParent(this.#child);
    const imagePipe = this.#child.stdio[3] as Writable;
    imagePipe.on('error', () => {});
    imagePipe.end(image);
    this.gone = new Promise((resolve) => {
      const finish = (reason: string) => {
        this.#fail(new ProcessEnded(`the sandbox process ended: ${reason}${this.#complaint}`));
        resolve();
      };
      this.#child.once('error', ({ message }) => finish(message));
      this.#child.once('close', (code, signal) => finish(signal ?? `exit code ${code}`));
    });
    // Writing to a process that has just ended fails; 'close' reports that.
    this.#child.stdin.on('error', () => {});
    this.#child.stdout.on('data', (chunk: Buffer) => this.#read(chunk));
    this.#child.stderr.on('data', (chunk: Buffer) => {
      this.#complaint = `${this.#complaint || '\n'}${chunk.toString()}`.slice(0, 2_000);
    });
    this.ready = this.#expect(1, startMs, () => {});
    this.ready.catch(() => {});
  }

  get isAlive(): boolean {
    return this.#end === undefined;
  }

  /**
   * Sends requests and passes each answer, a line of JSON, to `onAnswer` as it comes. Rejects with ProcessEnded, or with TimedOut
   * when an answer took longer than `wallClockMs` after the one before it; a program that never waits must also have had a
   * processor for half of that time.
   */
  ask(requests: Request[], wallClockMs: number, onAnswer: (line: string) => void): Promise<void> {
    this.#processorMsBefore = this.#neverWaits ? processorMs(this.#child.pid) : undefined;
    const answered = this.#expect(requests.length, wallClockMs, onAnswer);
    if (this.isAlive) this.#child.stdin.write(requests.map(frame).join(''));
    return answered;
  }

  kill(reason: string): void {
    this.#fail(new ProcessEnded(`the sandbox process was killed: ${reason}`));
    this.#child.kill('SIGKILL');
  }

  #expect(left: number, wallClockMs: number, onAnswer: (line: string) => void): Promise<void> {
    return new Promise((resolve, reject) => {
      if (this.#end) return reject(this.#end);
      this.#job = { left, onAnswer, resolve, reject };
      this.#wallClockMs = wallClockMs;
      this.#startClock();
    });
  }

  /** Whether it had a processor for less than half of its limit since the requests were sent. */
  #isStarved(): boolean {
    const now = processorMs(this.#child.pid);
    if (now === undefined || this.#processorMsBefore === undefined) return false;
    return now - this.#processorMsBefore < this.#wallClockMs / 2;
  }

  #startClock(times = 1): void {
    clearTimeout(this.#timer);
    const timer = setTimeout(() => {
      // If this thread was busy, an answer may be unread; that is not the code's fault.
      setImmediate(() => {
        if (timer !== this.#timer || !this.#job) return;
        if (times < mostTimes && this.#isStarved()) return this.#startClock(times + 1);
        this.#fail(new TimedOut('timed out'));
        this.#child.kill('SIGKILL');
      });
    }, this.#wallClockMs);
    this.#timer = timer;
  }

  #fail(error: ProcessEnded): void {
    this.#end ??= error;
    clearTimeout(this.#timer);
    this.#job?.reject(this.#end);
    this.#job = undefined;
  }

  #read(chunk: Buffer): void {
    let rest = chunk;
    for (let end = rest.indexOf(10); end !== -1; end = rest.indexOf(10)) {
      const own = rest.subarray(0, end);
      const line = (this.#unread.length === 0 ? own : Buffer.concat([...this.#unread, own])).toString();
      this.#unread = [];
      this.#unreadBytes = 0;
      rest = rest.subarray(end + 1);
      this.#answered(line);
    }
    if (rest.length > 0) this.#unread.push(rest);
    this.#unreadBytes += rest.length;
    if (this.#unreadBytes > this.#longestAnswer) this.kill('its answer is too long');
    else if (this.#job) this.#startClock();
  }

  #answered(line: string): void {
    const job = this.#job;
    if (!job) return;
    job.onAnswer(line);
    if (--job.left > 0) return;
    this.#job = undefined;
    clearTimeout(this.#timer);
    job.resolve();
  }
}
