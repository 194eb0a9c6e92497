import { closest } from '../../platform/search/parse-search.ts';
import type { Attributes } from './attribute.ts';
import { ownMetric, ownRecord } from './evaluation.ts';
import { fields, tagFields } from './fields.ts';

const isOwn = (key: string): boolean => /^dokima[._:\-/]/i.test(key);

const namesOfFields: readonly string[] = [...Object.values(fields).flat(), ...tagFields];

/** The attributes whose names begin with `dokima.`: those that are read, and those of the events that this service sends. */
const known = new Set<string>([...namesOfFields.filter(isOwn), ownMetric, ownRecord]);

/** A name without its prefix, dots, underscores and capitals: `dokima.projectId` and `dokima.project_id` are equal. */
const bareName = (key: string): string =>
  key
    .slice(0, 256)
    .toLowerCase()
    .replace(/^(dokima|scorecard)(?![a-z0-9])/, '')
    .replace(/[^a-z0-9]/g, '');

/** What each bare name means. Sessions and users have the names of OpenTelemetry. */
const meanings = new Map<string, string>([
  ...[...known].map((key) => [bareName(key), key] as const),
  ['project', 'dokima.project_id'],
  ['testcase', 'dokima.testcase_id'],
  ['link', 'dokima.otel_link_id'],
  ['tag', 'dokima.tags'],
  ['sessionid', 'session.id'],
  ['session', 'session.id'],
  ['conversationid', 'session.id'],
  ['threadid', 'session.id'],
  ['userid', 'user.id'],
  ['user', 'user.id'],
]);

const unknownIn = (attributes: Attributes): string[] => {
  const found: string[] = [];
  for (const key of attributes.keys()) {
    if ((key[0] === 'd' || key[0] === 'D') && isOwn(key) && !known.has(key)) found.push(key);
    if (found.length === 5) break;
  }
  return found;
};

const hintOf = (key: string): string => {
  const bare = bareName(key);
  const meant = closest(bare, [...meanings.keys()]);
  const name = meanings.get(bare) ?? (meant === undefined ? undefined : meanings.get(meant));
  const hint = name ? `did you mean ${name}?` : `known are ${[...known].sort().join(', ')}`;
  return `it has an attribute ${JSON.stringify(key.slice(0, 60))}, which Dokima stores and does not read: ${hint}`;
};

/** The hints of resources, which many spans share. */
const ofResources = new WeakMap<Attributes, string[]>();

/** Names the attributes of a span and its resource that look like Dokima's and are not, each with the one that was probably meant. */
export const unknownNames = ({
  attributes,
  source: { resource },
}: {
  attributes: Attributes;
  source: { resource: Attributes };
}): string[] => {
  const ofResource = ofResources.get(resource) ?? unknownIn(resource).map(hintOf);
  ofResources.set(resource, ofResource);
  const own = unknownIn(attributes);
  return own.length === 0 ? ofResource : [...new Set([...ofResource, ...own.map(hintOf)])];
};
