import { Type } from 'typebox';
import { calibration, judgeGrades, judgeStatus } from '../../engine/statistics/calibration-schema.ts';
import { count, nullable, nullableText, text, texts } from '../../engine/statistics/estimate-schema.ts';
import { BatteryVerdict } from '../../engine/statistics/trial-schema.ts';
import { named } from '../../platform/named-schema.ts';
import { oneOf } from '../../platform/one-of.ts';
import { JudgeStatus } from '../analysis/judge-schema.ts';

export const PassportQuery = Type.Object({
  metricConfigId: Type.Optional(
    Type.String({ description: 'Configuration of the judge; default the current one.' }),
  ),
  days: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 90, default: 90, description: 'Days until it expires, at most.' }),
  ),
});

const payload = Type.Object(
  {
    format: Type.Literal('dokima-judge-passport', { description: 'What this is.' }),
    version: Type.Literal(1, { description: 'Version of the format.' }),
    projectId: text('Id of the project.'),
    metricId: text('Id of the metric.'),
    metricName: text('Name of the metric.'),
    metricConfigId: text('Configuration of the judge.'),
    metricHash: text('SHA-256 of all that decides how the configuration scores, without its ids.'),
    grade: oneOf(judgeGrades, 'Grade of the judge.'),
    sentence: text('The grade in words.'),
    loss: judgeStatus.loss,
    sensitivity: calibration.sensitivity,
    specificity: calibration.specificity,
    assumption: text('Assumption of these figures.'),
    numLabels: count('Number of labels that they rest on.'),
    labelsBy: JudgeStatus.properties.labelsBy,
    labelledAt: nullableText('When the newest label was given; null without labels.'),
    calibratedConfigId: text(
      'Configuration whose labels these are: this one, or an earlier one with the same hash.',
    ),
    drift: nullable(
      Type.Object({
        trialNumber: count('Number of the trial.'),
        verdict: oneOf(['drifted', 'no drift seen'], 'Its conclusion.'),
        sentence: text('The conclusion in words.'),
        createdAt: text('When it was started.'),
      }),
      'The newest finished drift trial of this configuration; null without one.',
    ),
    battery: nullable(
      BatteryVerdict,
      'The newest battery of this configuration, or of one with the same hash; null without one.',
    ),
    batteryTrialNumber: nullable(
      count('Number of its trial.'),
      'Number of the trial of the battery; null without one.',
    ),
    batteryCounts: Type.Boolean({
      description:
        'Whether the battery is clear, complete, not too old, and of the models that answer now: what `requireCalibrated: { battery: true }` asks for.',
    }),
    batteryReason: nullableText('Why it does not count, and what to do; null if it does.'),
    model: Type.Object(
      {
        name: nullableText('Model that judges.'),
        servedLately: texts('Models that answered lately, as named by their provider.'),
        endsOn: nullableText('Day on which the provider shuts it down; null if it announces none.'),
      },
      { description: 'The model of the judge.' },
    ),
    issuedAt: text('When it was issued.'),
    expiresAt: text('When it expires.'),
    expiryReason: text('Why then.'),
  },
  { description: 'What is signed.' },
);

export const JudgePassport = named(
  'JudgePassport',
  Type.Object(
    {
      payload,
      signature: Type.Object(
        {
          algorithm: Type.Literal('Ed25519', { description: 'Algorithm (RFC 8032).' }),
          keyId: text('Name of the key: the beginning of the SHA-256 of its DER form.'),
          value: text(
            'Signature of the format, a line break, and the payload as JSON with sorted keys (RFC 8785), in base64.',
          ),
        },
        { description: 'Signature of the payload.' },
      ),
    },
    {
      description: 'How far a judge can be trusted, signed, so that anyone can check it without the service.',
    },
  ),
);

export const PassportKeyAnswer = named(
  'PassportKey',
  Type.Object(
    {
      keyId: text('Name of the key.'),
      algorithm: Type.Literal('Ed25519', { description: 'Algorithm.' }),
      publicKeyPem: text('The public key, as PEM.'),
    },
    { description: 'The public key that checks passports.' },
  ),
);
