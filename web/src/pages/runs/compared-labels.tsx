import { type ComparedLabels as Labels, shiftText } from '../../../../client/src/label-words.ts';
import { Cell, Row, Table } from '../../ui/table.tsx';

const share = (value: number): string => `${(100 * value).toFixed(1)} %`;
const points = (value: number): string =>
  `${value < 0 ? '−' : '+'}${(100 * Math.abs(value)).toFixed(1)} points`;

const testText = (labels: Labels): string => {
  const said = shiftText(labels);
  return `${said[0]!.toUpperCase()}${said.slice(1)}. The verdict is about the pass rate.`;
};

/** Labels of a testcase in both runs. */
export type Move = { from: string; to: string };

type MovesProps = { name: string; labels: Labels; move: Move | undefined; onMove: (move: Move) => void };

/** Which labels became which. A number lists its testcases below. */
const Moves = ({ name, labels: { shares, moves }, move, onMove }: MovesProps) => {
  const given = shares
    .map(({ label }) => label)
    .filter((label) => moves.some(({ from, to }) => label === from || label === to));
  const before = given.filter((label) => moves.some(({ from }) => from === label));
  const after = given.filter((label) => moves.some(({ to }) => to === label));
  return (
    <Table label={`Moves of ${name}`} head={['From, to', ...after]}>
      {before.map((from) => (
        <Row key={from}>
          <Cell className="max-w-72 break-words">
            <bdi>{from}</bdi>
          </Cell>
          {after.map((to) => {
            const n = moves.find((each) => each.from === from && each.to === to)?.numTestcases;
            return (
              <Cell key={to}>
                {n === undefined ? (
                  <span className="text-soft">0</span>
                ) : (
                  <button
                    type="button"
                    aria-label={`${n} from ${from} to ${to}`}
                    aria-pressed={move?.from === from && move.to === to}
                    onClick={() => onMove({ from, to })}
                    className={`underline aria-pressed:font-medium ${from === to ? 'text-soft' : 'text-accent'}`}
                  >
                    {n}
                  </button>
                )}
              </Cell>
            );
          })}
        </Row>
      ))}
    </Table>
  );
};

/** How the labels of a category are distributed in both runs, and which became which, folded. */
export const ComparedLabels = ({ name, labels, move, onMove }: MovesProps) => (
  <details className="mt-1">
    <summary className="cursor-pointer text-accent underline">Labels</summary>
    <Table label={`Labels of ${name} compared`} head={['Label', 'Before', 'After', 'Difference']}>
      {labels.shares.map(({ label, passes, before, after }) => (
        <Row key={label}>
          <Cell className="max-w-72 break-words">
            <bdi>{label}</bdi> {passes && <span className="text-soft">✓ passes</span>}
          </Cell>
          <Cell>{share(before)}</Cell>
          <Cell>{share(after)}</Cell>
          <Cell>{points(after - before)}</Cell>
        </Row>
      ))}
    </Table>
    <p className="mt-1 mb-3 text-sm text-soft">{testText(labels)}</p>
    <Moves name={name} labels={labels} move={move} onMove={onMove} />
  </details>
);
