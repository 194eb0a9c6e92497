import { tokensOf } from '../../resources/traces/trace-columns.tsx';
import type { TraceSession, TraceUser } from '../../types.ts';
import { countText, usdText } from '../../ui/format.ts';
import { Cell } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';

/** The heads of the cells of `SumCells`. */
export const sumHeads = ['Traces', 'Failed spans', 'Tokens', 'Cost', 'First seen', 'Last seen'];

/** What the traces of a session or a user sum up to. */
export const SumCells = ({ of }: { of: TraceSession | TraceUser }) => {
  const tokens = tokensOf(of);
  return (
    <>
      <Cell>{countText(of.numTraces)}</Cell>
      <Cell className={of.numErrors > 0 ? 'text-fail' : 'text-soft'}>{countText(of.numErrors)}</Cell>
      <Cell>{tokens === null ? '' : countText(tokens)}</Cell>
      <Cell>{of.costUsd === null ? '' : usdText(of.costUsd)}</Cell>
      <Cell>
        <Time at={of.firstSeen} />
      </Cell>
      <Cell>
        <Time at={of.lastSeen} />
      </Cell>
    </>
  );
};
