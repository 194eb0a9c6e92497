/** A time in which nothing began or ended, drawn short. All in milliseconds since the first span began. */
export type Gap = { from: number; to: number /** Its place on the timeline. */; left: number; right: number };

type Timed = { from: number; to: number; numChildren: number };

export type Scale = {
  gaps: readonly Gap[];
  /** The place of a time on the timeline. */
  place: (at: number) => number;
};

const minute = 60_000;
const hour = 60 * minute;
/** A gap is cut out if it is at least this part of the time in which something happened. */
const leastPart = 0.2;
/** Work is cut out only if it would leave no room for all the rest. */
const busyParts = 20;
/** The width of a gap, as a part of the rest; of many gaps, together. */
const gapPart = 0.04;
const gapsPart = 0.4;

const identity: Scale = { gaps: [], place: (at) => at };

/** Whether a span that waits for no other runs through the whole time: a tool that works for minutes is not a gap. */
const isBusy = (spans: readonly Timed[], from: number, to: number): boolean =>
  spans.some((span) => span.numChildren === 0 && span.from <= from && span.to >= to);

type Quiet = { from: number; to: number; busy: boolean };
const sumOf = (times: readonly Quiet[]): number => times.reduce((sum, { from, to }) => sum + to - from, 0);

/** Finds the long times in which nothing began or ended: between the turns of a session, or while an agent waits for a person. */
const findGaps = (spans: readonly Timed[]): Quiet[] => {
  const events = Float64Array.from(spans.flatMap(({ from, to }) => [from, to])).sort();
  const found: Quiet[] = [];
  for (let i = 1; i < events.length; i += 1) {
    const [from, to] = [events[i - 1]!, events[i]!];
    if (to - from < minute) continue;
    const busy = isBusy(spans, from, to);
    if (!busy || to - from >= hour) found.push({ from, to, busy });
  }
  const whole = (events.at(-1) ?? 0) - (events[0] ?? 0);
  const rest = whole - sumOf(found);
  const long = found.filter(({ from, to, busy }) => !busy || (rest > 0 && to - from >= rest * busyParts));
  const active = whole - sumOf(long);
  return long.filter(({ from, to }) => to - from >= active * leastPart);
};

/** Returns the scale of a timeline in which long gaps are short. */
export const scaleOf = (spans: readonly Timed[], durationMs: number): Scale => {
  const found = findGaps(spans);
  if (found.length === 0) return identity;
  const active = durationMs - found.reduce((sum, { from, to }) => sum + to - from, 0);
  const width = Math.max(1, active * Math.min(gapPart, gapsPart / found.length));
  let cut = 0;
  const gaps = found.map(({ from, to }) => {
    const left = from - cut;
    cut += to - from - width;
    return { from, to, left, right: left + width };
  });
  const place = (at: number): number => {
    // The last gap that begins before the time.
    let [low, high] = [0, gaps.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (gaps[middle]!.from < at) low = middle + 1;
      else high = middle;
    }
    const gap = gaps[low - 1];
    if (!gap) return at;
    if (at >= gap.to) return gap.right + (at - gap.to);
    return gap.left + ((at - gap.from) / (gap.to - gap.from)) * (gap.right - gap.left);
  };
  return { gaps, place };
};

const units: [string, number][] = [
  ['d', 24 * hour],
  ['h', hour],
  ['min', minute],
];

/** `2 d 3 h later`: the two largest units, rounded. */
export const laterText = (ms: number): string => {
  const unit = units.findIndex(([, size]) => ms >= size);
  if (unit < 0) return `${Math.round(ms / 1000)} s later`;
  const [, least] = units[unit + 1] ?? units[unit]!;
  let rest = Math.round(ms / least) * least;
  const parts: string[] = [];
  for (const [name, size] of units) {
    const count = Math.floor(rest / size);
    rest -= count * size;
    if (count > 0) parts.push(`${count} ${name}`);
  }
  return `${parts.join(' ')} later`;
};
