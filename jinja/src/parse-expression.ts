import type { Arguments, Expression } from './jinja.ts';
import { isKnownFilter, isKnownMethod, isKnownTest, unavailable } from './known-names.ts';
import { syntaxError, type Token, type TokenKind } from './lexer.ts';

const constants: Record<string, boolean | null> = {
  true: true,
  True: true,
  false: false,
  False: false,
  none: null,
  None: null,
};
/** Words that no variable can have as its name. */
export const reserved = new Set([
  'and',
  'or',
  'not',
  'is',
  'in',
  'if',
  'else',
  'elif',
  ...Object.keys(constants),
]);
const comparisons = new Set(['==', '!=', '<', '<=', '>', '>=']);
/** Filters whose first or second argument names a filter or a test. */
const namesFilter = (name: string) => name === 'map';
const namesTest: Record<string, number> = { select: 0, reject: 0, selectattr: 1, rejectattr: 1 };

/** Above any real prompt, and below what the stack takes. */
const deepest = 200;

const words: Partial<Record<TokenKind, string>> = {
  'print end': 'the end of the tag',
  'block end': 'the end of the tag',
};

/** Reads the expressions of a template with the precedence of Jinja's own parser. */
export class ExpressionParser {
  protected readonly source: string;
  readonly #tokens: readonly Token[];
  #position = 0;
  #depth = 0;

  constructor(source: string, tokens: readonly Token[]) {
    this.source = source;
    this.#tokens = tokens;
  }

