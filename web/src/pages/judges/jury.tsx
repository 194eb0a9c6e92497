import type { JuryAgreement } from '../../types.ts';
import { countOf, countText } from '../../ui/format.ts';
import { Interval } from '../../ui/interval.tsx';
import { Section } from '../../ui/page.tsx';
import { Cell, Row, Table } from '../../ui/table.tsx';
import { Term } from '../../ui/term.tsx';

/** How far each model of the jury agrees with the jury and with people. */
export const Jury = ({ jury }: { jury: JuryAgreement }) => {
  const { models, numRecords, juryWithPeople } = jury;
  return (
    <Section title={<Term of="jury">Jury</Term>}>
      <p className="mb-1 text-soft">
        Drop a model that agrees less with people than the jury does, or that often gives no verdict. Its own
        vote counts in the jury’s verdict.
      </p>
      <Table
        label="Models of the jury"
        head={['Model', 'Agrees with people', 'Agrees with the jury', 'No verdict']}
      >
        {models.map(({ modelName, numVerdicts, withJury, withPeople }) => (
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
              {countText(numRecords - numVerdicts)} of {countText(numRecords)}
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
      <p className="mt-1 text-sm text-soft">On {countOf(numRecords, 'record')}, the newest first.</p>
    </Section>
  );
};
