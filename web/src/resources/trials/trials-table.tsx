import type { ReactNode } from 'react';
import { Cell, Row, Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { useNames } from '../session/me.ts';
import { StateBadge } from './state-badge.tsx';

/** A trial as a row of a list. */
export type TrialRow = {
  key: string | number;
  /** Its name, which leads to its page. */
  link: ReactNode;
  state: Parameters<typeof StateBadge>[0]['state'];
  verdict: ReactNode;
  createdAt: string;
  createdByUserId: string | null;
};

/** Trials, newest first, each with its state and its verdict. */
export const TrialsTable = ({ label, rows }: { label: string; rows: readonly TrialRow[] }) => {
  const nameOf = useNames();
  return (
    <Table label={label} head={['Trial', 'State', 'Verdict', 'Started', 'By']}>
      {rows.map(({ key, link, state, verdict, createdAt, createdByUserId }) => (
        <Row key={key}>
          <Cell className="font-medium">{link}</Cell>
          <Cell>
            <StateBadge state={state} />
          </Cell>
          <Cell className="min-w-64">{verdict}</Cell>
          <Cell>
            <Time at={createdAt} />
          </Cell>
          <Cell>{createdByUserId === null ? 'The service' : nameOf(createdByUserId)}</Cell>
        </Row>
      ))}
    </Table>
  );
};
