import { Popover } from '@base-ui/react/popover';
import type { RecordDetail, ScoreState } from '../types.ts';
import { Button } from '../ui/button.tsx';
import { valueText } from './score-value.tsx';

/** A score that somebody wants to know more of, and where it stands on the page. */
export type AskedScore = { anchor: Element; record: RecordDetail; state: ScoreState };

// One line of text and no boxes within: the browser lays out thousands of them.
const badge = 'inline-block h-5 max-w-full rounded-sm px-1.5 text-sm leading-5 whitespace-nowrap';
const looks = {
  pass: 'bg-pass-wash text-pass',
  fail: 'bg-fail-wash text-fail',
  warn: 'bg-warn-wash text-warn',
  none: 'bg-sunken text-soft',
};

/** A sign, a word and a colour: none of them alone says what became of a score. */
const summaryOf = ({
  state,
  score,
  passed,
  validationErrors,
}: ScoreState): [keyof typeof looks, string, string] => {
  if (validationErrors) return ['warn', '!', 'does not fit'];
  if (state === 'failed') return ['warn', '!', 'failed'];
  if (state === 'pending') return ['none', '…', 'pending'];
  if (state === 'unscored') return ['none', '–', 'unscored'];
  return passed ? ['pass', '✓', valueText(score) ?? 'scored'] : ['fail', '✗', valueText(score) ?? 'scored'];
};

type ScoreCellProps = { state: ScoreState; onAsk: (anchor: Element) => void };

/** A score in a cell of the table. Thousands of them pass by, so it is two elements and no more. */
export const ScoreCell = ({ state, onAsk }: ScoreCellProps) => {
  const [look, sign, word] = summaryOf(state);
  return (
    <button
      type="button"
      // Whoever works with the keyboard opens the record, where each score has its reasoning beside it.
      tabIndex={-1}
      className={`${badge} ${looks[look]}`}
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

/** What a popover holds; all of it stands in the side panel. */
const mostText = 280;

const reasonOf = ({ score, reason, validationErrors }: ScoreState): string => {
  if (validationErrors) return validationErrors.map(({ path, message }) => `${path} ${message}`).join('\n');
  return (typeof score?.reasoning === 'string' && score.reasoning) || reason || '';
};

type ScorePopoverProps = {
  asked: AskedScore | undefined;
  onClose: () => void;
  onOpenRecord: (id: string) => void;
};

/** Why a score is what it is, in short. One for the whole table. */
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
                  <ScoreWord state={asked.state} />
                </p>
                <p dir="auto" className="mb-2 break-words whitespace-pre-wrap text-soft">
                  {text ? text.slice(0, mostText) + (isLong ? '…' : '') : 'No reasoning was given.'}
                </p>
                <Button onClick={() => onOpenRecord(asked.record.id)}>
                  {isLong ? 'Read all of it' : 'Open the record'}
                </Button>
              </>
            )}
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  );
};

const ScoreWord = ({ state }: { state: ScoreState }) => {
  const [look, sign, word] = summaryOf(state);
  return (
    <span className={`${badge} ${looks[look]}`}>
      <span aria-hidden>{sign} </span>
      {word}
    </span>
  );
};
