import { keptImage } from './kept-image.ts';
import { type Program, SandboxProcess } from './sandbox-process.ts';

/** In a row. One or two may be the machine's bad moment. */
const mostFailedStarts = 4;

/**
 * As many processes as `size` allows, started when first needed and replaced when they end, so that the next caller finds them
 * warm.
 */
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
  start(): void {
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

  /** A process that is ready and nobody else's. Rejects when none can be started, when closed, and when aborted. */
  async take(signal?: AbortSignal): Promise<SandboxProcess> {
    signal?.throwIfAborted();
    if (this.#isClosed) throw closed();
    this.start();
    const idle = this.#idle.pop();
    if (idle) return idle;
    return new Promise((resolve, reject) => {
      // Who has left the queue listens no more: it would take somebody else's place out of it.
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

  /** Gives a process back. One that has ended has its successor under way already. */
  give(process: SandboxProcess): void {
    if (!process.isAlive || this.#isClosed) return;
    const next = this.#queue.shift();
    if (next) next.resolve(process);
    else this.#idle.push(process);
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

  /** A program that does not start is not tried for ever: those who wait are told, and the next caller tries again. */
  #giveUp({ message }: Error): void {
    this.#isStarted = false;
    this.#failedStarts = 0;
    for (const { reject } of this.#queue.splice(0)) reject(new Error(message));
  }
}

const closed = () => new Error('the sandbox is closed');
