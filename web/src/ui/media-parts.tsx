import { JsonTree } from './json-tree.tsx';
import { mediumOf } from './medium.ts';
import { MediumView } from './medium-view.tsx';

/** The parts of a message that are not text: files as such, anything else as JSON. */
export const Media = ({ parts }: { parts: readonly unknown[] }) =>
  parts.map((part, i) => {
    const medium = mediumOf(part);
    return medium ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a message don't change their order
      <MediumView key={i} medium={medium} />
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a message don't change their order
      <JsonTree key={i} value={part} />
    );
  });
