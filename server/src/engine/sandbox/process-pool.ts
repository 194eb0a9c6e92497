import { keptImage } from './kept-image.ts';
import { ProcessEnded, type Program, SandboxProcess, TimedOut } from './sandbox-process.ts';
import type { Request } from './serve.ts';

/** Failed starts in a row. One or two may have another cause, such as a busy machine. */
const mostFailedStarts = 4;

/** Why there is no answer: the process was killed for taking too long, or it ended by itself, for example because of too much memory. */
export type Killed = 'took too long' | 'ended';

/** Up to `size` processes of a program, started when first needed and replaced when they end, so that the next caller does not wait. */
export class ProcessPool {
  readonly #program: Program;
  readonly #size: number;
  readonly #idle: SandboxProcess[] = [];
  readonly #all = new Set<SandboxProcess>();
  readonly #queue: { resolve: (process: SandboxProcess) => void; reject: (error: Error) => void }[] = [];
  #isStarted = false;
  #failedStarts = 0;
  #image: Promise<Buffer> | undefined;
  readonly #closing = new AbortController();

  constructor(program: Program, size: number) {
    this.#program = program;
    this.#size = size;
  }

  get #isClosed(): boolean {
    return this.#closing.signal.aborted;
  }

  /** Starts all processes, without waiting for them. */
  #start(): void {
    if (this.#isStarted) return;
    this.#isStarted = true;
    this.#image ??= keptImage(this.#program, this.#closing.signal);
    this.#image.then(
      (image) => {
        while (this.#all.size < this.#size && !this.#isClosed) this.#spawn(image);
      },
      (error: Error) => {
        this.#image = undefined;
        this.#giveUp(error);
      },
    );
  }

  /** A process that is ready, for this caller alone. Rejects when none can be started, when closed, and when aborted. */
  async take(signal?: AbortSignal): Promise<SandboxProcess> {
    signal?.throwIfAborted();
    if (this.#isClosed) throw closed();
    this.#start();
    const idle = this.#idle.pop();
    if (idle) return idle;
    return new Promise((resolve, reject) => {
      // A caller that has left the queue must stop listening: it would remove the place of another caller.
      const leaving =
        <T>(end: (outcome: T) => void) =>
        (outcome: T) => {
          signal?.removeEventListener('abort', leave);
          end(outcome);
        };
      const place = { resolve: leaving(resolve), reject: leaving(reject) };
      const leave = () => {
        this.#queue.splice(this.#queue.indexOf(place), 1);
        reject(signal!.reason);
      };
      signal?.addEventListener('abort', leave, { once: true });
      this.#queue.push(place);
    });
  }

  /** Gives a process back. One that has ended is already being replaced. */
  give(process: SandboxProcess): void {
    if (!process.isAlive || this.#isClosed) return;
    const next = this.#queue.shift();
    if (next) next.resolve(process);
    else this.#idle.push(process);
  }

  /** The answer to one request, or why there is none. The time limit does not include the wait for a free process. */
  async ask(request: Request, wallClockMs: number): Promise<{ answer: string } | { killed: Killed }> {
    const process = await this.take();
    let answer = '';
    try {
      await process.ask([request], wallClockMs, (line) => {
        answer = line;
      });
      return { answer };
    } catch (error) {
      if (error instanceof TimedOut) return { killed: 'took too long' };
      if (error instanceof ProcessEnded) return { killed: 'ended' };
      throw error;
    } finally {
      this.give(process);
    }
  }

  async close(): Promise<void> {
    this.#closing.abort();
    for (const { reject } of this.#queue.splice(0)) reject(closed());
    for (const process of this.#all) process.kill('the sandbox was closed');
    await Promise.all([...this.#all].map(({ gone }) => gone));
  }

  #spawn(image: Buffer): void {
    const process = new SandboxProcess(this.#program, image);
    this.#all.add(process);
    process.gone.then(() => {
      this.#all.delete(process);
      const at = this.#idle.indexOf(process);
      if (at !== -1) this.#idle.splice(at, 1);
    });
    process.ready.then(
      () => {
        this.#failedStarts = 0;
        this.give(process);
        process.gone.then(() => this.#isClosed || this.#spawn(image));
      },
      (error: Error) => {
        if (this.#isClosed) return;
        this.#failedStarts++;
        if (this.#failedStarts < mostFailedStarts) return this.#spawn(image);
        this.#giveUp(error);
      },
    );
  }

  /** Rejects the callers that wait for a program that does not start; the next caller tries again. */
  #giveUp({ message }: Error): void {
    this.#isStarted = false;
    this.#failedStarts = 0;
    for (const { reject } of this.#queue.splice(0)) reject(new Error(message));
  }
}

const closed = () => new Error('the sandbox is closed');
