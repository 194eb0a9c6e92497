import { type ReactNode, useState } from 'react';
import { Button } from './button.tsx';
import { countText } from './format.ts';

// About three screens of text; a longer text would hide what is below it.
const longest = 4_000;

/** Folds long content. All of it stays on the page, for the browser's search and for screen readers. */
export const Fold = ({ length, children }: { length: number; children: ReactNode }) => {
  const [isOpen, setOpen] = useState(false);
  if (length <= longest) return children;
  return (
    <>
      <div className={isOpen ? '' : 'max-h-80 overflow-hidden mask-b-from-80%'}>{children}</div>
      <Button look="quiet" className="mt-1 -ml-3" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        {isOpen ? 'Show less' : `Show all ${countText(length)} characters`}
      </Button>
    </>
  );
};
