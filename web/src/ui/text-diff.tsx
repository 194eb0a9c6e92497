import { diffWordsWithSpace } from 'diff';

// Beyond this the exact difference takes longer than anyone waits; the texts then stand one above the other.
const timeoutMs = 200;

/** Shows the differences between two texts. Loaded on demand. */
const TextDiff = ({ before, after }: { before: string; after: string }) => {
  const parts = diffWordsWithSpace(before, after, { timeout: timeoutMs }) ?? [
    { value: before, removed: true, added: false },
    { value: after, removed: false, added: true },
  ];
  return (
    <div className="break-words whitespace-pre-wrap" dir="auto">
      {parts.map(({ value, added, removed }, i) => {
        if (removed)
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: parts have no identity
            <del key={i} className="bg-sunken text-soft line-through">
              {value}
            </del>
          );
        if (added)
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: parts have no identity
            <ins key={i} className="bg-selected text-accent underline">
              {value}
            </ins>
          );
        return value;
      })}
    </div>
  );
};
export default TextDiff;
