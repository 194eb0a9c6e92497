import { diffWordsWithSpace } from 'diff';

// Beyond this the exact difference takes longer than anyone waits; the texts are then shown without marks.
const timeoutMs = 200;

type SidedDiffProps = { before: string; after: string; side: 'before' | 'after' };

/** One of two texts, with the words marked that the other one lacks. Loaded on demand. */
const SidedDiff = ({ before, after, side }: SidedDiffProps) => {
  const parts = diffWordsWithSpace(before, after, { timeout: timeoutMs });
  if (!parts) return side === 'before' ? before : after;
  return parts.map(({ value, added, removed }, i) => {
    if (side === 'before' ? added : removed) return null;
    const Tag = removed ? 'del' : added ? 'ins' : undefined;
    if (!Tag) return value;
    return (
      <Tag
        // biome-ignore lint/suspicious/noArrayIndexKey: parts have no identity
        key={i}
        className={`no-underline ${removed ? 'bg-sunken' : 'bg-selected'}`}
      >
        {value}
      </Tag>
    );
  });
};
export default SidedDiff;
