import { useQuery } from '@tanstack/react-query';
import { apiQuery } from '../../api.ts';
import { type Labels, labelsOf } from '../../resources/judges/queries.ts';
import { countOf, countText } from '../../ui/format.ts';
import { Interval } from '../../ui/interval.tsx';
import { Section } from '../../ui/page.tsx';
import { ErrorNote } from '../../ui/states.tsx';
import { Cell, Row, Table } from '../../ui/table.tsx';

type Props = { metricId: string; configId: string; labels: Labels };

/** How far each model of the jury agrees with the jury and with people. Nothing for a judge without a jury. */
export const Jury = ({ metricId, configId, labels }: Props) => {
  const jury = useQuery(apiQuery('measureJury', metricId, { metricConfigId: configId, ...labelsOf(labels) }));
  if (jury.error) return <ErrorNote error={jury.error} />;
  const { models = [], numRecords: records = 0, juryWithPeople } = jury.data ?? {};
  if (!juryWithPeople || models.length === 0) return null;
  return (
    <Section title="Jury">
      <p className="mb-1 text-soft">
        Drop a model that agrees less with people than the jury does, or that often gives no verdict. Its own
        vote counts in the jury’s verdict.
      </p>
      <Table
        label="Models of the jury"
        head={['Model', 'Agrees with people', 'Agrees with the jury', 'No verdict']}
      >
        {models.map(({ modelName, numVerdicts: verdicts, withJury, withPeople }) => (
          <Row key={modelName}>
            <Cell className="max-w-64 truncate font-medium">
              <bdi title={modelName}>{modelName}</bdi>
            </Cell>
            <Cell>
              <Interval of={withPeople} />
            </Cell>
            <Cell>
              <Interval of={withJury} />
            </Cell>
            <Cell>
              {countText(records - verdicts)} of {countText(records)}
            </Cell>
          </Row>
        ))}
        <Row>
          <Cell className="font-medium">The jury</Cell>
          <Cell>
            <Interval of={juryWithPeople} />
          </Cell>
          <Cell />
          <Cell />
        </Row>
      </Table>
      <p className="mt-1 text-sm text-soft">On {countOf(records, 'record')}, the newest first.</p>
    </Section>
  );
};
