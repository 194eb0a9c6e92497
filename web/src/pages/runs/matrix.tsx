import type { RunComparison } from '../../types.ts';
import { Section } from '../../ui/page.tsx';
import { type Measure, wordsFor } from './compared-words.ts';

const tones = {
  better: 'bg-pass-wash text-pass',
  worse: 'bg-fail-wash text-fail',
  'cannot tell': '',
} as const;

type MatrixProps = {
  data: RunComparison;
  metric: { metricId: string; metricName: string };
  measure: Measure;
  shown: { before: string; after: string };
  onPair: (place: number) => void;
};

/** Each later run against each earlier one, by one metric: the difference, coloured if it is significant. */
export const Matrix = ({ data, metric, measure, shown, onPair }: MatrixProps) => {
  const ids = data.runs.map(({ runId }) => runId);
  return (
    <Section
      title={
        <>
          Differences by <bdi>{metric.metricName}</bdi>
        </>
      }
    >
      {/* Positioned, so that its texts for screen readers are clipped too. */}
      <div className="relative overflow-x-auto">
        <table aria-label="Differences of all pairs" className="border-collapse text-left">
          <thead>
            <tr className="text-sm text-soft">
              <th scope="col" className="h-8 pr-3 font-medium whitespace-nowrap">
                against
              </th>
              {ids.slice(0, -1).map((id) => (
                <th key={id} scope="col" className="px-2 font-medium whitespace-nowrap">
                  Run {id}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {ids.slice(1).map((after) => (
              <tr key={after} className="border-t">
                <th scope="row" className="h-9 pr-3 font-medium whitespace-nowrap">
                  Run {after}
                </th>
                {ids.slice(0, -1).map((before) => (
                  <PairCell
                    key={before}
                    before={before}
                    after={after}
                    data={data}
                    metric={metric}
                    measure={measure}
                    shown={shown}
                    onPair={onPair}
                  />
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <p className="mt-2 text-sm text-soft">
        Coloured: shown to be better (green) or worse (red), after Holm’s adjustment.
      </p>
    </Section>
  );
};

type PairCellProps = MatrixProps & { before: string; after: string };

/** The difference of a pair of runs, which opens the pair. */
const PairCell = ({ before, after, data, metric, measure, shown, onPair }: PairCellProps) => {
  const place = data.pairs.findIndex((pair) => pair.before === before && pair.after === after);
  const found = data.pairs[place]?.metrics.find((each) => each.metricId === metric.metricId);
  if (!found || found.difference === null)
    return <td className="px-2 text-soft">{place < 0 ? '' : 'N/A'}</td>;
  const words = wordsFor(found.outputType, measure, found.n);
  const isShown = shown.before === before && shown.after === after;
  return (
    <td className="px-1 py-0.5">
      <button
        type="button"
        aria-pressed={isShown}
        onClick={() => onPair(place)}
        title={found.sentence}
        className={`h-7 w-full rounded-sm border px-2 whitespace-nowrap aria-pressed:border-accent ${isShown ? '' : 'border-transparent'} ${tones[found.verdict as keyof typeof tones]}`}
      >
        {words.difference(found.difference)}
        {words.unit}
        <span className="sr-only"> {found.verdict}</span>
      </button>
    </td>
  );
};
