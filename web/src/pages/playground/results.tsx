import { lazy, Suspense, useState } from 'react';
import { ScoreValue } from '../../resources/records/score-value.tsx';
import { usd } from '../../resources/rescoring/amounts.ts';
import type { JsonObject, Metric, ScoreState } from '../../types.ts';
import { cellText } from '../../ui/csv.ts';
import { countText, durationText } from '../../ui/format.ts';
import { dataFileOf, dataFileText } from '../../ui/media.ts';
import { Section } from '../../ui/page.tsx';
import { Value } from '../../ui/value.tsx';
import { cellKey, type Trial } from './use-trial.ts';
import { type Cell, type CellScore, columnsOf, type Example, letterOf, type Variant } from './variant.ts';

const TextDiff = lazy(() => import('../../ui/text-diff.tsx'));

const asState = (metric: Metric, score: CellScore): ScoreState => ({
  metricId: metric.id,
  metricName: metric.name,
  metricConfigId: '',
  scoredByUserId: null,
  madeBy: score.state === 'done' ? 'model' : null,
  updatedAt: '',
  ...(score.state === 'done'
    ? {
        state: score.status as ScoreState['state'],
        passed: score.passed,
        score: score.value as ScoreState['score'],
        reason: score.reason,
      }
    : {
        state: score.state === 'pending' ? ('pending' as const) : ('failed' as const),
        passed: null,
        score: null,
        reason: score.state === 'error' ? score.error : null,
      }),
});

const outputsText = (outputs: JsonObject): string => Object.values(outputs).map(cellText).join('\n');

type OutputsProps = {
  cell: Cell /** What the outputs are compared with. */;
  against: JsonObject | undefined;
};

const Outputs = ({ cell, against }: OutputsProps) => {
  const { state, text, outputs, error } = cell;
  if (state === 'waiting') return <p className="text-soft">Waiting</p>;
  if (state === 'stopped') return <p className="text-soft">Stopped</p>;
  if (state === 'failed') return <p className="break-words text-fail">{error ?? 'The call failed.'}</p>;
  if (state === 'running' || !outputs)
    return (
      <p className="break-words whitespace-pre-wrap" dir="auto">
        {text || <span className="text-soft">Asking…</span>}
      </p>
    );
  if (against)
    return (
      <Suspense fallback={<p className="text-soft">…</p>}>
        <TextDiff before={outputsText(against)} after={outputsText(outputs)} />
      </Suspense>
    );
  return Object.entries(outputs).map(([name, value]) => (
    <Value key={name} name={`outputs.${name}`} value={value} />
  ));
};

type CellViewProps = {
  cell: Cell;
  letter: string;
  metrics: readonly Metric[];
  against: JsonObject | undefined;
};

/** Why a score was given, in the words of its judge or its code. */
const reasonOf = (score: CellScore): string | null => (score.state === 'done' ? score.reason : null);

const CellView = ({ cell, letter, metrics, against }: CellViewProps) => {
  const { latencyMs, tokens, costUsd, isUnpriced, scores } = cell;
  const facts = [
    latencyMs !== null && durationText(latencyMs),
    tokens !== null && `${countText(tokens)} tokens`,
    costUsd !== null && `${usd(costUsd)}${isUnpriced ? ' and unknown' : ''}`,
    costUsd === null && isUnpriced && 'cost unknown',
  ].filter(Boolean);
  return (
    <section aria-label={`Answer of ${letter}`} className="min-w-0 rounded-md border p-3">
      <Outputs cell={cell} against={against} />
      {Object.keys(scores).length > 0 && (
        <ul className="mt-1 flex flex-col gap-1">
          {metrics.map((metric) => {
            const score = scores[metric.id];
            return (
              score && (
                <li key={metric.id} className="min-w-0 text-sm">
                  <span className="flex min-w-0 items-center gap-1">
                    <bdi className="max-w-40 truncate text-soft" title={metric.name}>
                      {metric.name}
                    </bdi>
                    <ScoreValue state={asState(metric, score)} />
                  </span>
                  {reasonOf(score) && (
                    <bdi className="block break-words whitespace-pre-wrap text-soft">{reasonOf(score)}</bdi>
                  )}
                </li>
              )
            );
          })}
        </ul>
      )}
      {facts.length > 0 && <p className="mt-1 text-sm text-soft">{facts.join(' · ')}</p>}
    </section>
  );
};

