import type { ReactNode } from 'react';
import { countText } from '../../ui/format.ts';
import { type Estimate, Interval } from '../../ui/interval.tsx';
import { Section } from '../../ui/page.tsx';
import { Cell, Row, Table } from '../../ui/table.tsx';
import { Term } from '../../ui/term.tsx';
import type { TermName } from '../../ui/terms.ts';
import type { Calibration } from './queries.ts';

/** A coefficient that is not a share, with its interval. */
export const Coefficient = ({ of }: { of: Estimate }) => {
  if (of.estimate === null)
    return (
      <span className="text-soft" title={of.reason ?? undefined}>
        N/A
      </span>
    );
  const text = (value: number) => value.toFixed(2).replace('-', '−');
  return (
    <span className="inline-flex items-center gap-2 whitespace-nowrap">
      <span className="font-medium">{text(of.estimate)}</span>
      <span className="text-sm text-soft">
        {of.interval ? `${text(of.interval.low)} to ${text(of.interval.high)}, ` : 'no interval, '}n = {of.n}
      </span>
    </span>
  );
};

const Count = ({ n, agree, children }: { n: number; agree: boolean; children: string }) => (
  <Cell className={agree ? 'bg-pass-wash' : 'bg-fail-wash'}>
    <span className="block text-lg font-semibold">{countText(n)}</span>
    <span className="block text-sm text-soft">{children}</span>
  </Cell>
);

const Matrix = ({ matrix }: Pick<Calibration, 'matrix'>) => {
  const { truePositives, falsePositives, falseNegatives, trueNegatives } = matrix;
  return (
    <Table label="Judge against people" head={['Records', 'People pass', 'People fail']}>
      <tr className="border-b">
        <th scope="row" className="pr-2 text-left font-medium">
          Judge passes
        </th>
        <Count n={truePositives} agree>
          agree
        </Count>
        <Count n={falsePositives} agree={false}>
          too lenient
        </Count>
      </tr>
      <tr className="border-b">
        <th scope="row" className="pr-2 text-left font-medium">
          Judge fails
        </th>
        <Count n={falseNegatives} agree={false}>
          too strict
        </Count>
        <Count n={trueNegatives} agree>
          agree
        </Count>
      </tr>
    </Table>
  );
};

/** How far a judge agrees with people: the matrix, and each figure with its interval. `by`: what people's labels are. */
export const Agreement = ({ calibration, by }: { calibration: Calibration; by: string }) => {
  const { sensitivity, specificity, agreement, baseRate, kappa, ac1, weightedKappa } = calibration;
  const figures: [name: string, about: string, value: ReactNode, term?: TermName][] = [
    [
      'Sensitivity',
      'share that the judge passes of the records that people pass',
      <Interval key="" of={sensitivity} />,
      'sensitivity',
    ],
    [
      'Specificity',
      'share that the judge fails of the records that people fail',
      <Interval key="" of={specificity} />,
      'specificity',
    ],
    ['Agreement', 'same verdict', <Interval key="" of={agreement} />],
    ['Human pass rate', 'what people pass of these records', <Interval key="" of={baseRate} />],
    ['Cohen’s κ', 'agreement beyond chance', <Coefficient key="" of={kappa} />, 'kappa'],
    [
      'Gwet’s AC1',
      'agreement beyond chance, stable for rare failures',
      <Coefficient key="" of={ac1} />,
      'AC1',
    ],
  ];
  if (weightedKappa)
    figures.push(['Weighted κ', 'near misses count less', <Coefficient key="" of={weightedKappa} />]);
  return (
    <Section
      title={
        calibration.n === 0
          ? 'Agreement with people'
          : `Agreement with people, ${by} (n = ${countText(calibration.n)})`
      }
    >
      {calibration.n === 0 && <p className="text-soft">No person has labelled a record of this judge.</p>}
      {calibration.n > 0 && (
        <div className="grid items-start gap-x-8 gap-y-4 xl:grid-cols-[360px_minmax(0,1fr)]">
          <Matrix matrix={calibration.matrix} />
          <Table
            label="Figures of the agreement"
            head={[
              'Figure',
              <Term key="interval" of="interval">
                95 % interval
              </Term>,
            ]}
          >
            {figures.map(([name, about, value, term]) => (
              <Row key={name}>
                <Cell>
                  <span className="font-medium">{term ? <Term of={term}>{name}</Term> : name}</span>
                  <span className="block text-sm text-soft">{about}</span>
                </Cell>
                <Cell>{value}</Cell>
              </Row>
            ))}
          </Table>
        </div>
      )}
      {calibration.n > 0 && (
        <p className="mt-2 text-sm text-soft first-letter:uppercase">
          {[`assumes that ${calibration.assumption}`, ...calibration.warnings].join('; ')}.
        </p>
      )}
    </Section>
  );
};