  protected get token(): Token {
    return this.#tokens[this.#position]!;
  }
  protected fail(problem: string, token: Token = this.token): never {
    throw syntaxError(this.source, token, problem);
  }
  protected unexpected(expected?: string): never {
    const { kind, value } = this.token;
    const found = words[kind] ?? `'${value}'`;
    this.fail(expected ? `expected ${expected}, not ${found}` : `unexpected ${found}`);
  }
  protected next(): Token {
    return this.#tokens[this.#position++]!;
  }
  protected is(kind: TokenKind, value?: string): boolean {
    return this.token.kind === kind && (value === undefined || this.token.value === value);
  }
  protected skip(kind: TokenKind, value?: string): boolean {
    const found = this.is(kind, value);
    if (found) this.#position++;
    return found;
  }
  protected expect(kind: TokenKind, value?: string): Token {
    if (!this.is(kind, value))
      this.unexpected(value ? `'${value}'` : kind === 'name' ? 'a name' : words[kind]);
    return this.next();
  }
  /** Reads one level of blocks or brackets. */
  protected deeper<T>(read: () => T): T {
    if (++this.#depth > deepest) this.fail('nests too deeply');
    const result = read();
    this.#depth--;
    return result;
  }

  protected expression(withCondition = true): Expression {
    return this.deeper(() => (withCondition ? this.#condition() : this.#or()));
  }

  /** One expression, or several with commas between them: a tuple. */
  protected tuple(endsAt: () => boolean, withCondition = true, isInParentheses = false): Expression {
    const items: Expression[] = [];
    let isTuple = false;
    while (!endsAt() && !this.is('print end') && !this.is('block end')) {
      items.push(this.expression(withCondition));
      if (!this.skip('operator', ',')) break;
      isTuple = true;
    }
    if (items.length === 0 && !isInParentheses) this.unexpected('an expression');
    return isTuple || items.length === 0 ? { type: 'tuple', items } : items[0]!;
  }

  #condition(): Expression {
    let then = this.#or();
    while (this.skip('name', 'if')) {
      const test = this.#or();
      const otherwise = this.skip('name', 'else') ? this.deeper(() => this.#condition()) : null;
      then = { type: 'condition', test, then, otherwise };
    }
    return then;
  }
  #or(): Expression {
    let left = this.#and();
    while (this.skip('name', 'or')) left = { type: 'or', left, right: this.#and() };
    return left;
  }
  #and(): Expression {
    let left = this.#not();
    while (this.skip('name', 'and')) left = { type: 'and', left, right: this.#not() };
    return left;
  }
  #not(): Expression {
    if (!this.skip('name', 'not')) return this.#compare();
    return { type: 'unary', operator: 'not', operand: this.deeper(() => this.#not()) };
  }
  #compare(): Expression {
    const first = this.#sum();
    const rest: [string, Expression][] = [];
    for (;;) {
      const { kind, value } = this.token;
      const following = this.#tokens[this.#position + 1];
      if (kind === 'operator' && comparisons.has(value)) rest.push([this.next().value, this.#sum()]);
      else if (this.skip('name', 'in')) rest.push(['in', this.#sum()]);
      else if (this.is('name', 'not') && following?.kind === 'name' && following.value === 'in') {
        this.#position += 2;
        rest.push(['not in', this.#sum()]);
      } else break;
    }
    return rest.length === 0 ? first : { type: 'compare', first, rest };
  }
  #binary(operators: string[], operand: () => Expression): Expression {
    let left = operand();
    while (this.token.kind === 'operator' && operators.includes(this.token.value)) {
      const operator = this.next().value;
      left = { type: 'binary', operator, left, right: operand() };
    }
    return left;
  }
  #sum(): Expression {
    return this.#binary(['+', '-'], () => this.#concat());
  }
  #concat(): Expression {
    const items = [this.#product()];
    while (this.skip('operator', '~')) items.push(this.#product());
    return items.length === 1 ? items[0]! : { type: 'concat', items };
  }
  #product(): Expression {
    return this.#binary(['*', '/', '//', '%'], () => this.#binary(['**'], () => this.#unary()));
  }
  #unary(withFilter = true): Expression {
    let node: Expression;
    if (this.is('operator', '-') || this.is('operator', '+')) {
      const operator = this.next().value as '-' | '+';
      node = { type: 'unary', operator, operand: this.deeper(() => this.#unary(false)) };
    } else node = this.#primary();
    node = this.#postfix(node);
    return withFilter ? this.#filters(node) : node;
  }
  #primary(): Expression {
    const token = this.next();
    const { kind, value } = token;
    if (kind === 'name') {
      if (Object.hasOwn(constants, value)) return { type: 'constant', value: constants[value]! };
      if (reserved.has(value)) this.fail(`unexpected '${value}'`, token);
      return { type: 'name', name: value };
    }
    if (kind === 'string') {
      let text = value;
      while (this.is('string')) text += this.next().value;
      return { type: 'string', value: text };
    }
    if (kind === 'integer') return { type: 'integer', value: BigInt(value.replaceAll('_', '')) };
    if (kind === 'float') return { type: 'float', value: Number(value.replaceAll('_', '')) };
    if (kind === 'operator' && value === '(') {
      const inner = this.tuple(() => this.is('operator', ')'), true, true);
      this.expect('operator', ')');
      return inner;
    }
    if (kind === 'operator' && value === '[') {
      return { type: 'list', items: this.#listUntil(']', () => this.expression()) };
    }
    if (kind === 'operator' && value === '{') {
      const pairs = this.#listUntil('}', (): [Expression, Expression] => {
        const key = this.expression();
        this.expect('operator', ':');
        return [key, this.expression()];
      });
      return { type: 'dict', pairs };
    }
    this.#position--;
    return this.unexpected('an expression');
  }
  #listUntil<T>(close: string, read: () => T): T[] {
    const items: T[] = [];
    while (!this.skip('operator', close)) {
      if (items.length > 0) {
        this.expect('operator', ',');
        if (this.skip('operator', close)) break;
      }
      items.push(read());
    }
    return items;
  }
  #postfix(first: Expression): Expression {
    let node = first;
    for (;;) {
      if (this.skip('operator', '.')) {
        if (this.is('integer'))
          node = this.#item(node, { type: 'integer', value: BigInt(this.next().value) });
        else node = { type: 'member', object: node, name: this.expect('name').value };
      } else if (this.skip('operator', '[')) node = this.#subscript(node);
      else if (this.is('operator', '(')) node = this.#call(node);
      else return node;
    }
  }
  #item = (object: Expression, key: Expression): Expression => ({ type: 'item', object, key });
  #subscript(object: Expression): Expression {
    const bounds: (Expression | null)[] = [];
    const isAtEnd = () => this.is('operator', ']') || this.is('operator', ':');
    do bounds.push(isAtEnd() ? null : this.expression());
    while (this.skip('operator', ':') && bounds.length < 3);
    if (bounds.length === 1 && bounds[0] === null) this.unexpected('an expression');
    this.expect('operator', ']');
    return bounds.length === 1 ? this.#item(object, bounds[0]!) : { type: 'slice', object, bounds };
  }
  #call(callee: Expression): Expression {
    const token = this.token;
    if (callee.type === 'member' && !isKnownMethod(callee.name)) {
      this.fail(unavailable('method', callee.name), token);
    }
    return { type: 'call', callee, ...this.arguments() };
  }
  protected arguments(): Arguments {
    this.expect('operator', '(');
    const kwargs: [string, Expression][] = [];
    const args: Expression[] = [];
    this.#listUntil(')', () => {
      if (this.is('operator', '*') || this.is('operator', '**'))
        this.fail('arguments cannot be unpacked with *');
      const following = this.#tokens[this.#position + 1];
      if (this.is('name') && following?.kind === 'operator' && following.value === '=') {
        const name = this.next().value;
        this.next();
        if (kwargs.some(([other]) => other === name)) this.fail(`the argument ${name} is there twice`);
        kwargs.push([name, this.expression()]);
      } else {
        if (kwargs.length > 0) this.fail('an argument without a name follows one with a name');
        args.push(this.expression());
      }
    });
    return { args, kwargs };
  }
  #filters(first: Expression): Expression {
    let node = first;
    for (;;) {
      if (this.is('operator', '|')) node = this.filter(node);
      else if (this.is('name', 'is')) node = this.#test(node);
      // The result of a filter or a test cannot be called, and brackets around it make it an expression again.
      else if (this.is('operator', '(')) node = this.#call(node);
      else return node;
    }
  }
  /** `| name(…)`, once. */
  protected filter(operand: Expression | null, isInline = true): Expression {
    if (isInline) this.expect('operator', '|');
    const token = this.expect('name');
    const name = token.value;
    if (!isKnownFilter(name)) this.fail(unavailable('filter', name), token);
    const given = this.is('operator', '(') ? this.arguments() : { args: [], kwargs: [] };
    const [first] = given.args;
    if (namesFilter(name) && first?.type === 'string' && !isKnownFilter(first.value)) {
      this.fail(unavailable('filter', first.value), token);
    }
    const test = Object.hasOwn(namesTest, name) ? given.args[namesTest[name]!] : undefined;
    if (test?.type === 'string' && !isKnownTest(test.value))
      this.fail(unavailable('test', test.value), token);
    return { type: 'filter', operand, name, ...given };
  }
  #test(operand: Expression): Expression {
    this.expect('name', 'is');
    const isNegated = this.skip('name', 'not');
    const token = this.expect('name');
    const name = token.value;
    if (!isKnownTest(name)) this.fail(unavailable('test', name), token);
    let given: Arguments = { args: [], kwargs: [] };
    const { kind, value } = this.token;
    if (this.is('operator', '(')) given = this.arguments();
    else if (
      ['string', 'integer', 'float'].includes(kind) ||
      (kind === 'operator' && (value === '[' || value === '{')) ||
      (kind === 'name' && !['else', 'or', 'and'].includes(value))
    ) {
      if (value === 'is' && kind === 'name') this.fail('tests cannot be chained with is');
      // A filtered loop may end in `recursive`, and a condition goes on with `if`.
      if (
        !(
          kind === 'name' &&
          (reserved.has(value) || value === 'recursive') &&
          !Object.hasOwn(constants, value)
        )
      ) {
        given = { args: [this.#postfix(this.#primary())], kwargs: [] };
      }
    }
    const test: Expression = { type: 'test', operand, name, ...given };
    return isNegated ? { type: 'unary', operator: 'not', operand: test } : test;
  }
}