const passedOf = (cell: Cell | undefined, { id }: Metric): boolean | null => {
  const score = cell?.scores[id];
  return score?.state === 'done' ? score.passed : null;
};

type ResultsProps = {
  trial: Trial;
  variants: readonly Variant[];
  metrics: readonly Metric[];
};

/** How many examples pass, and on how many a variant differs from the first. */
const Tally = ({ trial, variants, metrics, i }: ResultsProps & { i: number }) => (
  <ul aria-label={`Scores of ${letterOf(i)}`} className="flex min-w-0 flex-col gap-1">
    {metrics.map((metric) => {
      const own = trial.examples.map((example) =>
        passedOf(trial.cells.get(cellKey(variants[i]!, example)), metric),
      );
      const first = trial.examples.map((example) =>
        passedOf(trial.cells.get(cellKey(variants[0]!, example)), metric),
      );
      const scored = own.filter((each) => each !== null).length;
      if (scored === 0) return null;
      const better = own.filter((each, at) => each === true && first[at] === false).length;
      const worse = own.filter((each, at) => each === false && first[at] === true).length;
      return (
        <li key={metric.id} className="min-w-0">
          <bdi className="font-medium">{metric.name}</bdi>: {own.filter(Boolean).length} of {scored} pass
          {scored < trial.examples.length && !trial.isRunning && (
            <span className="text-soft">, {trial.examples.length - scored} without a score</span>
          )}
          {i > 0 && (
            <span className="text-soft">
              ; {better} better and {worse} worse than A
            </span>
          )}
        </li>
      );
    })}
  </ul>
);

const exampleText = ({ inputs }: Example): string =>
  Object.entries(inputs)
    .map(([name, value]) => {
      const file = dataFileOf(value);
      return `${name}: ${file ? dataFileText(file) : cellText(value)}`;
    })
    .join(' · ')
    .slice(0, 300);

/** Answers of the variants, one example below the other, with their scores as they arrive. */
export const Results = ({ trial, variants, metrics }: ResultsProps) => {
  const [isCompared, setCompared] = useState(false);
  return (
    <Section title="Answers">
      {variants.length > 1 && (
        <label className="mb-3 flex items-center gap-2">
          <input
            type="checkbox"
            checked={isCompared}
            onChange={({ target }) => setCompared(target.checked)}
          />
          Show what differs from A
        </label>
      )}
      <div className="mb-4 grid gap-3" style={columnsOf(variants)}>
        {variants.map(({ key }, i) => (
          <Tally key={key} {...{ trial, variants, metrics, i }} />
        ))}
      </div>
      <ol className="flex flex-col gap-4">
        {trial.examples.map((example, n) => (
          <li key={example.id} className="[contain-intrinsic-size:auto_160px] [content-visibility:auto]">
            <h3 className="mb-1 truncate text-sm text-soft">
              <bdi>
                {n + 1}. {exampleText(example) || 'No inputs'}
              </bdi>
            </h3>
            <div className="grid gap-3" style={columnsOf(variants)}>
              {variants.map((variant, i) => {
                const cell = trial.cells.get(cellKey(variant, example));
                return cell ? (
                  <CellView
                    key={variant.key}
                    cell={cell}
                    letter={letterOf(i)}
                    metrics={metrics}
                    against={
                      isCompared && i > 0
                        ? (trial.cells.get(cellKey(variants[0]!, example))?.outputs ?? undefined)
                        : undefined
                    }
                  />
                ) : (
                  <div key={variant.key} />
                );
              })}
            </div>
          </li>
        ))}
      </ol>
    </Section>
  );
};
