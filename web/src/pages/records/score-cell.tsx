import { Popover } from '@base-ui/react/popover';
import { reasonOf, ScoreValue, summaryOf } from '../../resources/records/score-value.tsx';
import type { RecordDetail, ScoreState } from '../../types.ts';
import { tones } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';

/** A score that the user asks about, and its element. */
export type AskedScore = { anchor: Element; record: RecordDetail; state: ScoreState };

// One line of text without inner boxes: the browser lays out thousands of them.
const badge = 'inline-block h-5 max-w-full rounded-sm px-1.5 text-sm leading-5 whitespace-nowrap';
type ScoreCellProps = { state: ScoreState; onAsk: (anchor: Element) => void };

/** A score in a cell of the table: two elements alone, since a scroll passes thousands of them. */
export const ScoreCell = ({ state, onAsk }: ScoreCellProps) => {
  const { tone, sign, word } = summaryOf(state);
  return (
    <button
      type="button"
      // With the keyboard one opens the record, where each score has its reasoning.
      tabIndex={-1}
      className={`${badge} ${tones[tone]}`}
      onClick={(event) => {
        event.stopPropagation();
        onAsk(event.currentTarget);
      }}
    >
      <span aria-hidden>{sign} </span>
      {word}
    </button>
  );
};

/** The most characters in the popover. The side panel has all of them. */
const mostText = 280;

type ScorePopoverProps = {
  asked: AskedScore | undefined;
  onClose: () => void;
  onOpenRecord: (id: string) => void;
};

/** Shows the reason of a score in short. The table has one popover. */
export const ScorePopover = ({ asked, onClose, onOpenRecord }: ScorePopoverProps) => {
  const text = asked ? reasonOf(asked.state) : '';
  const isLong = text.length > mostText;
  return (
    <Popover.Root open={asked !== undefined} onOpenChange={(open) => !open && onClose()}>
      <Popover.Portal>
        <Popover.Positioner anchor={asked?.anchor ?? null} sideOffset={4} align="start" className="z-40">
          <Popover.Popup className="w-80 rounded-md border bg-surface p-3 shadow-lg outline-none">
            {asked && (
              <>
                <Popover.Title className="mb-1 truncate font-semibold">
                  {asked.state.metricName}
                </Popover.Title>
                <p className="mb-2">
                  <ScoreValue state={asked.state} />
                </p>
                <p dir="auto" className="mb-2 break-words whitespace-pre-wrap text-soft">
                  {text ? text.slice(0, mostText) + (isLong ? '…' : '') : 'No reasoning.'}
                </p>
                <Button onClick={() => onOpenRecord(asked.record.id)}>
                  {isLong ? 'Read all' : 'Open the record'}
                </Button>
              </>
            )}
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  );
};
