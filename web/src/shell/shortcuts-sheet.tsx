import { Kbd } from '../ui/bits.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { modKey } from '../ui/keys.ts';

/** Every key and what it does; the pages listen to them through useKeys. */
const sheet: { title: string; keys: [string[], string][] }[] = [
  {
    title: 'Everywhere',
    keys: [
      [[modKey, 'K'], 'Go to or do anything'],
      [['/'], 'Search'],
      [['?'], 'This sheet'],
      [['Esc'], 'Close, or leave a field'],
    ],
  },
  {
    title: 'Records',
    keys: [
      [['j'], 'Next record'],
      [['k'], 'Previous record'],
      [['Enter'], 'Open beside the table; again: as a page'],
      [['x'], 'Select; with Shift from the last selected to here'],
    ],
  },
  {
    title: 'A record',
    keys: [
      [['+'], 'Thumbs up'],
      [['-'], 'Thumbs down'],
      [['c'], 'Write a comment'],
      [['t'], 'Tag'],
      [['a'], 'Assign'],
      [['↑', '↓'], 'Choose a score'],
      [['i'], 'How it came to be: prompt, reply, cost, history'],
      [['1–5'], 'Set it, where people score'],
      [['p', 'f'], 'Set it to pass or fail'],
      [[modKey, 'Enter'], 'Save what is being written'],
    ],
  },
  {
    title: 'A trace',
    keys: [
      [['↑', '↓'], 'Choose a span'],
      [['←', '→'], 'Fold and unfold'],
      [['e'], 'Next failure; with Shift the one before'],
      [['z'], 'Timeline: zoom to the span'],
      [['i', 'o', '0'], 'Timeline: in, out, the whole time'],
      [['h', 'l'], 'Timeline: earlier, later'],
      [['c'], 'Comment on the selected passage, or on the span'],
    ],
  },
  {
    title: 'Testcases',
    keys: [
      [['Enter'], 'Open beside the table'],
      [['e'], 'Edit in the table; Tab goes on to the next field'],
    ],
  },
  {
    title: 'Review',
    keys: [
      [['1–5'], 'Choose a score'],
      [['p', 'f'], 'Choose pass or fail'],
      [['Enter'], 'Submit and go on'],
      [['s', '→'], 'Skip'],
      [['u', '←'], 'Take the last submission back'],
      [['c'], 'Write why'],
    ],
  },
];

/** Loaded on demand. */
const ShortcutsSheet = ({ onClose }: { onClose: () => void }) => (
  <Dialog open onClose={onClose} title="Keys" reading>
    <div className="flex flex-col gap-4">
      {sheet.map(({ title, keys }) => (
        <section key={title}>
          <h3 className="mb-1 text-sm font-medium text-soft">{title}</h3>
          <dl>
            {keys.map(([names, what]) => (
              <div key={what} className="flex h-7 items-center justify-between gap-4">
                <dd>{what}</dd>
                <dt className="flex gap-1">
                  {names.map((name) => (
                    <Kbd key={name}>{name}</Kbd>
                  ))}
                </dt>
              </div>
            ))}
          </dl>
        </section>
      ))}
    </div>
  </Dialog>
);
export default ShortcutsSheet;
