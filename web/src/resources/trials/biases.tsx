import type { PinnedTrial } from '../../types.ts';
import { Badge } from '../../ui/badge.tsx';
import { Cell, Row, Table } from '../../ui/table.tsx';

const tones = { clear: 'pass', biased: 'fail', 'cannot tell': 'warn' } as const;

/** The edits of a bias battery, each with what it changed. */
export const Biases = ({ trial }: { trial: PinnedTrial }) => (
  <>
    <p className="mb-1 first-letter:uppercase">{trial.sentence}.</p>
    <Table label="Edits of the battery" head={['Edit', 'Verdict', 'Verdicts that changed', 'Pending']}>
      {trial.candidates.map(({ how, bias, numPending }) => (
        <Row key={how}>
          <Cell className="font-medium">{how}</Cell>
          <Cell>{bias && <Badge tone={tones[bias.verdict]}>{bias.verdict}</Badge>}</Cell>
          <Cell className="min-w-64">{bias?.sentence}</Cell>
          <Cell>{numPending > 0 ? numPending : ''}</Cell>
        </Row>
      ))}
    </Table>
  </>
);
