import { percentOf } from '../../ui/format.ts';
import { Cell, Row, Table } from '../../ui/table.tsx';
import type { Pair } from './pair.ts';
import { type Cost, costNames, costs, isTold } from './usage-costs.ts';

type Rise = NonNullable<Pair['usage']>[Cost];

const percent = (share: number): string =>
  `${share > 0 ? '+' : ''}${(100 * share).toFixed(1)}`.replace('-', '−');

const riseText = ({ rise, interval }: Rise): string => {
  if (rise === null) return 'N/A';
  return `${percent(rise)} %${interval ? `, ${percent(interval.low)} to ${percent(interval.high)} %` : ''}`;
};

/** How latency, tokens and cost changed on the shared testcases. Nothing if one of the runs tells none of them. */
export const UsageRises = ({ pair, level }: { pair: Pair; level: number }) => {
  const { usage } = pair;
  const told = costNames.filter((name) => isTold(pair, name));
  if (!usage || told.length === 0) return null;
  return (
    <div className="mt-4">
      <Table
        label="Latency, tokens and cost"
        head={['', `Run ${pair.before}`, `Run ${pair.after}`, `Change, ${percentOf(level)} % interval`]}
      >
        {told.map((name) => (
          <Row key={name}>
            <Cell className="font-medium">{costs[name].label}</Cell>
            <Cell>{costs[name].text(usage[name].before)}</Cell>
            <Cell>{costs[name].text(usage[name].after)}</Cell>
            <Cell>
              {riseText(usage[name])} <span className="text-sm text-soft">n = {usage[name].n}</span>
              {usage[name].warnings.map((warning) => (
                <span key={warning} className="block text-sm text-soft first-letter:uppercase">
                  {warning}.
                </span>
              ))}
            </Cell>
          </Row>
        ))}
      </Table>
    </div>
  );
};
