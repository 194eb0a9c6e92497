import { valueOfScore } from '../../../../client/src/score-value.ts';
import { configOf, emptyPrompt, type PromptDraft } from '../../resources/systems/prompt-draft.ts';
import type { JsonObject, Metric, SystemVersionDetails, TrySystemBody } from '../../types.ts';

/** One column: a version, edited or not, or a prompt that is not saved yet. */
export type Variant = {
  key: string;
  systemId?: string;
  systemName?: string;
  versionId?: string;
  versionName?: string;
  /** Undefined for a system that is not a prompt: it is called as its version says. */
  draft?: PromptDraft;
  /** The address of an endpoint that is not saved. */
  endpoint?: string;
  /** The draft as its version has it, as JSON. */
  saved?: string;
};

export const mostVariants = 6;

/** A prompt to be written. The key tells the variants of a page apart. */
export const newVariant = (key = Math.random().toString(36).slice(2, 10), modelName = ''): Variant => ({
  key,
  draft: { ...emptyPrompt, modelName },
});

/** An endpoint that is called without being saved first. */
export const newEndpoint = (key: string): Variant => ({ key, endpoint: '' });

/** Whether the variant can be asked. */
export const isComplete = ({ draft, endpoint }: Variant): boolean => {
  if (endpoint !== undefined) return /^https?:\/\/[^\s/]/.test(endpoint.trim());
  return !draft || (draft.modelName.trim() !== '' && draft.messages.every(({ content }) => content !== ''));
};

/** The style of a grid that has a column for each variant. */
export const columnsOf = (variants: readonly Variant[]) => ({
  gridTemplateColumns: `repeat(${variants.length}, minmax(300px, 1fr))`,
});

export const isEdited = ({ draft, endpoint, saved }: Variant): boolean =>
  endpoint !== undefined || (draft !== undefined && JSON.stringify(draft) !== saved);

/** Whether the variant is a version as it is stored. */
export const isSaved = (variant: Variant): boolean => variant.versionId !== undefined && !isEdited(variant);

export const letterOf = (i: number): string => String.fromCharCode(65 + i);

export const titleOf = ({ systemName, versionName, endpoint }: Variant): string => {
  if (systemName !== undefined) return `${systemName}: ${versionName ?? ''}`;
  return endpoint === undefined ? 'New prompt' : 'New endpoint';
};

export const variantOf = (
  key: string,
  { id, systemId, systemName, name }: Pick<SystemVersionDetails, 'id' | 'systemId' | 'systemName' | 'name'>,
  draft: PromptDraft | undefined,
): Variant => ({
  key,
  systemId,
  systemName,
  versionId: id,
  versionName: name || id.slice(-8),
  ...(draft && { draft, saved: JSON.stringify(draft) }),
});

/** The configuration of a variant that is not saved. Throws an error for a draft whose JSON does not parse. */
export const unsavedConfigOf = ({ draft, endpoint }: Variant): JsonObject =>
  endpoint === undefined ? configOf(draft!) : { endpoint: endpoint.trim() };

/** What is sent to call the variant. Throws an error for a draft whose JSON does not parse. */
export const systemOf = (variant: Variant): Pick<TrySystemBody, 'config' | 'systemVersionId'> =>
  isSaved(variant) ? { systemVersionId: variant.versionId! } : { config: unsavedConfigOf(variant) };

/** What the variants are asked: a testcase of the testset, or the inputs that are typed. */
export type Example = {
  id: string;
  testcaseId?: string;
  inputs: JsonObject;
  expected: JsonObject;
};

export type CellScore =
  | { state: 'pending' }
  | { state: 'done'; passed: boolean | null; value: JsonObject | null; reason: string | null; status: string }
  | { state: 'error'; error: string };

/** Result of a variant for an example. */
export type Cell = {
  state: 'waiting' | 'running' | 'answered' | 'failed' | 'stopped';
  text: string;
  outputs: JsonObject | null;
  error: string | null;
  latencyMs: number | null;
  tokens: number | null;
  costUsd: number | null;
  /** Whether a call was made whose cost is unknown. */
  isUnpriced: boolean;
  scores: Record<string, CellScore>;
};

export const waitingCell: Cell = {
  state: 'waiting',
  text: '',
  outputs: null,
  error: null,
  latencyMs: null,
  tokens: null,
  costUsd: null,
  isUnpriced: false,
  scores: {},
};

/** Whether a score passes by the metric's threshold. */
export const passesBy = (
  { outputType, passingThreshold, labels }: Metric,
  score: JsonObject | null,
): boolean | null => {
  if (typeof score?.categoryScore === 'string') return labels?.passing.includes(score.categoryScore) ?? null;
  const value = valueOfScore(score);
  if (value === undefined) return null;
  return Number(value) >= (passingThreshold ?? { boolean: 1, int: 4, float: 0.9, category: 1 }[outputType]);
};
