import { useQuery } from '@tanstack/react-query';
import { type Answer, apiQuery } from '../../api.ts';
import { Coefficient } from '../../resources/judges/agreement.tsx';
import { useNames } from '../../resources/session/me.ts';
import { FactList } from '../../ui/fact.tsx';
import { countOf, countText } from '../../ui/format.ts';
import { Interval } from '../../ui/interval.tsx';
import { Section } from '../../ui/page.tsx';
import { ErrorNote, Skeleton } from '../../ui/states.tsx';
import { Cell, Row, Table } from '../../ui/table.tsx';

const signed = (value: number | null): string =>
  value === null ? 'N/A' : `${value > 0 ? '+' : ''}${value.toFixed(2).replace('-', '−')}`;

/** How far reviewers agree on each criterion of a metric. */
const ByCriterion = ({ criteria }: { criteria: NonNullable<Answer<'measureAgreement'>['criteria']> }) =>
  criteria.length > 0 && (
    <div className="mt-2">
      <Table
        label="Agreement of reviewers by criterion"
        head={['Criterion', 'Records', 'Same verdict', 'α', 'AC']}
      >
        {criteria.map((each) => (
          <Row key={each.id}>
            <Cell className="max-w-80 break-words" dir="auto">
              {each.text ?? each.id}
            </Cell>
            <Cell>{countText(each.numRecordsWithSeveral)}</Cell>
            <Cell>
              <Interval of={each.agreement} short />
            </Cell>
            <Cell>
              <Coefficient of={each.alpha} />
            </Cell>
            <Cell>
              <Coefficient of={each.ac} />
            </Cell>
          </Row>
        ))}
      </Table>
    </div>
  );

/** How far people who reviewed the same records agree, and whose reviews differ most. */
export const ReviewersAgree = ({ metricId }: { metricId: string }) => {
  const nameOf = useNames();
  const { data, error } = useQuery(apiQuery('measureAgreement', metricId, { criteria: true }));
  if (error) return <ErrorNote error={error} />;
  if (!data) return <Skeleton lines={3} />;
  if (data.numRecordsWithSeveral === 0) return null;
  const { unit, alpha, ac, agreement, reviewers, pairs, warnings, numReviewsLeftOut, criteria = [] } = data;
  const alphaNow = alpha.estimate;
  return (
    <Section title={`Agreement of reviewers (n = ${countText(data.numRecordsWithSeveral)})`}>
      <FactList
        facts={[
          ['Same score', <Interval key="" of={agreement} />],
          ['Krippendorff’s α', <Coefficient key="" of={alpha} />, 'alpha'],
          ['Gwet’s AC', <Coefficient key="" of={ac} />, 'AC1'],
          ...(numReviewsLeftOut > 0
            ? [
                ['Left out', `${countOf(numReviewsLeftOut, 'review')} that were not blind`] as [
                  string,
                  string,
                ],
              ]
            : []),
        ]}
      />
      {warnings.length > 0 && (
        <p className="mt-1 text-sm text-soft first-letter:uppercase">{warnings.join('; ')}.</p>
      )}
      <ByCriterion criteria={criteria} />
      <div className="mt-2 grid gap-x-8 gap-y-4 xl:grid-cols-2">
        <Table
          label="Reviewers against the others"
          head={['Reviewer', 'Reviews', 'Agree', 'Scores higher by', 'α without']}
        >
          {reviewers.map(({ userId, numReviews, agreement: share, difference, alphaWithout }) => (
            <Row key={userId}>
              <Cell>{nameOf(userId)}</Cell>
              <Cell>{countText(numReviews)}</Cell>
              <Cell>{share === null ? 'N/A' : `${(100 * share).toFixed(0)} %`}</Cell>
              <Cell>{signed(difference)}</Cell>
              <Cell
                className={
                  alphaNow !== null && alphaWithout !== null && alphaWithout > alphaNow ? 'text-warn' : ''
                }
                title="Higher than α: this reviewer differs from the rest"
              >
                {alphaWithout === null ? 'N/A' : alphaWithout.toFixed(2).replace('-', '−')}
              </Cell>
            </Row>
          ))}
        </Table>
        <Table
          label="Agreement by pair"
          head={['Pair', unit === 'span' ? 'Spans' : 'Records', 'Same score', 'κ']}
        >
          {pairs.map(({ userIds, n, agreement: of, kappa }) => (
            <Row key={userIds.join()}>
              <Cell>{userIds.map(nameOf).join(', ')}</Cell>
              <Cell>{countText(n)}</Cell>
              <Cell>
                <Interval of={of} short />
              </Cell>
              <Cell>{kappa && <Coefficient of={kappa} />}</Cell>
            </Row>
          ))}
        </Table>
      </div>
    </Section>
  );
};
