import { first, type Readable, toJson } from '../conventions/attribute.ts';
import { tagFields } from '../conventions/fields.ts';

type Tagged = Pick<Readable, 'attributes'>;

/** Longest tag, as in the API. */
const maxTagLength = 256;

/** Returns why the API would refuse a tag; undefined for one that it would take. */
const problemOf = (tag: string): string | undefined => {
  if ([...tag].length > maxTagLength) return `it is longer than ${maxTagLength} characters`;
  if (tag.includes(',')) return 'it has a comma, which separates tags';
  if (/\0|^\.\.?$/.test(tag)) return 'it has a character that tags can not have';
  return undefined;
};

/** Reads the tags in a span's attributes. A text has several, separated by commas. */
const sentTags = ({ attributes }: Tagged): string[] => {
  const texts = tagFields.flatMap((key) => {
    const value = toJson(first(attributes, [key]));
    return Array.isArray(value) ? value : typeof value === 'string' ? value.split(',') : [];
  });
  return texts
    .filter((text) => typeof text === 'string')
    .map((text) => text.trim().toWellFormed())
    .filter((text) => text !== '');
};

/** Reads the tags in a span's attributes, without those that the API would refuse. */
export const tagsOf = (span: Tagged): string[] =>
  sentTags(span).filter((tag) => problemOf(tag) === undefined);

/** Returns why tags of a span are left out, each reason once. */
export const refusedTags = (span: Tagged): string[] => [
  ...new Set(sentTags(span).flatMap((tag) => problemOf(tag) ?? [])),
];
