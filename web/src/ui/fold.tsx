import { type ReactNode, useState } from 'react';
import { Button } from './button.tsx';
import { countText } from './format.ts';

// Some three screens of text; what is longer keeps what stands below it out of sight.
const longest = 4_000;

/** Folds what is long. It is all there, for the browser's search and for screen readers too. */
export const Fold = ({ length, children }: { length: number; children: ReactNode }) => {
  const [isOpen, setOpen] = useState(false);
  if (length <= longest) return children;
  return (
    <>
      <div className={isOpen ? '' : 'max-h-80 overflow-hidden mask-b-from-80%'}>{children}</div>
      <Button look="quiet" className="mt-1 -ml-2.5" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        {isOpen ? 'Fold it' : `Show all ${countText(length)} characters`}
      </Button>
    </>
  );
};
