import { Check, Copy } from 'lucide-react';
import { useState } from 'react';
import { IconButton } from './button.tsx';

/** Copies a text. Renders nothing in a page without TLS, where browsers do not allow it. */
export const CopyButton = ({ text, label = 'Copy' }: { text: string; label?: string }) => {
  const [copied, setCopied] = useState(false);
  if (!('clipboard' in navigator)) return null;
  const copy = async () => {
    await navigator.clipboard.writeText(text);
    setCopied(true);
    setTimeout(() => setCopied(false), 1500);
  };
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
    <pre tabIndex={0} className="overflow-auto p-3 pr-10 font-mono text-sm whitespace-pre">
      {text}
    </pre>
  </div>
);
