import { eachMember, type RawJson } from '../../platform/json/json.ts';
import { parseJson } from '../../platform/json/parse-json.ts';

/** The parts of a record that are searched by field. */
type Parts = { inputs: RawJson; expected: RawJson; outputs: RawJson };

/** A field with a number or the text of one. An empty field: the record may have any number in any field. */
export type NumberField = { field: string; value: number };

export type RecordFields = {
  /** Paths of the fields that are not null, their names joined by `separator`. Undefined: the record may have any field. */
  paths: string[] | undefined;
  numbers: NumberField[];
};

/** Separates the names of a path. */
export const separator = '\u001f';
export const maxDepth = 8;
/** A longer path is cut: the condition of a search is tested on each record that the index finds. */
export const maxPath = 200;
/** The limits keep one record from filling the indexes. Such a record is tested itself. */
const [maxPaths, maxNumbers] = [100, 100];
const maxNumberLength = 200;
/** The same as JSON: with quotes, and with an escape for each character. */
const longestNumber = 6 * maxNumberLength + 2;

/** The numbers that a search by range compares: see fieldFits in condition.ts. */
const numberPattern = /^-?[0-9]+\.?[0-9]*([eE][-+]?[0-9][0-9]?)?$/;
/** Escapes of characters that PostgreSQL's text cannot hold: it finds no field behind some of them. */
const unreadable = /\\u(0000|[dD][89a-fA-F])/;

const textOf = (json: RawJson): string => {
  if (!json.startsWith('"')) return json;
  return json.includes('\\') ? (parseJson(json) as string) : json.slice(1, -1);
};

/**
 * Returns the fields by which the indexes find a record: those within lists and deeper than `maxDepth` names are left out. If it cannot be
 * sure that it has all of the others, it says so, and a search tests the record itself.
 */
export const fieldsOf = ({ inputs, expected, outputs }: Parts): RecordFields => {
  const numbers: NumberField[] = [];
  const found = new Set<string>();
  const paths: string[] = [];
  let isPlain = true;
  const visit = (names: string[], json: RawJson): void => {
    const path = names.join(separator);
    if (found.has(path)) isPlain = false;
    found.add(path);
    if (json !== 'null') paths.push(path);
    if (json.startsWith('{')) {
      if (names.length > maxDepth) return;
      eachMember(json, (name, value) => {
        if (name.includes(separator)) isPlain = false;
        visit([...names, name], value);
      });
    } else if (!json.startsWith('[') && json.length <= longestNumber) {
      const text = textOf(json);
      if (text.length <= maxNumberLength && numberPattern.test(text))
        numbers.push({ field: names.join('.').slice(0, maxPath), value: Number(text) });
    }
  };
  const texts = Object.entries({ inputs, expected, outputs });
  if (texts.some(([, json]) => unreadable.test(json))) return { paths: undefined, numbers: anyNumber };
  for (const [name, json] of texts) visit([name], json.trim());
  return {
    paths: isPlain && found.size <= maxPaths ? paths.sort() : undefined,
    numbers: numbers.length <= maxNumbers ? numbers : anyNumber,
  };
};

const anyNumber: NumberField[] = [{ field: '', value: 0 }];

/** The fields of a record that is too large to be looked through. */
export const anyFields: RecordFields = { paths: undefined, numbers: anyNumber };
