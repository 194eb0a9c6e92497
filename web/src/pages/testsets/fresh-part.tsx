import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Sparkles } from 'lucide-react';
import { useState } from 'react';
import { api, keyOf } from '../../api.ts';
import { TextLink } from '../../links.tsx';
import { paths } from '../../paths.ts';
import { useMay } from '../../resources/session/me.ts';
import type { Wear } from '../../types.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { FormDialog } from '../../ui/dialog.tsx';
import { FactList, type FactPair } from '../../ui/fact.tsx';
import { countOf, countText } from '../../ui/format.ts';
import { percentText } from '../../ui/interval.tsx';
import { Section } from '../../ui/page.tsx';
import { ErrorNote, Skeleton } from '../../ui/states.tsx';
import { sayError, sayUndo } from '../../ui/toast.tsx';

type MetricWear = Wear['metrics'][number];

const points = (share: number): string => (100 * share).toFixed(1);

/** Testcases that one draw adds. */
const numDrawn = 60;

/** Whether fresh testcases pass as often as old ones, those that wait, and the button that draws more. */
export const FreshPart = ({
  projectId,
  testsetId,
  wear,
}: {
  projectId: string;
  testsetId: string;
  wear: Wear;
}) => {
  const may = useMay();
  const [isDrawing, setDrawing] = useState(false);
  const { metrics, numWaiting, numMisfits, numTaken } = wear;
  return (
    <Section title="Fresh testcases">
      <p className="mb-2 max-w-prose">
        {countOf(numWaiting, 'fresh testcase')} {numWaiting === 1 ? 'waits' : 'wait'} for a run,{' '}
        {countText(numTaken)} were taken.{' '}
        {numMisfits > 0 && `${countText(numMisfits)} more break the schema, so no run takes them. `}
        <span className="text-soft">
          A run that is started with <code>--fresh 20</code> takes the next 20.
        </span>
      </p>
      {metrics.map((metric) => (
        <MetricFacts key={metric.metricId} projectId={projectId} metric={metric} />
      ))}
      {may.write && (
        <Button onClick={() => setDrawing(true)}>
          <Sparkles size={14} aria-hidden /> Draw {numDrawn} fresh testcases
        </Button>
      )}
      {isDrawing && <DrawDialog testsetId={testsetId} onClose={() => setDrawing(false)} />}
    </Section>
  );
};

const MetricFacts = ({ projectId, metric }: { projectId: string; metric: MetricWear }) => {
  const { metricName, numFresh, numRuns, optimism, bet } = metric;
  const { old, fresh, difference, interval } = optimism;
  const facts: FactPair[] = [
    [
      'Optimism: old − fresh',
      <span key="optimism">
        <span className="font-semibold">{points(difference)} points</span>{' '}
        <span className="text-soft">
          ({points(interval.low)} to {points(interval.high)})
        </span>
      </span>,
    ],
    ['Old testcases pass', percentText(old)],
    ['Fresh testcases pass', `${percentText(fresh)}, ${countText(numFresh)} in ${countOf(numRuns, 'run')}`],
    [
      'Wear',
      bet.announcedBy === null ? (
        <span key="bet">
          <Badge>not shown</Badge> evidence {bet.evidence.toPrecision(2)} of {Math.round(bet.needed)}
        </span>
      ) : (
        <span key="bet">
          <Badge tone="warn">shown</Badge> since{' '}
          <TextLink {...paths.run(projectId, bet.announcedBy)}>run {bet.announcedBy}</TextLink>: take new
          testcases before you choose more versions
        </span>
      ),
    ],
  ];
  return (
    <div className="mb-4">
      <h3 className="mb-1 font-medium">
        <bdi>{metricName}</bdi>
      </h3>
      <FactList facts={facts} />
    </div>
  );
};

/** Shows what a draw would add, and adds it. */
const DrawDialog = ({ testsetId, onClose }: { testsetId: string; onClose: () => void }) => {
  const queries = useQueryClient();
  const preview = useQuery({
    queryKey: [...keyOf('drawFreshTestcases'), testsetId],
    queryFn: () => api.drawFreshTestcases(testsetId, { numTestcases: numDrawn, dryRun: true }),
    staleTime: 0,
    gcTime: 0,
  });
  const draw = useMutation({
    mutationFn: () => api.drawFreshTestcases(testsetId, { numTestcases: numDrawn }),
    meta: { refreshes: [keyOf('getWear')] },
    onSuccess: ({ numbers }) => {
      onClose();
      sayUndo(
        `Drew ${countOf(numbers.length, 'fresh testcase')}.`,
        () =>
          void api
            .deleteFreshTestcases(testsetId, { numbers })
            .then(() => queries.invalidateQueries({ queryKey: keyOf('getWear') }))
            .catch(sayError),
      );
    },
  });
  const found = preview.data;
  return (
    <FormDialog
      open
      onClose={onClose}
      wide
      title="Draw fresh testcases"
      description="From the traffic of the last 30 days. Each record has the same chance, and is drawn once."
      write={draw}
      action={found ? `Draw ${countOf(found.numDrawn, 'testcase')}` : 'Draw testcases'}
      disabled={!found || found.numDrawn === 0}
    >
      {preview.error && <ErrorNote error={preview.error} />}
      {preview.isPending && <Skeleton lines={6} />}
      {found && found.numDrawn === 0 && <p>The project has no traffic from which none was drawn yet.</p>}
      {found && found.numDrawn > 0 && (
        <>
          <p className="mb-2">
            {countText(found.numDrawn)} of {countOf(found.numRecords, 'record')}, each with a chance of{' '}
            {percentText(found.inclusionProbability)}.
            {found.numMisfits > 0 &&
              ` ${countText(found.numMisfits)} break the schema of the testset, often because traffic has no expected answer: no run takes them.`}
          </p>
          <ul className="flex flex-col gap-1" aria-label="First testcases">
            {found.first.map((testcase, i) => (
              // The order of a draw never changes.
              // biome-ignore lint/suspicious/noArrayIndexKey: testcases of a preview have no id.
              <li key={i} className="truncate font-mono text-sm">
                {JSON.stringify(testcase)}
              </li>
            ))}
          </ul>
        </>
      )}
    </FormDialog>
  );
};
