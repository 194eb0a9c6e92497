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

/** Most labels of a table with a column for each; more are a list. */
const mostColumns = 12;

type MovesProps = { name: string; labels: Labels; move: Move | undefined; onMove: (move: Move) => void };

type NumberOfMoveProps = Pick<MovesProps, 'move' | 'onMove'> & { each: Labels['moves'][number] };

/** How many testcases moved. A click lists them below. */
const NumberOfMove = ({ each: { from, to, numTestcases }, move, onMove }: NumberOfMoveProps) => (
  <button
    type="button"
    aria-label={`${numTestcases} from ${from} to ${to}`}
    aria-pressed={move?.from === from && move.to === to}
    onClick={() => onMove({ from, to })}
    className={`underline aria-pressed:font-medium ${from === to ? 'text-soft' : 'text-accent'}`}
  >
    {numTestcases}
  </button>
);

const MovesList = ({ name, labels: { moves }, ...chosen }: MovesProps) => (
  <Table label={`Moves of ${name}`} head={['From', 'To', 'Testcases']}>
    {moves
      .filter(({ from, to }) => from !== to)
      .map((each) => (
        <Row key={JSON.stringify([each.from, each.to])}>
          {[each.from, each.to].map((label, i) => (
            <Cell key={i === 0 ? 'from' : 'to'} className="max-w-72 break-words">
              <bdi>{label}</bdi>
            </Cell>
          ))}
          <Cell>
            <NumberOfMove each={each} {...chosen} />
          </Cell>
        </Row>
      ))}
  </Table>
);

const MovesTable = ({ name, labels: { shares, moves }, ...chosen }: MovesProps) => {
  const given = shares.map(({ label }) => label);
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
            const each = moves.find((one) => one.from === from && one.to === to);
            return (
              <Cell key={to}>
                {each ? <NumberOfMove each={each} {...chosen} /> : <span className="text-soft">0</span>}
              </Cell>
            );
          })}
        </Row>
      ))}
    </Table>
  );
};

/** Which labels became which: a table with a column for each label, or a list if they are many. */
const Moves = (props: MovesProps) => {
  const { moves, numMovesLeftOut } = props.labels;
  const isWide = new Set(moves.map(({ to }) => to)).size > mostColumns;
  return (
    <>
      {isWide ? <MovesList {...props} /> : <MovesTable {...props} />}
      {numMovesLeftOut > 0 && (
        <p className="mt-1 text-sm text-soft">
          And {numMovesLeftOut} further pairs of labels, with no more testcases than these.
        </p>
      )}
    </>
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
