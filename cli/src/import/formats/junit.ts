// The tests of the pages check this file too, and their list of files has no declarations.
/// <reference path="../saxen.d.ts" />
import { Parser } from 'saxen';
import type { JsonObject } from '../../../../client/src/main.ts';
import { CliError } from '../../errors.ts';
import type { Format } from '../format.ts';
import { amountIn, type Row } from '../rows.ts';

/** A test as the file has it. JUnit XML has no standard: these are the parts that pytest, Jest, Vitest, Surefire and Go's tools write alike. */
type Test = {
  name: string;
  group: string;
  seconds: number | undefined;
  /** What happened, by the names of the elements: none if the test passed. */
  found: Partial<Record<'failure' | 'error' | 'skipped', string>>;
  output: string;
  properties: JsonObject;
};

const isOutcome = (name: string): name is keyof Test['found'] =>
  name === 'failure' || name === 'error' || name === 'skipped';

/** Reads the tests of a file. Throws if it is not well-formed. */
const testsIn = (xml: string): Test[] => {
  const tests: Test[] = [];
  const suites: string[] = [];
  let test: Test | undefined;
  let text = '';
  const parser = new Parser();
  parser.on('openTag', (element, attributes, decode) => {
    const given = Object.fromEntries(
      Object.entries(attributes()).map(([key, value]) => [key, decode(value)]),
    );
    text = '';
    if (element === 'testsuite') suites.push(given.name ?? '');
    if (element === 'testcase')
      test = {
        name: given.name ?? '',
        group: given.classname || suites.at(-1) || '',
        seconds: amountIn(given.time),
        found: {},
        output: '',
        properties: {},
      };
    if (test && isOutcome(element)) test.found[element] = given.message ?? '';
    if (test && element === 'property' && given.name) test.properties[given.name] = given.value ?? '';
  });
  parser.on('text', (value, decode) => {
    text += decode(value);
  });
  parser.on('cdata', (value) => {
    text += value;
  });
  parser.on('closeTag', (element) => {
    if (test && isOutcome(element))
      test.found[element] = [test.found[element], text.trim()].filter(Boolean).join('\n');
    if (test && element === 'system-out') test.output = text.trim();
    if (element === 'testsuite') suites.pop();
    if (element === 'testcase' && test) {
      tests.push(test);
      test = undefined;
    }
    text = '';
  });
  parser.on('error', (error, contextOf) => {
    throw new CliError(
      `Line ${contextOf().line + 1} is not well-formed XML: ${error.message}`,
      'Write or fetch the file again.',
    );
  });
  parser.parse(xml);
  return tests;
};

/** A failed test is a no. One that could not run, or was skipped, has no score. */
const scoreOf = ({ found: { failure, error, skipped } }: Test): Row['scores'][number] => {
  const name = 'passed';
  if (error !== undefined) return { name, value: null, reasoning: error || 'The test ended with an error.' };
  if (skipped !== undefined) return { name, value: null, reasoning: skipped || 'The test was skipped.' };
  return failure === undefined
    ? { name, value: true }
    : { name, value: false, ...(failure && { reasoning: failure }) };
};

/** JUnit XML, which nearly every test runner writes. A test that runs several times has trials. */
export const junit: Format = {
  name: 'junit',
  about: 'JUnit XML of pytest, Jest, Vitest, Surefire, Go and others',
  recognizes: ({ form, value }) => form === 'xml' && /<testsuites?[\s>]/.test(String(value).slice(0, 10_000)),
  read: ({ value, name, digest }) => {
    const times = new Map<string, number>();
    const rows = testsIn(String(value)).map((test): Row => {
      const caseId = [test.group, test.name].filter(Boolean).join(' › ');
      const trial = (times.get(caseId) ?? 0) + 1;
      times.set(caseId, trial);
      return {
        id: trial === 1 ? caseId : `${caseId} (${trial})`,
        caseId,
        run: '',
        inputs: { test: test.name, ...(test.group && { group: test.group }) },
        expected: {},
        metadata: {},
        outputs: {
          ...test.properties,
          ...(test.output && { output: test.output }),
          ...(test.seconds !== undefined && { seconds: test.seconds }),
        },
        scores: [scoreOf(test)],
      };
    });
    return {
      tool: 'JUnit',
      id: digest,
      name,
      systems: new Map([['', { name, config: {} }]]),
      rows,
      notes: [],
    };
  },
};
