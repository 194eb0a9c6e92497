import { Play, Square } from 'lucide-react';
import { usd } from '../../resources/rescoring/amounts.ts';
import type { Metric } from '../../types.ts';
import { Button } from '../../ui/button.tsx';
import { countOf, countText } from '../../ui/format.ts';
import { CostBefore } from './cost-before.tsx';
import type { Trial } from './use-trial.ts';
import { type Example, isComplete, type Variant } from './variant.ts';
import { WhatShows } from './what-shows.tsx';

type AskBarProps = {
  projectId: string;
  trial: Trial;
  variants: readonly Variant[];
  testsetId: string;
  examples: readonly Example[];
  metrics: readonly Metric[];
  onStart: () => void;
};

/** `12 of 60 answers`, and what all of them may cost at the prices so far. */
const progressOf = ({ cells, spentUsd }: Trial): string => {
  const done = [...cells.values()].filter(({ state }) => state === 'answered' || state === 'failed').length;
  const all = cells.size;
  const cost =
    spentUsd > 0 && done > 0 && done < all ? `, about ${usd((spentUsd / done) * all)} for all` : '';
  return `${countText(done)} of ${countOf(all, 'answer')}${cost}`;
};

/** Starts and stops the trial. Says what it has cost, and which differences it can show. */
export const AskBar = ({
  projectId,
  trial,
  testsetId,
  variants,
  examples,
  metrics,
  onStart,
}: AskBarProps) => (
  <div className="flex flex-col gap-1 md:col-span-2">
    <div className="flex flex-wrap items-center gap-3">
      {trial.isRunning ? (
        <Button onClick={trial.stop}>
          <Square size={14} aria-hidden /> Stop
        </Button>
      ) : (
        <Button
          look="primary"
          disabled={examples.length === 0 || !variants.every(isComplete)}
          onClick={onStart}
          aria-describedby="what-shows"
        >
          <Play size={14} aria-hidden /> Ask {countOf(variants.length, 'variant')} about{' '}
          {countOf(examples.length, 'example')}
        </Button>
      )}
      <span role="status" className="text-soft">
        {!variants.every(isComplete) && 'Each variant needs a model and a prompt, or an address. '}
        {!trial.isRunning && trial.spentUsd === 0 && (
          <CostBefore {...{ projectId, testsetId, variants, examples, metrics }} />
        )}
        {trial.isRunning && `Asking… ${progressOf(trial)}. `}
        {trial.spentUsd > 0 && `${usd(trial.spentUsd)} spent. `}
        {!trial.isRunning && trial.ended}
      </span>
    </div>
    <WhatShows
      id="what-shows"
      projectId={projectId}
      metrics={metrics}
      n={examples.length}
      variants={variants.length}
    />
  </div>
);
