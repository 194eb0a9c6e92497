import {
  aboutOperation,
  fixesOf,
  listItem,
  type OpenApi,
  type Operation,
  operationParts,
  type Schema,
} from '../client/generate.ts';

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
const snake = (name: string): string =>
  name.replaceAll('-', '_').replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
/** The client does the same to the names of arguments. */
const camel = (name: string): string => name.replaceAll(/_([a-z0-9])/g, (_, letter) => letter.toUpperCase());

/** The keywords of Python. */
const keywords = new Set(
  'False None True and as assert async await break class continue def del elif else except finally for from global if import in is lambda nonlocal not or pass raise return try while with yield'.split(
    ' ',
  ),
);
const isName = (name: string): boolean => /^[A-Za-z_]\w*$/.test(name) && !keywords.has(name);

const docstring = (text: string | undefined, indent: string): string =>
  text
    ? `${indent}"""${text
        .replaceAll('\\', '\\\\')
        .replaceAll(/"(?="|$)/g, '\\"')
        .replaceAll('\n', ' ')}"""\n`
    : '';

const literal = (value: unknown): string =>
  value === null ? 'None' : value === true ? 'True' : value === false ? 'False' : JSON.stringify(value);

/** Methods of a dict. A field of this name is read by its key. */
const ofDict = new Set('clear copy fromkeys get items keys pop popitem setdefault update values'.split(' '));

/**
 * The types of a document's schemas, and one for each object inside them, which Python cannot write in place. What a method is given is
 * a TypedDict with the names of the API, whose schemas end with Param; what it returns is an Answer with attributes in snake_case.
 */
class Types {
  readonly #source = new Map<string, string>();
  readonly #nameOf = new Map<string, string>();
  readonly #schemas: Record<string, Schema>;
  readonly #isGiven: boolean;
  /** Fields that an answer may leave out. Their attributes are None then. */
  readonly optional = new Set<string>();

  constructor(schemas: Record<string, Schema>, isGiven: boolean) {
    this.#schemas = schemas;
    this.#isGiven = isGiven;
  }

  /** Returns the type of a schema of the document, which it defines first. */
  #named(name: string): string {
    const schema = this.#schemas[name]!;
    const own = this.#isGiven ? `${name}Param` : name;
    if (this.#source.has(own)) return own;
    if (schema.type === 'object' && schema.properties) this.define(own, schema);
    else this.#alias(own, schema);
    return own;
  }

  get source(): string {
    return [...this.#source.values()].join('\n\n');
  }

  /** Returns a schema as a Python type. `name` is what an object gets if it needs a name. */
  of(schema: Schema, name: string): string {
    if (schema.$ref) return this.#named(schema.$ref.split('/').at(-1)!);
    if (schema.const !== undefined) return `Literal[${literal(schema.const)}]`;
    if (schema.enum) return `Literal[${schema.enum.map(literal).join(', ')}]`;
    const choices = schema.anyOf ?? schema.oneOf;
    if (choices) return this.#union(choices, name);
    if (Array.isArray(schema.type))
      return this.#union(
        schema.type.map((type) => ({ ...schema, type })),
        name,
      );
    switch (schema.type) {
      case 'string':
        return 'str';
      case 'boolean':
        return 'bool';
      case 'number':
        return 'float';
      case 'integer':
        return 'int';
      case 'null':
        return 'None';
      case 'array':
        return `list[${schema.items ? this.of(schema.items, `${name}Item`) : 'Any'}]`;
      case 'object':
        return this.#object(schema, name);
      case undefined:
        return 'Any';
      default:
        throw new Error(`The generator does not know schemas of type ${schema.type}. Add it to Types.of.`);
    }
  }

