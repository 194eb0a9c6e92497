import type { RunSummary } from '../../types.ts';
import { countText } from '../../ui/format.ts';
import { Interval } from '../../ui/interval.tsx';
import { Cell, Row, Table } from '../../ui/table.tsx';

type Labels = NonNullable<RunSummary['metrics'][number]['labels']>;

/** How often each label of a category was given, as bars with their intervals, which hold all at once. */
export const LabelShares = ({ name, labels }: { name: string; labels: Labels }) => (
  <div className="min-w-0 lg:col-span-2">
    <Table label={`Labels of ${name}`} head={['Label', 'Passes', 'Share', 'Scores']}>
      {labels.shares.map(({ label, passes, numScores, share }) => (
        <Row key={label}>
          <Cell className="max-w-72 break-words">
            <bdi>{label}</bdi>
          </Cell>
          <Cell>{passes ? '✓ passes' : '–'}</Cell>
          <Cell>
            <Interval of={share} />
          </Cell>
          <Cell>{countText(numScores)}</Cell>
        </Row>
      ))}
    </Table>
    <p className="mt-1 text-sm text-soft">
      {labels.ordered ? 'From worst to best. ' : ''}The intervals hold for all labels at once.
    </p>
  </div>
);
