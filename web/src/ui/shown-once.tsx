import type { ReactNode } from 'react';
import { Button } from './button.tsx';
import { CodeBlock } from './copy.tsx';
import { Dialog } from './dialog.tsx';

type ShownOnceProps = {
  onClose: () => void;
  title: string;
  description: string;
  /** The secrets by the labels of their copy buttons. */
  texts: Readonly<Record<string, string>>;
  children?: ReactNode;
};

/** Shows secrets that the service never tells again. */
export const ShownOnce = ({ onClose, title, description, texts, children }: ShownOnceProps) => (
  <Dialog open onClose={onClose} title={title} description={description}>
    <div className="flex flex-col gap-2">
      {Object.entries(texts).map(([label, text]) => (
        <CodeBlock key={label} text={text} label={label} />
      ))}
      {children}
      <Button look="primary" className="mt-1 self-end" onClick={onClose}>
        Done
      </Button>
    </div>
  </Dialog>
);
