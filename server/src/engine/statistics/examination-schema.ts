import { type Static, Type } from 'typebox';
import { named, ref } from '../../platform/named-schema.ts';
import { oneOf } from '../../platform/one-of.ts';
import {
  count,
  Estimate,
  nullable,
  nullableInterval,
  nullableNumber,
  nullableText,
  number,
  text,
  texts,
} from './estimate-schema.ts';

export const findingKinds = ['wrongKey', 'duel', 'leaked', 'twin', 'flaky', 'hopeless', 'dead'] as const;
export type FindingKind = (typeof findingKinds)[number];

const Finding = Type.Object({
  kind: oneOf(findingKinds, 'Kind of finding.'),
  testcaseId: text('Id of the testcase.'),
  sentence: text('The evidence in words.'),
  probability: nullableNumber(
    'wrongKey: how probable it is that the key is wrong, if versions err independently. Else null.',
  ),
  proposal: nullableText('wrongKey: the answer that versions agree on. Else null.'),
  otherTestcaseId: nullableText('twin: the testcase that it resembles. Else null.'),
  systemId: nullableText('leaked: the system whose version has the text. Else null.'),
  metricId: nullableText('leaked: the metric whose judge has the text. Else null.'),
  recordIds: texts('Records that show it, up to 5.'),
});

const Kind = Type.Object({
  kind: oneOf(findingKinds, 'Kind of finding.'),
  numTestcases: count('Testcases that have it.'),
  meaning: text('What the kind means.'),
  reason: nullableText('Why testcases could not be examined for it; null if they were.'),
});

const Compared = Type.Object(
  {
    n: count('Testcases that were compared.'),
    difference: nullableNumber('Later pass rate less the earlier one.'),
    interval: nullableInterval('Interval of the difference.'),
    verdict: text('The verdict.'),
    sentence: text('The verdict in words.'),
  },
  { description: 'A comparison of pass rates.' },
);

export const TestsetExamination = named(
  'TestsetExamination',
  Type.Object(
    {
      testsetId: text('Id of the testset.'),
      metricId: nullableText('Metric by which testcases pass; null if no run has scores.'),
      metricName: nullableText('Name of the metric.'),
      runs: Type.Array(
        Type.Object({
          runId: text('Id of the run.'),
          version: nullableText('Name of the version that answered; null if it is not known.'),
          numRecords: count('Records with a verdict on the current revision of a testcase.'),
        }),
        { description: 'Runs that were read, newest first.' },
      ),
      numVersions: count('Different versions among them. Runs without a version count as one each.'),
      numModels: count('Different models that the configurations of these versions name.'),
      numRecords: count('Records that were read.'),
      kinds: Type.Array(Kind, { description: 'What was looked for.' }),
      findings: Type.Array(Finding, { description: 'Findings, up to `limit` of each kind.' }),
      assumption: text('Assumption of the probabilities of wrong keys.'),
      comparison: nullable(
        Type.Object({
          before: text('Run that is compared.'),
          after: text('Run that it is compared with.'),
          all: Compared,
          withoutSuspects: Compared,
          numSuspects: count('Testcases that were left out.'),
          changed: Type.Boolean({ description: 'Whether the verdict is another one.' }),
          sentence: text('The result in words.'),
        }),
        'The comparison of two runs, repeated without suspects: wrong keys, duels, leaks and repeated twins. Null with fewer than two runs.',
      ),
      card: Type.Object(
        {
          numTestcases: count('Testcases of the testset.'),
          numWithKey: count('Testcases with an expected answer.'),
          numAnswered: count('Testcases with a verdict.'),
          numGenerated: count('Testcases that a model wrote, by their field `origin`.'),
          numRevised: count('Testcases that were changed since they were made.'),
          numInvalid: count('Testcases that do not fit the schema.'),
          numBatches: count('Times at which testcases were added.'),
          firstAt: nullableText('When the first testcase was made.'),
          lastAt: nullableText('When the last testcase was made or changed.'),
          inputs: texts('Fields that the system gets.'),
          expected: texts('Fields of the expected answer.'),
          groupingField: nullableText('Field by which testcases depend on each other.'),
          agreement: nullable(
            ref(Estimate),
            'Share of the testcases with labels on which people agree with the metric; null without labels.',
          ),
        },
        { description: 'The testset at a glance.' },
      ),
      leftOut: texts('What was not read because it is too much, each as a sentence.'),
      level: number('Confidence level.'),
    },
    {
      description:
        'What stored runs tell about the testcases of a testset: which have a wrong key, show nothing, or stand in a prompt.',
    },
  ),
);
export type TestsetExamination = Static<typeof TestsetExamination.schema>;
export type Finding = Static<typeof Finding>;
