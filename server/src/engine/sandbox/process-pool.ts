import { type Asker, inTurn, openLine } from '../../platform/turns.ts';
import { keptImage } from './kept-image.ts';
import { ProcessEnded, type Program, SandboxProcess, TimedOut } from './sandbox-process.ts';
import type { Request } from './serve.ts';

/** Failed starts in a row. One or two may have another cause, such as a busy machine. */
const mostFailedStarts = 4;

/** Why there is no answer: the process was killed for taking too long, or it ended by itself, for example because of too much memory. */
export type Killed = 'took too long' | 'ended';
export type Answered = { answer: string } | { killed: Killed };

/** Asks a process for one answer. */
export const answerOf = async (
  process: SandboxProcess,
  request: Request,
  wallClockMs: number,
): Promise<Answered> => {
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
  }
};

/**
 * Up to `size` processes of a program, started when first needed and replaced when they end, so that the next caller does not wait. Owners
 * take turns: endless work of one delays another by what is under way.
 */
export class ProcessPool {
  readonly #program: Program;
  readonly #size: number;
  readonly #idle: SandboxProcess[] = [];
  readonly #all = new Set<SandboxProcess>();
  readonly #line = openLine<SandboxProcess>();
  readonly #inTurn = inTurn();
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
  async take(asker: Asker): Promise<SandboxProcess> {
    asker.signal?.throwIfAborted();
    if (this.#isClosed) throw closed();
    this.#start();
    return this.#idle.pop() ?? this.#line.wait(asker);
  }

  /** Gives a process back. One that has ended is already being replaced. */
  give(process: SandboxProcess): void {
    if (!process.isAlive || this.#isClosed) return;
    if (!this.#line.admit(process)) this.#idle.push(process);
  }

  /** Does work in a process; aborting the signal kills the process. */
  use<T>(asker: Asker, work: (process: SandboxProcess) => Promise<T>): Promise<T> {
    return asker.oneAtATime
      ? this.#inTurn(asker, () => this.#useNow(asker, work))
      : this.#useNow(asker, work);
  }

  async #useNow<T>(asker: Asker, work: (process: SandboxProcess) => Promise<T>): Promise<T> {
    const process = await this.take(asker);
    const stop = () => process.kill('aborted');
    asker.signal?.addEventListener('abort', stop, { once: true });
    if (asker.signal?.aborted) stop();
    try {
      return await work(process);
    } finally {
      asker.signal?.removeEventListener('abort', stop);
      this.give(process);
    }
  }

  /** The answer to one request, or why there is none. The time limit does not include the wait for a turn. */
  async ask(request: Request, wallClockMs: number, asker: Asker): Promise<Answered> {
    const answered = await this.use(asker, (process) => answerOf(process, request, wallClockMs));
    asker.signal?.throwIfAborted();
    return answered;
  }

  async close(): Promise<void> {
    this.#closing.abort();
    this.#line.dismiss(closed());
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
    this.#line.dismiss(new Error(message));
  }
}

const closed = () => new Error('the sandbox is closed');
