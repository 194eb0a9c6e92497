import { parseJson } from '../../platform/json/parse-json.ts';
import type { Readable } from '../conventions/understand.ts';

type StoredAttributes = Record<string, unknown>;

/** A span's `content` column, parsed. */
type StoredContent = {
  status: number;
  statusMessage?: string;
  attributes: StoredAttributes;
  events?: { name: string; timeUnixNano: string; attributes: StoredAttributes }[];
};

/** Returns attributes as a map. Object.entries would take twice as long for a span with a million. */
export const asMap = (attributes: StoredAttributes): Map<string, unknown> => {
  const map = new Map<string, unknown>();
  for (const key of Object.keys(attributes)) map.set(key, attributes[key]);
  return map;
};

/** Reads a stored span for the functions of conventions/. */
export const readStored = (
  name: string,
  content: string,
): Readable & { status: number; statusMessage: string } => {
  const { status, statusMessage = '', attributes, events = [] } = parseJson(content) as StoredContent;
  return {
    name,
    status,
    statusMessage,
    attributes: asMap(attributes),
    events: events.map((event) => ({ name: event.name, attributes: asMap(event.attributes) })),
  };
};
