import type { PinnedTrial } from '../../types.ts';
import { Badge } from '../../ui/badge.tsx';
import { countOf, sentenceOf } from '../../ui/format.ts';
import { Cell, Row, Table } from '../../ui/table.tsx';

const tones = { clear: 'pass', biased: 'fail', 'cannot tell': 'warn', 'not applicable': 'neutral' } as const;

/** The biases and the verdicts that they are held against, in words. */
export const biasNames: Record<string, string> = {
  reference: 'as it is',
  placebo: 'as it is, again',
  padding: 'padding',
  order: 'order of lists',
  author: 'name of an author',
  authority: 'experts agree',
  format: 'format',
  language: 'language of the author',
  selfPreference: 'its own model',
};

/** What a battery found: each bias with its verdict. While verdicts are pending: how many. */
export const Biases = ({ trial: { battery, sentence, state, candidates } }: { trial: PinnedTrial }) => (
  <>
    <p className="mb-1">{sentenceOf(sentence)}</p>
    {battery ? (
      <Table label="Biases" head={['Bias', 'Verdict', 'What was found']}>
        {battery.biases.map(({ bias, verdict, sentence: said }) => (
          <Row key={bias}>
            <Cell className="font-medium whitespace-nowrap">{biasNames[bias]}</Cell>
            <Cell>
              <Badge tone={tones[verdict]}>{verdict}</Badge>
            </Cell>
            <Cell className="min-w-64">
              {sentenceOf(said.replace(`${verdict}: `, '').replace('biased, ', ''))}
            </Cell>
          </Row>
        ))}
      </Table>
    ) : state === 'discarded' ? null : (
      <Table label="Verdicts of the battery" head={['Records', 'Pending']}>
        {candidates.map(({ how, numPending }) => (
          <Row key={how}>
            <Cell className="font-medium">{biasNames[how] ?? how}</Cell>
            <Cell>{numPending > 0 ? countOf(numPending, 'verdict') : 'none'}</Cell>
          </Row>
        ))}
      </Table>
    )}
  </>
);
