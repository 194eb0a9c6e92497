/** What a call of a model, or all calls of a trace, used and cost; null where no one says. */
export type Amounts = { inputTokens: number | null; outputTokens: number | null; costUsd: number | null };

/** A call of a model as its span is stored. */
export type Call = Amounts & { spanId: string; parentSpanId: string };

export const amounts = ['inputTokens', 'outputTokens', 'costUsd'] as const;

/** Whether a span is a call of a model that says what it used. */
export const isCall = (span: Amounts & { operation: string | null }): boolean =>
  span.operation === 'chat' && amounts.some((amount) => span[amount] !== null);

/** Returns the calls in an order in which each stands before those below it. Of calls in a circle, one is first. */
const fromTop = (calls: Map<string, Call>): Call[] => {
  const below = Map.groupBy(calls.values(), ({ parentSpanId }) => parentSpanId);
  const found = new Set<Call>();
  const add = (top: Call) => {
    const waiting = [top];
    for (let call = waiting.pop(); call; call = waiting.pop()) {
      if (found.has(call)) continue;
      found.add(call);
      waiting.push(...(below.get(call.spanId) ?? []));
    }
  };
  for (const call of calls.values()) if (!calls.has(call.parentSpanId)) add(call);
  for (const id of [...calls.keys()].sort()) add(calls.get(id)!);
  return [...found];
};

/**
 * Returns the part of the sums over calls that is counted twice: a framework and the client below it may both report a call. A call
 * counts with its own amount or with that of the calls directly below it, whichever is larger.
 */
export const doubledIn = (all: Iterable<Call>): Record<keyof Amounts, number> => {
  const calls = new Map([...all].map((call) => [call.spanId, call]));
  const doubled = { inputTokens: 0, outputTokens: 0, costUsd: 0 };
  const inOrder = fromTop(calls);
  const place = new Map(inOrder.map(({ spanId }, i) => [spanId, i]));
  for (const amount of amounts) {
    const sumBelow = new Map<string, number>();
    for (const [i, call] of [...inOrder.entries()].reverse()) {
      const own = call[amount] ?? 0;
      const below = sumBelow.get(call.spanId) ?? 0;
      doubled[amount] += Math.min(own, below);
      // The first of a circle is below none.
      if ((place.get(call.parentSpanId) ?? i) < i)
        sumBelow.set(call.parentSpanId, (sumBelow.get(call.parentSpanId) ?? 0) + Math.max(own, below));
    }
  }
  return doubled;
};

/** The part of no calls. */
export const noneDoubled = doubledIn([]);

/** Adds amounts of money. Binary fractions would make 0.1 + 0.2 more than 0.3, and a sum that is taken back not zero. */
export const addCosts = (a: number, b: number): number => Number((a + b).toFixed(15));

/** Returns what spans add to a trace when the part of it that is counted twice grows from `before` to `after`. */
export const withoutDoubled = (
  added: Amounts,
  before: Record<keyof Amounts, number>,
  after: Record<keyof Amounts, number>,
): Amounts => {
  const less = (amount: keyof Amounts) => {
    const growth = addCosts(after[amount], -before[amount]);
    return growth === 0 ? added[amount] : addCosts(added[amount] ?? 0, -growth);
  };
  return { inputTokens: less('inputTokens'), outputTokens: less('outputTokens'), costUsd: less('costUsd') };
};