  #union(choices: Schema[], name: string): string {
    const numbered = choices.filter(({ properties }) => properties).length > 1;
    return [...new Set(choices.map((part, i) => this.of(part, numbered ? `${name}${i + 1}` : name)))].join(
      ' | ',
    );
  }

  #object(schema: Schema, name: string): string {
    const { properties = {}, additionalProperties } = schema;
    if (Object.keys(properties).length === 0)
      return typeof additionalProperties === 'object'
        ? `dict[str, ${this.of(additionalProperties, `${name}Value`)}]`
        : 'dict[str, Any]';
    // Equal objects share a type: the pages of the document repeat some of them.
    const text = JSON.stringify(schema);
    const known = this.#nameOf.get(text);
    if (known) return known;
    this.#nameOf.set(text, name);
    this.define(name, schema);
    return name;
  }

  /** Writes the type of an object. */
  define(
    name: string,
    { properties = {}, required = [], description }: Schema,
    spelling = (key: string) => key,
  ) {
    if (this.#source.has(name)) throw new Error(`Two types would have the name ${name}.`);
    this.#source.set(name, '');
    if (!this.#isGiven)
      return this.#defineAnswer(name, { properties, required, ...(description && { description }) });
    const fields = Object.entries(properties).map(([key, schema]) => {
      const type = this.of(schema, name + capital(camel(key.replaceAll(/\W/g, '_'))));
      const spelled = spelling(key);
      return [spelled, required.includes(key) ? type : `NotRequired[${type}]`, schema.description] as const;
    });
    if (fields.every(([key]) => isName(key))) {
      const lines = fields.map(([key, type, about]) => `    ${key}: ${type}\n${docstring(about, '    ')}`);
      this.#source.set(
        name,
        `class ${name}(TypedDict):\n${docstring(description ?? `${name}.`, '    ')}\n${lines.join('')}`,
      );
    } else {
      const lines = fields.map(([key, type]) => `        ${JSON.stringify(key)}: ${JSON.stringify(type)},\n`);
      this.#source.set(name, `${name} = TypedDict(\n    "${name}",\n    {\n${lines.join('')}    },\n)\n`);
    }
  }

  #defineAnswer(name: string, { properties = {}, required = [], description }: Schema): void {
    const lines = Object.entries(properties).flatMap(([key, schema]) => {
      const attribute = snake(key);
      const type = this.of(schema, name + capital(camel(key.replaceAll(/\W/g, '_'))));
      const isOptional = !required.includes(key);
      if (isOptional) this.optional.add(key);
      if (!isName(attribute) || ofDict.has(attribute) || camel(attribute) !== key) return [];
      const none = isOptional && type !== 'Any' && !/(^|\| )None\b/.test(type) ? ' | None' : '';
      return [`    ${attribute}: ${type}${none}\n${docstring(schema.description, '    ')}`];
    });
    const about = docstring(description ?? `${name}.`, '    ');
    this.#source.set(name, `class ${name}(Answer):\n${about}\n${lines.join('')}`);
  }

  /** Writes a type that is not an object. */
  #alias(name: string, schema: Schema): void {
    this.#source.set(name, '');
    this.#source.set(name, `${name}: TypeAlias = ${JSON.stringify(this.of(schema, name))}\n`);
  }
}

type Method = { signature: (isAsync: boolean) => string };

type Overloads = {
  name: string;
  args: string[];
  typed: string[];
  whole: string;
  isAsync: boolean;
  takesKey: boolean | undefined;
  returned: string;
  about: string;
  call: string[];
};

/** Returns a method with an overload for each variant of its body. */
const overloads = ({
  name,
  args,
  typed,
  whole,
  isAsync,
  takesKey,
  returned,
  about,
  call,
}: Overloads): string => {
  const [def, wait] = isAsync ? ['async def', 'await '] : ['def', ''];
  const key = takesKey ? 'idempotency_key: str | None = None' : undefined;
  const one = (...more: (string | undefined)[]) =>
    [...args, ...more].filter((part) => part !== undefined).join(', ');
  const star = key && '*';
  const declared = [
    ...typed.map((type) => one(star, key, `**fields: Unpack[${type}]`)),
    one(`body: ${whole}`, star, key),
  ].map((list) => `    @overload\n    ${def} ${name}(${list}) -> ${returned}: ...\n\n`);
  const keyed = takesKey ? ', key=idempotency_key' : '';
  return `${declared.join('')}    ${def} ${name}(${one('body: Any = None', star, key, '**fields: Any')}) -> ${returned}:
${about}        return ${wait}self._ask(${call.join(', ')}, fields=fields if body is None else None, body=body${keyed})\n`;
};

