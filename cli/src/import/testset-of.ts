import type { CreateTestsetBody, JsonObject } from '../../../client/src/main.ts';
import type { Import, Row } from './rows.ts';

/** The testset of a file: one testcase for each case, with the tool's own id of the case. */
export type ImportedTestset = {
  head: CreateTestsetBody;
  /** The field with the tool's own id. */
  idField: string;
  /** The data of each testcase by that id. */
  cases: Map<string, JsonObject>;
};

const keysOf = (objects: JsonObject[]): string[] => [
  ...new Set(objects.flatMap((object) => Object.keys(object))),
];

/** Puts a word before the name until it is not taken. */
const freeName = (name: string, word: string, taken: ReadonlySet<string>): string =>
  taken.has(name) ? freeName(`${word}_${name}`, word, taken) : name;

/** Chooses names for keys that are not taken, and adds them to `taken`. */
const namesFor = (keys: string[], word: string, taken: Set<string>): Map<string, string> =>
  new Map(
    keys.map((key) => {
      const name = freeName(key, word, taken);
      taken.add(name);
      return [key, name];
    }),
  );

const renamed = (object: JsonObject, names: ReadonlyMap<string, string>): [string, unknown][] =>
  Object.entries(object).map(([key, value]) => [names.get(key)!, value]);

/**
 * Returns the testset of an import. A testcase is one flat object, so a field that is both an input and expected gets another
 * name as an expected field. Records keep the tool's names.
 */
export const testsetOf = ({ tool, id, name, rows }: Import): ImportedTestset => {
  const byCase = new Map<string, Row>();
  for (const row of rows) if (!byCase.has(row.caseId)) byCase.set(row.caseId, row);
  const all = [...byCase.values()];
  const taken = new Set<string>();
  const inputs = namesFor(keysOf(all.map((row) => row.inputs)), 'input', taken);
  const expected = namesFor(keysOf(all.map((row) => row.expected)), 'expected', taken);
  const metadata = namesFor(keysOf(all.map((row) => row.metadata)), 'metadata', taken);
  const idField = freeName('id', 'imported', taken);
  const cases = new Map(
    all.map((row) => [
      row.caseId,
      Object.fromEntries([
        [idField, row.caseId],
        ...renamed(row.inputs, inputs),
        ...renamed(row.expected, expected),
        ...renamed(row.metadata, metadata),
      ]),
    ]),
  );
  return {
    head: {
      name,
      description: `Imported from ${tool}: ${id}`,
      jsonSchema: { type: 'object' },
      fieldMapping: {
        inputs: [...inputs.values()],
        expected: [...expected.values()],
        metadata: [idField, ...metadata.values()],
      },
    },
    idField,
    cases,
  };
};
