import { filters } from './filters.ts';
import { methodNames } from './members.ts';
import { tests } from './tests.ts';

export const isKnownFilter = (name: string): boolean => Object.hasOwn(filters, name);
export const isKnownTest = (name: string): boolean => Object.hasOwn(tests, name);
export const isKnownMethod = (name: string): boolean => methodNames.has(name);

/** Features of Jinja that prompts lack, with reasons. */
const left: Record<string, string> = {
  random: 'the prompt would differ each time',
  attr: 'use brackets: outputs["x"]',
  pprint: 'use tojson(indent=2)',
  wordwrap: 'a model needs no line breaks',
  urlize: 'a prompt is not HTML',
  xmlattr: 'a prompt is not HTML',
  format: 'use the filter: "%s" | format(outputs.x)',
  append: 'lists do not change: use a + b and a namespace',
  extend: 'lists do not change: use a + b and a namespace',
  insert: 'lists do not change: use a + b and a namespace',
  pop: 'lists do not change: use x[:-1]',
  update: 'objects do not change',
  filter: 'write the filter itself',
  test: 'write the test itself',
};
/** The message for a filter, a test or a method that there is not. */
export const unavailable = (what: 'filter' | 'test' | 'method', name: string): string =>
  Object.hasOwn(left, name)
    ? `the ${what} ${name} is not available: ${left[name]}`
    : `unknown ${what}: ${name}`;