const method = (
  { given: types, answers }: { given: Types; answers: Types },
  document: OpenApi,
  path: string,
  verb: string,
  operation: Operation,
): Method | undefined => {
  const { answer, body, query, isLink, takesKey } = operationParts(document, operation);
  if (!answer || isLink || (operation.requestBody && !body)) return undefined;
  const { operationId } = operation;
  const name = snake(operationId);
  const args = ['self', ...[...path.matchAll(/\{(\w+)\}/g)].map(([, id]) => `${snake(id!)}: str`)];
  const ids = path.replaceAll(/\{(\w+)\}/g, (_, id) => `{quote(${snake(id)})}`);
  const call = [`"${verb.toUpperCase()}"`, `${ids === path ? '' : 'f'}"${ids}"`];

  const named = (suffix: string, fields: Schema, from: string): string => {
    const type = `${capital(operationId)}${suffix}`;
    for (const key of Object.keys(fields.properties ?? {}))
      if (camel(snake(key)) !== key) throw new Error(`${operationId}: ${key} has no name in Python.`);
    types.define(type, { ...fields, description: `Arguments of \`${name}\`: its ${from}.` }, snake);
    return type;
  };
  // Each variant of a body is an overload with its own keywords. A whole body, in the names of the API, is one more.
  const variants = body?.anyOf ?? body?.oneOf ?? [];
  const isVaried =
    variants.length > 1 &&
    query.length === 0 &&
    variants.every((one) => one.properties && one.type === 'object');
  if (body && isVaried) {
    const parts = {
      name,
      args,
      call,
      takesKey,
      typed: variants.map((variant, i) => named(`Fields${i + 1}`, variant, 'body')),
      whole: types.of(body, `${capital(operationId)}Body`),
      returned: answers.of(answer, `${capital(operationId)}Answer`),
      about: docstring(aboutOperation(operation), '        '),
    };
    return { signature: (isAsync) => overloads({ ...parts, isAsync }) };
  }
  const isObject = body?.properties && body.type === 'object';
  const keyword = isObject && query.length === 0;
  if (body && !keyword) args.push(`body: ${types.of(body, `${capital(operationId)}Body`)}`);
  if (takesKey) args.push('*', 'idempotency_key: str | None = None');
  if (keyword) args.push(`**fields: Unpack[${named('Body', body, 'body')}]`);
  if (query.length > 0) {
    const properties = Object.fromEntries(
      query.map(({ name, description, schema }) => [name, { ...schema, description: description ?? '' }]),
    );
    const required = query.filter((one) => one.required).map((one) => one.name);
    args.push(`**query: Unpack[${named('Query', { properties, required }, 'query')}]`);
    call.push('query=query');
  }
  if (body) call.push(keyword ? 'fields=fields' : 'body=body');
  if (takesKey) call.push('key=idempotency_key');
  else if (verb === 'post') call.push('key=False');
  const item = listItem(answer);
  const returned = item
    ? answers.of(item, `${capital(operationId)}Item`)
    : answers.of(answer, `${capital(operationId)}Answer`);
  return {
    signature: (isAsync) => {
      const type = item ? `${isAsync ? 'AsyncPages' : 'Pages'}[${returned}]` : returned;
      const [def, wait] = isAsync && !item ? ['async def', 'await '] : ['def', ''];
      return `    ${def} ${name}(${args.join(', ')}) -> ${type}:
${docstring(aboutOperation(operation), '        ')}        return ${wait}self.${item ? '_list' : '_ask'}(${call.join(', ')})\n`;
    },
  };
};

/** Returns the source of the Python client's types and operations, from the texts of openapi.json and docs/errors.md. */
export const generatePython = (openapi: string, errorsPage: string): string => {
  const document = JSON.parse(openapi) as OpenApi;
  const { schemas } = document.components;
  const types = { given: new Types(schemas, true), answers: new Types(schemas, false) };
  const methods = Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.entries(operations).flatMap(
      ([verb, operation]) => method(types, document, path, verb, operation) ?? [],
    ),
  );
  const classOf = (isAsync: boolean) => methods.map(({ signature }) => signature(isAsync)).join('\n');
  return `# Generated from openapi.json by \`npm run generate\`. Do not edit.
# ruff: noqa
# mypy: disable-error-code="no-any-return"
"""Types and operations of the API. Arguments and attributes are in snake_case; keys of answers are those of the API."""

from __future__ import annotations

from typing import Any, Literal, NotRequired, TypeAlias, TypedDict, Unpack, overload

from ._async_http import AsyncHttp, AsyncPages
from ._http import Answer, quote
from ._sync_http import Http, Pages

#: What to do about each error of the service.
FIXES: dict[str, str] = {
${fixesOf(errorsPage)
  .map(([code, fix]) => `    "${code}": ${JSON.stringify(fix)},\n`)
  .join('')}}


#: Fields that an answer may leave out: None as attributes.
OPTIONAL = frozenset(
    [
${[...types.answers.optional]
  .sort()
  .map((key) => `        ${JSON.stringify(key)},\n`)
  .join('')}    ]
)


${types.answers.source}

${types.given.source}

class Operations(Http):
    """Every operation of the API."""

${classOf(false)}

class AsyncOperations(AsyncHttp):
    """Every operation of the API, for asyncio."""

${classOf(true)}`;
};

const synchronous: [RegExp, string][] = [
  [/\b(async|await) /g, ''],
  [/\bAwaitable, /g, ''],
  [/\bAwaitable\[(\w+)\]/g, '$1'],
  [/\bAsync(?=[A-Z])|\basync_(?=[a-z])/g, ''],
  [/\baclose\b/g, 'close'],
  [/__a(enter|exit|iter)__/g, '__$1__'],
];

/** Returns a module for threads of one for asyncio, whose first line is a comment about itself. */
export const makeSynchronous = (name: string, source: string): string => {
  const body = source.slice(source.indexOf('\n') + 1);
  const made = synchronous.reduce((text, [pattern, by]) => text.replaceAll(pattern, by), body);
  return `# Generated from ${name} by \`npm run generate\`. Do not edit.\n# ruff: noqa\n${made}`;
};
