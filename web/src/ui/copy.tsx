import { Check, Copy } from 'lucide-react';
import { useState } from 'react';
import { Button, IconButton } from './button.tsx';

/** Copies a text. `named`: its label is seen. Renders nothing in a page without TLS, where browsers do not allow it. */
export const CopyButton = ({
  text,
  label = 'Copy',
  named = false,
}: {
  text: string;
  label?: string;
  named?: boolean;
}) => {
  const [copied, setCopied] = useState(false);
  if (!('clipboard' in navigator)) return null;
  const copy = async () => {
    await navigator.clipboard.writeText(text);
    setCopied(true);
    setTimeout(() => setCopied(false), 1500);
  };
  if (named)
    return (
      <Button look="quiet" onClick={() => void copy()}>
        {copied ? <Check size={14} /> : <Copy size={14} />} {copied ? 'Copied' : label}
      </Button>
    );
  return (
    <IconButton
      icon={copied ? Check : Copy}
      label={copied ? 'Copied' : label}
      onClick={copy}
      className={copied ? 'text-pass' : ''}
    />
  );
};

/** A text in a box, with a button that copies it. */
export const CodeBlock = ({ text, label }: { text: string; label?: string }) => (
  <div className="relative rounded-md border bg-sunken">
    <div className="absolute top-1 right-1">
      <CopyButton text={text} label={label ?? 'Copy'} />
    </div>
    {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard */}
    <pre tabIndex={0} className="overflow-auto p-3 pr-12 font-mono text-sm whitespace-pre">
      {text}
    </pre>
  </div>
);
