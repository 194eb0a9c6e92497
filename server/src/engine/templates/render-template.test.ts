import fc from 'fast-check';
import { expect, it } from 'vitest';
import { renderTemplate } from './render-template.ts';

/** A record whose texts and keys all contain the word EVIL. */
const data = {
  inputs: '{"EVIL":"EVIL a,EVIL b"}',
  outputs:
    '{"a":"EVIL x,EVIL y","list":["EVIL","EVIL"],"o":{"EVIL":"EVIL","k":["EVIL"]},"rows":[{"c":"EVIL","n":1}],"n":3}',
  expected: '{}',
  guidelines: 'fine',
};

const after = [
  '|upper',
  '|first',
  '|last',
  '|length',
  '|list',
  '|join',
  '|join("-")',
  '|tojson',
  '|tojson(indent=1)',
  '|string',
  '|items',
  '|dictsort',
  '|reverse',
  '|sort',
  '|unique',
  '|map(attribute="c")',
  '|trim',
  '|indent',
  '|selectattr("n","eq",1)',
  '|replace("a","b")',
  '|batch(2)|list',
  '|slice(2)|list',
  '|groupby("c")',
  '|map("upper")|list',
  '|map("first")|first',
  '|select|list',
  '|max',
  '|format("x")',
  '|truncate(3,true,"",0)',
  '|e',
  '|striptags',
  '|urlencode',
  '|title',
  '|center(9)',
  '|default("d")',
  '|safe',
  '[0]',
  '[0:2]',
  '[::-1]',
  '.o',
  '.split(",")',
  '.items()',
  '.keys()',
  '.values()',
  '.get("a","q")',
  '.get("zz", outputs.a)',
  '.upper()',
  '.partition(" ")',
  '.join(["x","y"])',
  ' ~ "x"',
  ' % "x"',
  ' * 2',
  '.c',
];
const leaves = [
  'outputs.a',
  'outputs.list',
  'outputs.o',
  'outputs.rows',
  'inputs',
  'outputs',
  'allOutputs',
  'guidelines',
  'v',
  'w',
  '"lit"',
  'outputs.n',
  'ns.x',
  'ns',
  'm("k")',
];

/** Templates that pass values of the record through everything that Jinja has. */
const templates = fc.letrec<{ expr: string; stmt: string; body: string }>((tie) => {
  const [expr, body] = [tie('expr'), tie('body')];
  const join = (...parts: (string | fc.Arbitrary<string>)[]) =>
    fc
      .tuple(...parts.map((part) => (typeof part === 'string' ? fc.constant(part) : part)))
      .map((all) => all.join(''));
  return {
    expr: fc.oneof(
      { maxDepth: 4, depthIdentifier: 'expression' },
      fc.constantFrom(...leaves),
      join(expr, fc.constantFrom(...after)),
      join('(', expr, fc.constantFrom(' ~ ', ' + ', ' == ', ' and ', ' or '), expr, ')'),
      join('(', expr, ' if ', expr, ' else ', expr, ')'),
      join('[', expr, ', ', expr, ']'),
      join('{"k": ', expr, '}'),
      join('m(', expr, ')'),
      join('namespace(x=', expr, ').x'),
    ),
    stmt: fc.oneof(
      { maxDepth: 4, depthIdentifier: 'statement' },
      join('{{ ', expr, ' }}'),
      join('{% set ', fc.constantFrom('v', 'w', 'ns.x'), ' = ', expr, ' %}'),
      join('{% set v %}', body, '{% endset %}{{ v }}'),
      join('{% for x in ', expr, ' %}', body, '{{ x }}{% endfor %}'),
      join('{% for x, y in ', expr, ' %}', body, '{{ y }}{% endfor %}'),
      join('{% for x in ', expr, ' if ', expr, ' %}{{ x }}', body, '{% break %}{% endfor %}'),
      join('{% if ', expr, ' %}', body, '{% else %}', body, '{% endif %}'),
      join('{% with v = ', expr, ' %}', body, '{{ v }}{% endwith %}'),
      join('{% set v | upper %}', body, '{% endset %}{{ v }}'),
      join('{% for x in ', expr, ' recursive %}{{ loop.previtem or "" }}{{ x }}', body, '{% endfor %}'),
      join('{% for x in [1] recursive %}{{ loop(', expr, ') if loop.depth < 2 }}{{ x }}{% endfor %}'),
      join('{% set c = cycler(', expr, ', "y") %}{{ c.next() }}{{ c.current }}'),
      join('{% set j = joiner(', expr, ') %}{{ j() }}{{ j() }}'),
      join('{{ loop.cycle(', expr, ') if loop else "" }}'),
      join('{% set ns.x %}', body, '{% endset %}{{ ns.x }}'),
      join('{% filter upper %}', body, '{% endfilter %}'),
      join('{% call(x) m(', expr, ') %}', body, '{% endcall %}'),
      join('{% macro m(y, z=', expr, ') %}', body, '{{ y }}{{ z }}{% endmacro %}'),
    ),
    body: fc.array(tie('stmt'), { maxLength: 4, depthIdentifier: 'statement' }).map((all) => all.join('')),
  };
}).body;

const beginning =
  '{% macro m(y) %}({{ y }}){% endmacro %}{% set ns = namespace(x="i") %}{% set v = "v" %}{% set w = outputs.a %}';

it('whatever a template does with a record, its text comes out between the marks only', () => {
  let rendered = 0;
  fc.assert(
    fc.property(templates, (template) => {
      const result = renderTemplate({
        template: beginning + template,
        data,
        nonce: 'n',
        maxLength: 1_000_000,
      });
      if (!result.ok) return;
      rendered++;
      const outside = result.prompt.replace(/<untrusted-n>[\s\S]*?<\/untrusted-n>/g, '');
      expect(outside).not.toMatch(/evil|untrusted/i);
    }),
    { numRuns: 2000 },
  );
  // Many of the templates end in an error; enough of them must not.
  expect(rendered).toBeGreaterThan(200);
});
