import type { Verdict } from '../../../../client/src/gate/evaluate.ts';
import { Badge, type Tone } from '../../ui/badge.tsx';
import { Section } from '../../ui/page.tsx';
import { Cell, Row, Table } from '../../ui/table.tsx';
import { Term } from '../../ui/term.tsx';

export type Outcome = Verdict['decision']['outcome'];
export const outcomes: Record<Outcome, { title: string; word: string; tone: Tone }> = {
  pass: { title: 'Would have passed', word: 'pass', tone: 'pass' },
  worse: { title: 'Would have failed', word: 'worse', tone: 'fail' },
  inconclusive: {
    title: 'Would have failed: not enough data to decide',
    word: 'not enough data',
    tone: 'warn',
  },
  incomplete: { title: 'Would have failed: something is missing', word: 'incomplete', tone: 'warn' },
};

/** Whether the rules would have let one run pass, rule by rule. */
export const GateResult = ({ decision: { outcome, checks, exitCode, tests }, about }: Verdict) => (
  <Section title={outcomes[outcome].title}>
    <p className="mb-2 text-soft">
      dokima gate would have ended with exit code {exitCode}.
      {tests > 1 && (
        <>
          {` ${tests} rules are tested together (`}
          <Term of="Holm" />
          ).
        </>
      )}
    </p>
    <Table label="Rules" head={['Outcome', 'Result', 'Found']}>
      {checks.map(({ rule, sentence, outcome, said }) => (
        <Row key={`${rule} ${said}`}>
          <Cell className="align-top">
            <Badge tone={outcomes[outcome].tone}>{outcomes[outcome].word}</Badge>
          </Cell>
          <Cell className="min-w-48 align-top">{sentence}</Cell>
          <Cell className="min-w-64 align-top">{said}</Cell>
        </Row>
      ))}
    </Table>
    {about.notes.length > 0 && (
      <ul className="mt-2 list-disc pl-4 text-sm text-soft">
        {about.notes.map((note) => (
          <li key={note}>{note}</li>
        ))}
      </ul>
    )}
  </Section>
);
