import { AsyncLocalStorage } from 'node:async_hooks';
import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import timersPromises from 'node:timers/promises';

/** What the runtime gives to code that runs inside one simulated machine. */
export type Machine = {
  /** The wall clock, in ms since 1970. */
  now: () => number;
  /** The clock that never steps, in ms. */
  monotonic: () => number;
  /** From 0 to 1. */
  random: () => number;
  /** Calls `ring` after `ms` of this machine. Returns the function that prevents it. */
  after: (ms: number, ring: () => void) => () => void;
};

const running = new AsyncLocalStorage<Machine>();

/** Runs `work`, and all that it starts, with the clock, the timers and the chance of a machine. */
export const runOn = <T>(machine: Machine, work: () => T): T => running.run(machine, work);

/** Runs `work` with those of the real one. */
export const runOutside = <T>(work: () => T): T => running.exit(work);

/** A timer of a machine. It has the methods of Node's that the service may call. */
class MachineTimer {
  readonly clear: () => void;
  constructor(clear: () => void) {
    this.clear = clear;
  }
  ref() {
    return this;
  }
  unref() {
    return this;
  }
  hasRef() {
    return true;
  }
}

const real = {
  Date: globalThis.Date,
  now: Date.now,
  monotonic: performance.now,
  random: Math.random,
  setTimeout: globalThis.setTimeout,
  setInterval: globalThis.setInterval,
  clearTimeout: globalThis.clearTimeout,
  clearInterval: globalThis.clearInterval,
  abortAfter: AbortSignal.timeout,
  sleep: timersPromises.setTimeout,
  getRandomValues: globalThis.crypto.getRandomValues,
  fillRandomly: crypto.randomFillSync,
};

/** The milliseconds of the real clock. */
export const realNow = (): number => real.monotonic.call(performance);

const every = (machine: Machine, ms: number, ring: () => void): (() => void) => {
  let cancel: () => void;
  const wait = () => {
    cancel = machine.after(ms, () => {
      wait();
      ring();
    });
  };
  wait();
  return () => cancel();
};

const sleep = <T>(ms = 1, value?: T, { signal }: { signal?: AbortSignal | undefined } = {}): Promise<T> => {
  const machine = running.getStore();
  if (!machine) return real.sleep(ms, value as T, signal ? { signal } : {});
  return new Promise<T>((resolve, reject) => {
    const stop = () => reject(signal!.reason);
    if (signal?.aborted) return stop();
    const cancel = machine.after(ms, () => {
      signal?.removeEventListener('abort', stop);
      resolve(value as T);
    });
    signal?.addEventListener('abort', () => {
      cancel();
      stop();
    });
  });
};

const fillOn = (machine: Machine, bytes: Uint8Array): void => {
  for (let i = 0; i < bytes.length; i++) bytes[i] = Math.floor(machine.random() * 256);
};

const bytesOf = (view: ArrayBufferView): Uint8Array =>
  new Uint8Array(view.buffer, view.byteOffset, view.byteLength);

const clear = (timer: unknown, otherwise: (timer: never) => void): void => {
  if (timer instanceof MachineTimer) timer.clear();
  else otherwise(timer as never);
};

const timerOf =
  (start: (machine: Machine, ms: number, ring: () => void) => () => void, otherwise: typeof setTimeout) =>
  (ring: (...given: unknown[]) => void, ms = 1, ...given: unknown[]) => {
    const machine = running.getStore();
    if (!machine) return otherwise(ring, ms, ...given);
    return new MachineTimer(start(machine, ms, () => running.run(machine, () => ring(...given))));
  };

const replaced = {
  setTimeout: timerOf((machine, ms, ring) => machine.after(ms, ring), real.setTimeout),
  setInterval: timerOf(every, real.setInterval as unknown as typeof setTimeout),
  clearTimeout: (timer: unknown) => clear(timer, real.clearTimeout),
  clearInterval: (timer: unknown) => clear(timer, real.clearInterval),
  // A proxy, so that dates that were made before are still instances of it.
  Date: new Proxy(real.Date, {
    construct: (target, given, made) =>
      Reflect.construct(target, given.length > 0 ? given : [real.Date.now()], made),
  }),
};

const abortAfter = (ms: number): AbortSignal => {
  const machine = running.getStore();
  if (!machine) return real.abortAfter.call(AbortSignal, ms);
  const timeout = new AbortController();
  machine.after(ms, () =>
    timeout.abort(new DOMException('The operation was aborted due to timeout', 'TimeoutError')),
  );
  return timeout.signal;
};

const getRandomValues = <T extends ArrayBufferView>(view: T): T => {
  const machine = running.getStore();
  if (!machine) return real.getRandomValues.call(globalThis.crypto, view as never) as unknown as T;
  fillOn(machine, bytesOf(view));
  return view;
};

const fillRandomly = ((view: NodeJS.ArrayBufferView, ...given: number[]) => {
  const machine = running.getStore();
  if (!machine || given.length > 0) return real.fillRandomly(view as Uint8Array, ...(given as [number]));
  fillOn(machine, bytesOf(view));
  return view;
}) as typeof crypto.randomFillSync;

/**
 * Puts clocks, timers and chance of machines in the place of the runtime's. Code that no machine runs keeps the real ones. Returns the
 * function that ends this. PGlite takes its time from Date.now, so `now()` of SQL is the machine's too.
 */
export const giveMachinesTheirClocks = (): (() => void) => {
  Object.assign(globalThis, replaced);
  real.Date.now = () => running.getStore()?.now() ?? real.now.call(real.Date);
  performance.now = () => running.getStore()?.monotonic() ?? real.monotonic.call(performance);
  Math.random = () => (running.getStore()?.random ?? real.random)();
  AbortSignal.timeout = abortAfter;
  timersPromises.setTimeout = sleep as typeof timersPromises.setTimeout;
  globalThis.crypto.getRandomValues = getRandomValues as typeof globalThis.crypto.getRandomValues;
  crypto.randomFillSync = fillRandomly;
  syncBuiltinESMExports();
  return () => {
    Object.assign(
      globalThis,
      Object.fromEntries(Object.keys(replaced).map((name) => [name, real[name as keyof typeof replaced]])),
    );
    real.Date.now = real.now;
    performance.now = real.monotonic;
    Math.random = real.random;
    AbortSignal.timeout = real.abortAfter;
    timersPromises.setTimeout = real.sleep;
    globalThis.crypto.getRandomValues = real.getRandomValues;
    crypto.randomFillSync = real.fillRandomly;
    syncBuiltinESMExports();
  };
};
