import type { Static } from 'typebox';
import { valueOfLabel } from '../../../../client/src/labels.ts';
import { clusteredMeanEstimate } from '../../engine/statistics/clusters.ts';
import { storedLabels } from '../../evaluation/metrics/labels.ts';
import type { JudgeConfig } from '../../scoring/labels/queries.ts';
import type { JuryAgreement } from './calibration-schema.ts';
import type { JuryRecord } from './jury-queries.ts';
import { passes } from './measure-scores.ts';

export type JuryJob = { judge: JudgeConfig; models: string[]; records: JuryRecord[]; level: number };

type Said = [modelName: string, value: boolean | number | string | null][];
type Agreed = { unit: string; same: boolean };

/** The number of a juror's verdict; a text is a label. */
const numberOf = (value: boolean | number | string, { labels }: JudgeConfig): number =>
  typeof value === 'string' ? (valueOfLabel(storedLabels(labels)!, value) ?? 0) : Number(value);

const share = (pairs: readonly Agreed[], level: number) =>
  clusteredMeanEstimate(
    pairs.map(({ same }) => Number(same)),
    pairs.map(({ unit }) => unit),
    level,
    { low: 0, high: 1 },
  );

/** Returns how often each model of a jury agrees with the jury, and how often with people. */
export const measureJury = ({
  judge,
  models,
  records,
  level,
}: JuryJob): Omit<Static<typeof JuryAgreement.schema>, 'source'> => {
  const read = records.map(({ record, testcase, verdict, human, said }) => ({
    unit: testcase ?? record,
    human,
    jury: verdict === null ? null : passes(verdict, judge),
    said: new Map(
      (JSON.parse(said) as Said).map(([modelName, value]) => [
        modelName,
        value === null ? null : passes(numberOf(value, judge), judge),
      ]),
    ),
  }));
  type Read = (typeof read)[number];
  const agreement = (one: (record: Read) => boolean | null, other: (record: Read) => boolean | null) =>
    share(
      read.flatMap((record): Agreed[] => {
        const [a, b] = [one(record), other(record)];
        return a === null || b === null ? [] : [{ unit: record.unit, same: a === b }];
      }),
      level,
    );
  const people = ({ human }: Read) => human;
  const jury = (record: Read) => record.jury;
  return {
    metricConfigId: judge.configId,
    numRecords: read.length,
    juryWithPeople: agreement(jury, people),
    models: models.map((modelName) => {
      const own = ({ said }: Read) => said.get(modelName) ?? null;
      return {
        modelName,
        numVerdicts: read.filter((record) => own(record) !== null).length,
        withJury: agreement(own, jury),
        withPeople: agreement(own, people),
      };
    }),
  };
};
