import { type ComparedLabels as Labels, shiftText } from '../../../../client/src/label-words.ts';
import { Cell, Row, Table } from '../../ui/table.tsx';

const share = (value: number): string => `${(100 * value).toFixed(1)} %`;
const points = (value: number): string =>
  `${value < 0 ? '−' : '+'}${(100 * Math.abs(value)).toFixed(1)} points`;

const testText = (labels: Labels): string => {
  const said = shiftText(labels);
  return `${said[0]!.toUpperCase()}${said.slice(1)}. The verdict is about the pass rate.`;
};

/** How the labels of a category are distributed in both runs, folded. */
export const ComparedLabels = ({ name, labels }: { name: string; labels: Labels }) => (
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
    <p className="mt-1 text-sm text-soft">{testText(labels)}</p>
  </details>
);
