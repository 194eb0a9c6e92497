import { countText, durationText, usdText } from '../../ui/format.ts';
import type { Pair } from './pair.ts';

/** What a record costs, and how it is written. */
export const costs = {
  costUsd: { label: 'Cost per record', text: usdText },
  latencyMs: { label: 'Latency', text: durationText },
  tokens: { label: 'Tokens per record', text: countText },
} as const;
export type Cost = keyof typeof costs;
export const costNames = Object.keys(costs) as Cost[];

/** Whether both runs tell it. */
export const isTold = ({ usage }: Pair, name: Cost): boolean =>
  usage !== undefined && usage !== null && usage[name].before !== null && usage[name].after !== null;
