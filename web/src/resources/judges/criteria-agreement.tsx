import { useQuery } from '@tanstack/react-query';
import { apiQuery } from '../../api.ts';
import { countOf, countText } from '../../ui/format.ts';
import { Interval } from '../../ui/interval.tsx';
import { Section } from '../../ui/page.tsx';
import { ErrorNote, Skeleton } from '../../ui/states.tsx';
import { Cell, Row, Table } from '../../ui/table.tsx';
import { Term } from '../../ui/term.tsx';
import { Coefficient } from './agreement.tsx';
import { type Calibration, type Labels, labelsOf } from './queries.ts';

type Compared = NonNullable<Calibration['criteria']>['criteria'][number];

const noteOf = ({ n, state, unjudged, numDisagreements }: Compared): string =>
  [
    ...(n === 0 ? ['no label'] : []),
    ...(state === 'noBetterThanChance' ? ['not shown to be better than chance'] : []),
    ...(n > 0 && state === 'tooFewLabels' ? ['too few labels'] : []),
    ...(numDisagreements > 0 ? [`differs on ${countOf(numDisagreements, 'record')}`] : []),
    ...(unjudged > 0 ? [`${unjudged} without a verdict of the judge`] : []),
  ].join(' · ');

const head = [
  'Criterion',
  'Labels',
  <Term key="sensitivity" of="sensitivity">
    Sensitivity
  </Term>,
  <Term key="specificity" of="specificity">
    Specificity
  </Term>,
  <Term key="kappa" of="kappa">
    κ
  </Term>,
  'Notes',
];

const RowOf = ({
  name,
  of,
  note,
}: {
  name: string;
  of: Omit<Compared, 'id' | 'text' | 'weight' | 'mustPass'>;
  note: string;
}) => (
  <Row>
    <Cell className="max-w-80 break-words" dir="auto">
      {name}
    </Cell>
    <Cell>{countText(of.n)}</Cell>
    <Cell>
      <Interval of={of.sensitivity} short />
    </Cell>
    <Cell>
      <Interval of={of.specificity} short />
    </Cell>
    <Cell>
      <Coefficient of={of.kappa} />
    </Cell>
    <Cell className="text-sm text-soft">{note}</Cell>
  </Row>
);

type CriteriaAgreementProps = { metricId: string; configId: string; labels: Labels };

/** How far a judge agrees with people on each of its criteria: which one it gets wrong. */
export const CriteriaAgreement = ({ metricId, configId, labels }: CriteriaAgreementProps) => {
  const { data, error } = useQuery(
    apiQuery('calibrateMetric', metricId, { metricConfigId: configId, ...labelsOf(labels), criteria: true }),
  );
  const found = data?.criteria;
  if (data && !found) return null;
  return (
    <Section title="Agreement by criterion">
      {error && <ErrorNote error={error} />}
      {!data && !error && <Skeleton lines={4} />}
      {found && found.together.n === 0 && (
        <p className="text-soft">
          No person has given a verdict on a criterion. The metric of people needs criteria with the same ids.
        </p>
      )}
      {found && found.together.n > 0 && (
        <>
          <Table label="Agreement by criterion" head={head}>
            {found.criteria.map((each) => (
              <RowOf key={each.id} name={each.text ?? each.id} of={each} note={noteOf(each)} />
            ))}
            <RowOf name="All verdicts together" of={found.together} note="clustered by record" />
          </Table>
          {found.numCriteriaLeftOut > 0 && (
            <p className="mt-1 text-sm text-soft">
              Criteria with fewer labels that are not listed: {countText(found.numCriteriaLeftOut)}.
            </p>
          )}
        </>
      )}
    </Section>
  );
};
