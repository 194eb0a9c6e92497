import { parseAsWritten } from '../../../../client/src/written-number.ts';
import type { PromptDraft } from '../../resources/systems/prompt-draft.ts';
import type { Asked } from './choose-examples.tsx';
import { mostVariants, type Variant } from './variant.ts';

/** The setup of a playground: variants, examples, metrics and budget. */
export type Bench = Asked & { variants: Variant[]; metricIds: string[]; budget: string };

const start = '#setup=';

/** The part of an address that has the setup. It is behind the #, so no server and no log gets the prompts. */
export const setupHash = (bench: Bench): string => {
  const bytes = new TextEncoder().encode(JSON.stringify(bench));
  const binary = Array.from(bytes, (byte) => String.fromCharCode(byte)).join('');
  return start + btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
};

const isText = (value: unknown): value is string => typeof value === 'string';

const isDraft = (draft: Partial<PromptDraft>): boolean =>
  [draft.modelName, draft.temperature, draft.maxOutputTokens, draft.tools, draft.outputSchema].every(
    isText,
  ) &&
  Array.isArray(draft.messages) &&
  draft.messages.every(({ role, content }) => isText(role) && isText(content)) &&
  typeof draft.rest === 'object';

const isVariant = (variant: Partial<Variant>): boolean =>
  isText(variant.key) &&
  (variant.draft ? isDraft(variant.draft) : isText(variant.endpoint) || isText(variant.versionId));

/** Reads the setup of an address; undefined without one, and for one that was cut. */
export const readSetup = (hash: string): Bench | undefined => {
  if (!hash.startsWith(start)) return undefined;
  try {
    const text = hash.slice(start.length).replaceAll('-', '+').replaceAll('_', '/');
    const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
    const { variants, testsetId, n, typed, metricIds, budget } = parseAsWritten(
      new TextDecoder().decode(bytes),
    ) as Bench;
    const isWhole =
      Array.isArray(variants) &&
      variants.length > 0 &&
      variants.length <= mostVariants &&
      variants.every(isVariant) &&
      [testsetId, n, budget].every(isText) &&
      Array.isArray(metricIds) &&
      metricIds.every(isText) &&
      Object.values(typed).every(isText);
    return isWhole ? { variants, testsetId, n, typed, metricIds, budget } : undefined;
  } catch {
    return undefined;
  }
};
