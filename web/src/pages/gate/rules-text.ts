import { type Document, isMap, isNode, isScalar, parseDocument } from 'yaml';
import { isPolicyName, type PolicyName } from '../../../../client/src/gate/ready-policies.ts';

/** A rule that the form can set for a metric; `own` is anything else that the text says. */
export type RuleKind =
  | 'none'
  | 'noRegression'
  | 'nonInferiority'
  | 'superiority'
  | 'atLeast'
  | 'notBelow'
  | 'own';

/** `amount` is the margin or the line, from 0 to 1 for a pass rate. */
export type MetricRule = {
  kind: RuleKind;
  amount: number | undefined;
  /** Whether the rule is about the mean score, as `of: score` says. */
  ofScore: boolean;
};

/** What the form shows of the rules. */
export type FormRules = {
  policy: PolicyName | '';
  requireCalibrated: boolean;
  /** Whether a bias battery must have cleared each judge. */
  requireBattery: boolean;
  /** How all looks at the testset share one level; undefined without a ledger. */
  ledger: { alpha: number; per: string } | undefined;
  /** Fresh testcases that a run should have taken; undefined without that rule. */
  fresh: number | undefined;
  /** Largest rise that is allowed, as a share; undefined without that rule. */
  maxRise: { cost: number | undefined; latency: number | undefined };
  ruleOf: (metric: string) => MetricRule;
};

/** Rules with a number. Each starts with a usual one. */
export const usualAmounts: Partial<Record<RuleKind, number>> = {
  nonInferiority: 0.05,
  atLeast: 0.8,
  notBelow: 0.8,
};

const ruleOf = (given: unknown): MetricRule => {
  const { of, ...rules } = (given ?? {}) as Record<string, unknown>;
  const ofScore = of === 'score';
  const [[kind, value] = [], ...more] = Object.entries(rules);
  if (given === undefined) return { kind: 'none', amount: undefined, ofScore };
  if (more.length > 0) return { kind: 'own', amount: undefined, ofScore };
  if (kind === 'noRegression' || kind === 'superiority') return { kind, amount: undefined, ofScore };
  if (kind === 'nonInferiority')
    return { kind, amount: (value as { margin?: number } | null)?.margin, ofScore };
  if (kind === 'atLeast' || kind === 'notBelow') return { kind, amount: Number(value), ofScore };
  return { kind: 'own', amount: undefined, ofScore };
};

/** Reads what the form shows. Undefined if the text is not YAML, or no object. */
export const readForm = (text: string): FormRules | undefined => {
  const document = parseDocument(text);
  if (document.errors.length > 0) return undefined;
  const root = document.toJS() ?? {};
  if (typeof root !== 'object' || Array.isArray(root)) return undefined;
  return {
    policy: isPolicyName(root.policy) ? root.policy : '',
    requireCalibrated: Boolean(root.requireCalibrated),
    requireBattery: root.requireCalibrated?.battery === true,
    ledger: root.ledger ? { alpha: Number(root.ledger.alpha), per: root.ledger.per ?? 'year' } : undefined,
    fresh: root.fresh === undefined ? undefined : Number(root.fresh),
    maxRise: { cost: root.cost?.maxRise, latency: root.latency?.maxRise },
    ruleOf: (metric) => ruleOf(root.metrics?.[metric]),
  };
};

/** A comment above the first key is about the file as well: it stays when the key goes. */
const keepCommentOf = (document: Document.Parsed, name: string): void => {
  const [first] = isMap(document.contents) ? document.contents.items : [];
  if (!isScalar(first?.key) || first.key.value !== name || !first.key.commentBefore) return;
  document.commentBefore = [document.commentBefore, first.key.commentBefore].filter(Boolean).join('\n');
  delete first.key.commentBefore;
};

/** Returns the text with a value at a path, its comments kept. Undefined removes the value, and what is then empty above it. */
export const withValue = (text: string, path: readonly string[], value: unknown): string => {
  const document = parseDocument(text);
  if (value !== undefined) {
    for (let depth = 1; depth < path.length; depth++)
      if (!isMap(document.getIn(path.slice(0, depth), true)))
        document.setIn(path.slice(0, depth), document.createNode({}));
    document.setIn(path, document.createNode(value, { flow: true }));
  } else {
    keepCommentOf(document, path[0]!);
    document.deleteIn(path);
    for (let depth = path.length - 1; depth > 0; depth--) {
      const above = document.getIn(path.slice(0, depth), true);
      if (isNode(above) && isMap(above) && above.items.length === 0) document.deleteIn(path.slice(0, depth));
    }
  }
  return document.toString({ lineWidth: 0 });
};

/** Returns the text that asks, or no longer asks, for a battery of each judge. The other parts of `requireCalibrated` stay. */
export const withBattery = (text: string, asks: boolean): string => {
  const given = parseDocument(text).get('requireCalibrated', true);
  if (!isMap(given)) return withValue(text, ['requireCalibrated'], asks ? { battery: true } : true);
  if (asks) return withValue(text, ['requireCalibrated', 'battery'], true);
  return given.items.length === 1
    ? withValue(text, ['requireCalibrated'], true)
    : withValue(text, ['requireCalibrated', 'battery'], undefined);
};

/** The level that a new ledger has. */
const usualAlpha = 0.05;

/** Returns the text with a ledger for each period, or without one. */
export const withLedger = (text: string, per: string): string => {
  if (per === '') return withValue(text, ['ledger'], undefined);
  const alpha = parseDocument(text).getIn(['ledger', 'alpha']) ?? usualAlpha;
  return withValue(text, ['ledger'], { alpha, per });
};

/** Returns the text with this rule for a metric. What the text says of its measure stays. */
export const withRule = (text: string, metric: string, { kind, amount }: MetricRule): string => {
  const path = ['metrics', metric];
  if (kind === 'none') return withValue(text, path, undefined);
  const of = parseDocument(text).getIn([...path, 'of']);
  const values: Partial<Record<RuleKind, unknown>> = {
    nonInferiority: { margin: amount },
    atLeast: amount,
    notBelow: amount,
  };
  return withValue(text, path, { ...(of === undefined ? {} : { of }), [kind]: values[kind] ?? {} });
};
