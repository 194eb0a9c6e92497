import { maskText } from '../../engine/masking/mask-json.ts';
import type { Masker, Place } from '../../engine/masking/masker.ts';
import type { Masking } from '../../evaluation/masking/masking.ts';
import type { Sql } from '../../platform/db/database.ts';
import type { Owner } from '../../platform/http/scope.ts';
import { fields } from '../conventions/fields.ts';
import type { ProjectSpan } from './find-sources.ts';
import { type Attributes, type Source, type Span, type Value, valueText } from './span.ts';

/** Attributes that group spans: with tokens that are all alike, every person would be in one session. */
const ids = new Set<string>([...fields.sessionId, ...fields.link]);

const maskValue = (masker: Masker, value: Value, place: Place): Value => {
  if (place.isWhole) return masker.whole(valueText(value));
  if (typeof value === 'string') return maskText(value, masker, place);
  if (typeof value === 'bigint' || typeof value === 'number') return masker.number(String(value)) ?? value;
  if (Array.isArray(value)) return value.map((item) => maskValue(masker, item, place));
  if (value instanceof Map) return maskAttributes(masker, value, place);
  if (!(value instanceof Uint8Array)) return value;
  const text = Buffer.from(value).toString('utf8');
  const masked = masker.text(text);
  return masked === text ? value : masked;
};

const maskAttributes = (masker: Masker, attributes: Attributes, place: Place): Attributes => {
  const masked: Attributes = new Map();
  for (const [key, value] of attributes) {
    const isId = typeof value === 'string' && ids.has(key);
    masked.set(
      masker.text(key),
      isId ? masker.id(value) : maskValue(masker, value, masker.below(place, key)),
    );
  }
  return masked;
};

/** Returns the function that masks spans by one project's rules, and each of their sources once. */
const spanMasker = (masker: Masker) => {
  const sources = new Map<Source, Source>();
  const ofSpan = masker.below(masker.root, 'attributes');
  const ofResource = masker.below(masker.root, 'resource');
  const maskSource = (source: Source): Source => {
    const known = sources.get(source);
    if (known) return known;
    const masked = {
      ...source,
      resource: maskAttributes(masker, source.resource, ofResource),
      scopeName: masker.text(source.scopeName),
      scopeVersion: masker.text(source.scopeVersion),
      scopeAttributes: maskAttributes(masker, source.scopeAttributes, ofResource),
    };
    sources.set(source, masked);
    return masked;
  };
  return (span: Span): Span => ({
    ...span,
    name: masker.text(span.name),
    statusMessage: masker.text(span.statusMessage),
    traceState: masker.text(span.traceState),
    attributes: maskAttributes(masker, span.attributes, ofSpan),
    events: span.events.map((event) => ({
      ...event,
      name: masker.text(event.name),
      attributes: maskAttributes(masker, event.attributes, ofSpan),
    })),
    links: span.links.map((link) => ({
      ...link,
      traceState: masker.text(link.traceState),
      attributes: maskAttributes(masker, link.attributes, ofSpan),
    })),
    source: maskSource(span.source),
  });
};

/** Returns the function that masks spans by the rules of their projects, before they are used. */
export const spansMasker = (tx: Sql, owner: Owner, masking: Masking) => {
  const maskers = new Map<bigint, ((span: Span) => Span) | undefined>();
  return async (items: ProjectSpan[]): Promise<ProjectSpan[]> => {
    for (const projectId of new Set(items.map((item) => item.projectId))) {
      if (maskers.has(projectId)) continue;
      const masker = await masking.of(owner, { projectId }, tx);
      maskers.set(projectId, masker && spanMasker(masker));
    }
    return items.map((item) => {
      const mask = maskers.get(item.projectId);
      return mask ? { ...item, span: mask(item.span) } : item;
    });
  };
};
