import { maskJson } from '../engine/masking/mask-json.ts';
import { maskPart } from '../evaluation/masking/mask-data.ts';
import type { ProjectMasker } from '../evaluation/masking/masking.ts';
import type { Column } from './columns.ts';

/** Tables with data that arrived and the answers to it. The others hold settings, or people's own words. */
const dataTables = new Set([
  'record',
  'record_tag',
  'score',
  'score_history',
  'span_score',
  'span_score_history',
  'review_score',
  'proposed_score',
  'execution',
  'span',
  'span_source',
  'trace',
  'trace_link',
  'preference_pair',
  'preference_vote',
]);
/** Values that bring rows together. */
const idColumns = new Set(['otel_link_id', 'session_id', 'user_id', 'link']);
/** Places in an order, with many digits. */
const orders = new Set(['input_order', 'output_order', 'root_order']);
/** Whether a name or a preview of a trace ends before its text does. */
const isCut = (value: string): boolean => value.endsWith('…') || value.length >= 500;
const parts = new Set(['inputs', 'expected', 'outputs', 'score']);

/** Masks a value of an archive as the API masks it when it arrives. */
export const maskColumn = (
  masker: ProjectMasker,
  table: string,
  { name, type, naming }: Column,
  value: string,
): string => {
  if (table === 'testcase') {
    return masker.testcases && name === 'json_data' ? maskPart(masker, 'jsonData', value) : value;
  }
  if (table === 'annotation' || table === 'annotation_reply')
    return masker.comments && name === 'comment' ? masker.text(value) : value;
  if (!dataTables.has(table) || naming.of || naming.person || naming.as) return value;
  if (idColumns.has(name)) return masker.id(value);
  if (orders.has(name)) return value;
  // A value that is cut off in the middle no longer matches its pattern.
  if ((table === 'trace' || table === 'span') && type === 'text' && isCut(value)) return '';
  // The messages of a conversation that broke off would have been outputs.
  if (table === 'execution' && name === 'evidence') return maskPart(masker, 'outputs', value);
  if (type === 'json') return parts.has(name) ? maskPart(masker, name, value) : maskJson(value, masker);
  return type === 'text' ? masker.text(value) : value;
};
