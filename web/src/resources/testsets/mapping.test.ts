import { expect, it } from 'vitest';
import { guessMapping, holdsAnswers, mapRow, schemaOf } from './mapping.ts';
import { readSource } from './read-source.ts';

const mappingOf = async (text: string) => {
  const found = await readSource(text, {});
  return { found, mapping: guessMapping(found) };
};
const rolesOf = async (text: string) =>
  Object.fromEntries((await mappingOf(text)).mapping.map(({ column, role }) => [column, role]));

it('an answer beside what is expected is the output of a system; alone it is expected', async () => {
  expect(await rolesOf('question,expected,answer\nq,a,b\n')).toEqual({
    question: 'inputs',
    expected: 'expected',
    answer: 'outputs',
  });
  expect(await rolesOf('question,answer\nq,a\n')).toEqual({ question: 'inputs', answer: 'expected' });
  expect(await rolesOf('question,ground_truth,response,answer\nq,a,b,c\n')).toMatchObject({
    response: 'outputs',
    answer: 'expected',
  });
});

it('answers are found by the names that people give them, however these are written', async () => {
  for (const [wanted, said] of [
    ['expected answer', 'model answer'],
    ['Correct Answer', 'Model Output'],
    ['correctAnswer', 'botReply'],
    ['gold-response', 'generated-text'],
    ['Ground truth', 'prediction'],
    ['human_reply', 'Answer'],
  ])
    expect(await rolesOf(`mail,${wanted},${said}\nq,a,b\n`)).toEqual({
      mail: 'inputs',
      [wanted!]: 'expected',
      [said!]: 'outputs',
    });
});

it('scores are read on the scale of all of their values, and one that may be better low is left out', async () => {
  const { found, mapping } = await mappingOf(
    'question,output,score.ok,score.stars,score.share,score.toxicity,score.odd\n' +
      'q,a,yes,5,0.5,0.1,12\nq2,,no,1,80 %,0.2,3\n',
  );
  expect(mapping.map(({ field, role, scale }) => [field, role, scale])).toEqual([
    ['question', 'inputs', undefined],
    ['output', 'outputs', undefined],
    ['ok', 'scores', 'boolean'],
    ['stars', 'scores', 'int'],
    ['share', 'scores', 'float'],
    ['toxicity', 'none', 'float'],
    ['odd', 'scores', undefined],
  ]);
  expect(holdsAnswers(mapping)).toBe(true);
  const known = mapping.filter(({ field }) => field !== 'odd');
  expect(found.rows.map((row, i) => mapRow(row, i, known, found.isText))).toEqual([
    {
      line: 0,
      id: undefined,
      jsonData: { question: 'q' },
      outputs: { output: 'a' },
      scores: { ok: { binaryScore: true }, stars: { intScore: 5 }, share: { floatScore: 0.5 } },
    },
    {
      line: 1,
      id: undefined,
      jsonData: { question: 'q2' },
      // An empty cell is an empty answer.
      outputs: { output: '' },
      scores: { ok: { binaryScore: false }, stars: { intScore: 1 }, share: { floatScore: 0.8 } },
    },
  ]);
  expect(() => mapRow(found.rows[0]!, 2, mapping, true)).toThrow('score.odd needs a type of score');
  const asInt = known.map((each) => (each.field === 'share' ? { ...each, scale: 'int' as const } : each));
  expect(() => mapRow(found.rows[0]!, 2, asInt, true)).toThrow('score.share is not a score of its type');
  expect(schemaOf(mapping)).toEqual({ type: 'object', properties: { question: { type: 'string' } } });
});

it('a column of answers that no row fills is left out, unless there is no other', async () => {
  expect(await rolesOf('inputs.q,outputs.a,outputs.output\none,x,\ntwo,,\n')).toEqual({
    'inputs.q': 'inputs',
    'outputs.a': 'outputs',
    'outputs.output': 'none',
  });
  expect(await rolesOf('inputs.q,outputs.output\none,\n')).toMatchObject({ 'outputs.output': 'outputs' });
});
