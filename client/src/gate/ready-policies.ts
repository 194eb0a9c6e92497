/** A ready policy: rules to start from, which a file of rules can name and change. */
type ReadyPolicy = {
  about: string;
  /** The rules, as in a dokima.yaml. */
  rules: Record<string, unknown>;
  /** A comment for each key of the rules. */
  why: Record<string, string>;
};

const whySlices = 'A slice of the testset that lost more than the rest fails, without being named here.';

const baselines = { baseline: 'latest:main', anchor: 'first:main' };
const whyBaselines = {
  baseline: 'The newest run of main that passed. Until there is one, the comparison passes and says so.',
  anchor:
    'The first run of main does not move, so many small steps down are seen. Name a run that you accepted instead.',
};

export const readyPolicies = {
  'pull-request': {
    about: 'An alarm: red only if a loss is shown, by chance in at most 2.5 % of harmless changes.',
    rules: { ...baselines, slices: 'auto', everyMetric: { noRegression: {} } },
    why: {
      ...whyBaselines,
      slices: whySlices,
      everyMetric: 'Alarms need no number of testcases: more of them see smaller losses.',
    },
  },
  nightly: {
    about: 'A proof: green only if it is shown that no metric lost more than five points.',
    rules: {
      ...baselines,
      slices: 'auto',
      requireCalibrated: true,
      everyMetric: { nonInferiority: { margin: 0.05 } },
    },
    why: {
      ...whyBaselines,
      slices: whySlices,
      requireCalibrated:
        'People have labelled enough to show that each judge may gate alone: its errors move a rate by at most 20 points.',
      everyMetric:
        'With too few testcases the gate says how many this margin needs, by the variance of its own comparison. Before the first run, the page Plan does.',
    },
  },
  release: {
    about: 'A proof with a smaller margin, by judges that people have checked within half a year.',
    rules: {
      baseline: 'latest:release',
      anchor: 'first:release',
      slices: 'auto',
      requireCalibrated: { atLeast: 1.2, maxAgeDays: 180 },
      everyMetric: { nonInferiority: { margin: 0.03 } },
    },
    why: {
      baseline: 'The newest run that was released. Until there is one, the comparison passes and says so.',
      anchor: whyBaselines.anchor.replace('main', 'release'),
      slices: whySlices,
      requireCalibrated: 'Sensitivity + specificity of each judge are shown to be at least 1.2.',
      everyMetric:
        'Three points need about three times as many testcases as five. The gate and the page Plan say how many.',
    },
  },
} satisfies Record<string, ReadyPolicy>;

export type PolicyName = keyof typeof readyPolicies;
export const policyNames = Object.keys(readyPolicies) as PolicyName[];

export const isPolicyName = (name: unknown): name is PolicyName => policyNames.includes(name as PolicyName);

/** Returns the keys of a ready policy with their comments, in the order in which a file shows them. */
export const partsOf = (name: PolicyName): { key: string; value: unknown; why: string }[] => {
  const { rules, why }: ReadyPolicy = readyPolicies[name];
  return Object.entries(rules).map(([key, value]) => ({ key, value, why: why[key] ?? '' }));
};
