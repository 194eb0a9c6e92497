import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { readPolicy } from '../../../../client/src/gate/policy.ts';
import { readForm, withLedger, withRule, withValue } from './rules-text.ts';

const text = [
  '# Ours.',
  'policy: nightly # each night',
  'metrics:',
  '  Right: { of: score, atLeast: 3 }',
  '',
].join('\n');

describe('the text of the rules', () => {
  it('keeps its comments and measures when the form changes a rule', () => {
    const changed = withRule(text, 'Right', { kind: 'nonInferiority', amount: 0.05, ofScore: true });
    expect(changed).toBe(text.replace('atLeast: 3', 'nonInferiority: { margin: 0.05 }'));
    expect(withValue(changed, ['policy'], undefined)).toMatch(/^# Ours\.\n+metrics:/);
    expect(readForm(changed)?.ruleOf('Right')).toEqual({
      kind: 'nonInferiority',
      amount: 0.05,
      ofScore: true,
    });
  });

  it('shares a level among the looks of a period, and keeps the level when the period changes', () => {
    const shared = withLedger(text, 'quarter');
    expect(parse(shared)).toMatchObject({ policy: 'nightly', ledger: { alpha: 0.05, per: 'quarter' } });
    const less = withLedger(withValue(shared, ['ledger', 'alpha'], 0.1), 'month');
    expect(readForm(less)?.ledger).toEqual({ alpha: 0.1, per: 'month' });
    expect(readPolicy(parse(less), 'The text').ledger).toEqual({ alpha: 0.1, per: 'month' });
    expect(parse(withLedger(less, ''))).toEqual(parse(text));
    expect(() => readPolicy({ ...parse(text), ledger: { alpha: 0, per: 'week' } }, 'The text')).toThrow(
      /ledger\.per must be month, quarter, year\s+ledger\.alpha must be a number from 0\.001 to 0\.5/,
    );
  });

  it('starts from nothing, and loses what is empty', () => {
    const named = 'Très "bon": 50 %';
    const first = withRule('', named, { kind: 'noRegression', amount: undefined, ofScore: false });
    expect(parse(first)).toEqual({ metrics: { [named]: { noRegression: {} } } });
    expect(readPolicy(parse(first), 'The text').metrics).toMatchObject([{ metric: named, noRegression: {} }]);
    expect(parse(withRule(first, named, { kind: 'none', amount: undefined, ofScore: false })) ?? {}).toEqual(
      {},
    );
    const risen = withValue('cost: { maxRise: 0.1, judgesUsdPerRecord: 1 }', ['cost', 'maxRise'], undefined);
    expect(parse(risen)).toEqual({ cost: { judgesUsdPerRecord: 1 } });
  });

  it('shows what the form cannot set as rules of the text', () => {
    const several =
      'metrics: { A: { atLeast: 0.8, noRegression: {} }, B: { passHatK: { k: 2, atLeast: 0.5 } }, C: }';
    const form = readForm(several)!;
    expect(['A', 'B', 'C', 'D'].map((name) => form.ruleOf(name).kind)).toEqual(['own', 'own', 'own', 'none']);
  });

  it.each(['metrics: [', '- a', '"text"'])('is no form: %s', (wrong) => {
    expect(readForm(wrong)).toBeUndefined();
  });
});
