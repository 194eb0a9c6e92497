import { equalLooks } from '../../../../client/src/planned-looks.ts';
import { Select } from '../../ui/field.tsx';
import { Section } from '../../ui/page.tsx';
import { Cell, Row, Table } from '../../ui/table.tsx';
import { Verdict } from '../../ui/verdict.tsx';
import type { Compared } from './compared-facts.tsx';
import { type Measure, wordsFor } from './compared-words.ts';

/** Numbers of looks that the page offers. */
const offered = [2, 3, 4, 5];
const usual = 4;

/** Returns the plan of the address, such as `125,250,500`. */
export const readLooks = (text: string | undefined): number[] | undefined =>
  text === undefined ? undefined : text.split(',').map(Number);

const mostTestcases = (metrics: readonly Compared[]): number =>
  Math.max(0, ...metrics.map(({ numBaselineTestcases }) => numBaselineTestcases));

/** Returns four equal looks at the testcases of the baseline, as the address has them. */
export const usualLooks = (metrics: readonly Compared[]): string =>
  equalLooks(mostTestcases(metrics), usual).join(',');

type LooksChoiceProps = { looks: string; metrics: readonly Compared[]; onChange: (looks: string) => void };

/** Chooses how many equal looks are planned. A plan of other numbers comes from the address. */
export const LooksChoice = ({ looks, metrics, onChange }: LooksChoiceProps) => {
  const plans = offered.map((count) => equalLooks(mostTestcases(metrics), count).join(','));
  return (
    <div className="w-56">
      <Select
        label="Looks after"
        value={looks}
        onChange={onChange}
        options={[...new Set([looks, ...plans])].map((plan) => ({
          value: plan,
          label: plan.replaceAll(',', ', '),
        }))}
      />
    </div>
  );
};

/** Where each metric is in the plan: the newest look, its boundary, and when the next one comes. */
export const PlannedLooks = ({ metrics, measure }: { metrics: readonly Compared[]; measure: Measure }) => (
  <Section title="Planned looks">
    <Table
      label="Planned looks"
      head={['Metric', 'Look', 'Testcases', 'Boundary', 'Difference', 'Result', 'Next look']}
    >
      {metrics.map(({ metricId, metricName, outputType, look, n, difference, verdict }) => {
        const words = wordsFor(outputType, measure, n);
        if (!look) return null;
        return (
          <Row key={metricId}>
            <Cell>{metricName}</Cell>
            <Cell>
              {look.look} of {look.numLooks}
            </Cell>
            <Cell>
              {look.look === 0 ? 0 : n}
              {look.numSeen > n && ` (${look.numSeen} are scored)`}
            </Cell>
            <Cell>{look.boundary === null ? '—' : `${look.boundary.toFixed(2)} standard errors`}</Cell>
            <Cell>{difference === null ? '—' : `${words.difference(difference)}${words.unit}`}</Cell>
            <Cell>
              {verdict === 'cannot tell' && look.next !== null ? 'Open' : <Verdict verdict={verdict} />}
            </Cell>
            <Cell>
              {look.next === null ? 'none' : `at ${look.next} testcases`}
              {look.futile && ', will hardly decide'}
            </Cell>
          </Row>
        );
      })}
    </Table>
  </Section>
);
