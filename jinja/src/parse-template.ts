import {
  type Expression,
  type Node,
  nodesBelow,
  type Parameter,
  type Statement,
  type Target,
} from './jinja.ts';
import { normalizedSource, tokenize } from './lexer.ts';
import { ExpressionParser, reserved } from './parse-expression.ts';
import { TemplateSyntaxError } from './template-error.ts';

/** Far above any real prompt. */
const maxLength = 100_000;

const elsewhere = 'is not available: a prompt is one template';
const unavailableTags: Record<string, string> = {
  include: elsewhere,
  import: elsewhere,
  from: elsewhere,
  extends: elsewhere,
  block: elsewhere,
  autoescape: 'is not available: a prompt is not HTML',
};

class TemplateParser extends ExpressionParser {
  #loops = 0;

  program(): Statement[] {
    const body = this.#body();
    if (this.token.kind !== 'end') this.#unknownTag();
    return body;
  }

  #unknownTag(): never {
    const name = this.token.value;
    const why = Object.hasOwn(unavailableTags, name) ? unavailableTags[name] : undefined;
    return this.fail(why ? `{% ${name} %} ${why}` : `unknown statement: ${name}`);
  }

  /** Reads up to a tag that begins with one of these words, and that word. */
  #bodyUntil(...words: string[]): Statement[] {
    const body = this.deeper(() => this.#body(words));
    if (this.token.kind === 'end') this.fail('the template ends before its block does');
    return body;
  }

  /** Ends after `{%`, at a word that is in the list or that begins no statement. */
  #body(words: string[] = []): Statement[] {
    const body: Statement[] = [];
    for (;;) {
      if (this.is('text')) body.push({ type: 'text', text: this.next().value });
      else if (this.skip('print begin')) {
        body.push({ type: 'print', value: this.tuple(() => false) });
        this.expect('print end');
      } else if (this.skip('block begin')) {
        if (!this.is('name')) this.unexpected('a statement');
        if (words.includes(this.token.value)) return body;
        body.push(...this.#statement());
      } else return body;
    }
  }

  #statement(): Statement[] {
    switch (this.token.value) {
      case 'if':
        return [this.#if()];
      case 'for':
        return [this.#for()];
      case 'set':
        return [this.#set()];
      case 'with':
        return [this.#with()];
      case 'macro':
        return [this.#macro()];
      case 'call':
        return [this.#callBlock()];
      case 'filter':
        return [this.#filterBlock()];
      case 'print':
        return this.#print();
      case 'break':
      case 'continue': {
        const { value } = this.next();
        if (this.#loops === 0) this.fail(`{% ${value} %} belongs into a loop`);
        this.expect('block end');
        return [{ type: value as 'break' | 'continue' }];
      }
      default:
        return this.#unknownTag();
    }
  }

  #closes(word: string): void {
    this.expect('name', word);
    this.expect('block end');
  }

  #if(): Statement {
    const branches: { test: Expression; body: Statement[] }[] = [];
    let otherwise: Statement[] = [];
    do {
      this.next();
      const test = this.tuple(() => false, false);
      this.expect('block end');
      branches.push({ test, body: this.#bodyUntil('elif', 'else', 'endif') });
    } while (this.is('name', 'elif'));
    if (this.skip('name', 'else')) {
      this.expect('block end');
      otherwise = this.#bodyUntil('endif');
    }
    this.#closes('endif');
    return { type: 'if', branches, otherwise };
  }

  #for(): Statement {
    this.next();
    const target = this.#target(() => this.is('name', 'in'));
    this.expect('name', 'in');
    const iterable = this.tuple(() => this.is('name', 'recursive'), false);
    const test = this.skip('name', 'if') ? this.expression() : null;
    const recursive = this.skip('name', 'recursive');
    this.expect('block end');
    this.#loops++;
    const body = this.#bodyUntil('endfor', 'else');
    this.#loops--;
    let otherwise: Statement[] = [];
    if (this.skip('name', 'else')) {
      this.expect('block end');
      otherwise = this.#bodyUntil('endfor');
    }
    this.#closes('endfor');
    return { type: 'for', target, iterable, test, recursive, body, otherwise };
  }

  /** A break inside belongs to no loop around the block. */
  #captured(word: string): Statement[] {
    const loops = this.#loops;
    this.#loops = 0;
    const body = this.#bodyUntil(word);
    this.#loops = loops;
    this.#closes(word);
    return body;
  }

  #set(): Statement {
    this.next();
    const target = this.#target(() => this.is('operator', '='), true);
    if (this.skip('operator', '=')) {
      const value = this.tuple(() => false);
      this.expect('block end');
      return { type: 'set', target, value };
    }
    let filter: Expression | null = null;
    while (this.is('operator', '|')) filter = this.filter(filter);
    this.expect('block end');
    return { type: 'set block', target, filter, body: this.#captured('endset') };
  }

  #with(): Statement {
    this.next();
    const bindings: [Target, Expression][] = [];
    while (!this.is('block end')) {
      if (bindings.length > 0) this.expect('operator', ',');
      const target = this.#oneTarget(false);
      this.expect('operator', '=');
      bindings.push([target, this.expression()]);
    }
    this.expect('block end');
    const body = this.#bodyUntil('endwith');
    this.#closes('endwith');
    return { type: 'with', bindings, body };
  }

  #macro(): Statement {
    this.next();
    const name = this.#freeName();
    const parameters = this.#parameters();
    this.expect('block end');
    return { type: 'macro', name, parameters, body: this.#captured('endmacro') };
  }

  #callBlock(): Statement {
    this.next();
    const parameters = this.is('operator', '(') ? this.#parameters() : [];
    const token = this.token;
    const call = this.expression();
    if (call.type !== 'call') this.fail('expected a call', token);
    this.expect('block end');
    return { type: 'call block', parameters, call, body: this.#captured('endcall') };
  }

  #filterBlock(): Statement {
    this.next();
    let filter = this.filter(null, false);
    while (this.is('operator', '|')) filter = this.filter(filter);
    this.expect('block end');
    return { type: 'filter block', filter, body: this.#captured('endfilter') };
  }

  #print(): Statement[] {
    this.next();
    const values: Statement[] = [];
    while (!this.is('block end')) {
      if (values.length > 0) this.expect('operator', ',');
      values.push({ type: 'print', value: this.expression() });
    }
    this.expect('block end');
    return values;
  }

  #freeName(): string {
    const token = this.expect('name');
    if (reserved.has(token.value)) this.fail(`'${token.value}' cannot be a variable's name`, token);
    return token.value;
  }

  #parameters(): Parameter[] {
    this.expect('operator', '(');
    const parameters: Parameter[] = [];
    while (!this.skip('operator', ')')) {
      if (parameters.length > 0) this.expect('operator', ',');
      const name = this.#freeName();
      if (parameters.some((other) => other.name === name)) this.fail(`the parameter ${name} is there twice`);
      const otherwise = this.skip('operator', '=') ? this.expression() : null;
      if (!otherwise && parameters.at(-1)?.otherwise) {
        this.fail('a parameter without a default follows one with a default');
      }
      parameters.push({ type: 'parameter', name, otherwise });
    }
    return parameters;
  }

  #oneTarget(withAttribute: boolean): Target {
    if (this.skip('operator', '(')) {
      const target = this.#target(() => this.is('operator', ')'));
      this.expect('operator', ')');
      return target;
    }
    const name = this.#freeName();
    if (!withAttribute || !this.skip('operator', '.')) return { type: 'target', name };
    return { type: 'attribute target', object: name, name: this.expect('name').value };
  }

  #target(endsAt: () => boolean, withAttribute = false): Target {
    const items = [this.#oneTarget(withAttribute)];
    if (!this.is('operator', ',')) return items[0]!;
    while (this.skip('operator', ',') && !endsAt()) items.push(this.#oneTarget(withAttribute));
    return { type: 'targets', items };
  }
}

/** Far above any real prompt. The functions that walk through a program recurse. */
const deepest = 1000;

const requireShallow = (program: Statement[]): void => {
  let level: Node[] = program;
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > deepest) throw new TemplateSyntaxError('nests too deeply');
    level = level.flatMap(nodesBelow);
  }
};

/** Parses a Jinja template. Throws TemplateSyntaxError. */
export const parseTemplate = (template: string): Statement[] => {
  if (template.length > maxLength)
    throw new TemplateSyntaxError(`must not be longer than ${maxLength} characters`);
  const source = normalizedSource(template);
  const program = new TemplateParser(source, tokenize(source)).program();
  requireShallow(program);
  return program;
};
