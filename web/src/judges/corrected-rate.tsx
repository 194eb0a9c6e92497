import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { apiQuery } from '../api.ts';
import { TextLink } from '../links.tsx';
import { paths } from '../paths.ts';
import { type Estimate, intervalText, percentText } from '../ui/interval.tsx';
import { type Calibration, calibrationQuery, type Judge } from './queries.ts';

type Rate = Estimate & { uncorrected: number | null };

/** The pass rate as people would judge it: by the labels of the run, else by the error rates of the judge. */
export const correctedOf = ({ corrected, correctedRate }: Calibration): Rate | null => {
  if (corrected?.predictionPowered.interval) return corrected.predictionPowered;
  return corrected?.roganGladen ?? correctedRate;
};

const short = ({ estimate, interval }: Rate): string => {
  if (estimate === null || !interval) return 'not corrected';
  const [low, high] = [interval.low, interval.high].map((end) => (100 * end).toFixed(1));
  return `corrected ${percentText(estimate)}, ${low}–${high}`;
};

type Props = { projectId: string; metricId: string; configId: string };

const CorrectedLink = ({ projectId, metricId, configId, rate }: Props & { rate: Rate }) => (
  <TextLink
    {...paths.judge(projectId, metricId, { config: configId })}
    title={`As people would judge it: ${intervalText(rate)}`}
    className="whitespace-nowrap"
  >
    {short(rate)}
  </TextLink>
);

/** The pass rate of a run, corrected for the errors of its judge. */
export const CorrectedRate = ({ runId, ...judge }: Props & { runId: string }) => {
  const { data } = useQuery({
    ...calibrationQuery(judge.metricId, judge.configId, undefined, runId),
    staleTime: 60_000,
  });
  const rate = data && correctedOf(data);
  return rate ? <CorrectedLink {...judge} rate={rate} /> : null;
};

const shareQuery = ({ metricId, configId }: Props, { estimate, n }: Estimate) => ({
  ...apiQuery('calibrateMetric', metricId, {
    ...{ metricConfigId: configId, labels: 'auto' as const },
    ...(n > 0 && { passes: Math.round((estimate ?? 0) * n), judged: n }),
  }),
  staleTime: 60_000,
});

/** Long enough that a pointer which only passes over a point asks nothing. */
const settledMs = 200;

/** Returns the corrected rate, in words, of the point that is looked at; undefined while there is none. */
export const useCorrectedPoint = (judge: Props, point: Estimate | undefined): string | undefined => {
  const [settled, setSettled] = useState<Estimate>();
  useEffect(() => {
    const timer = setTimeout(() => setSettled(point), settledMs);
    return () => clearTimeout(timer);
  }, [point]);
  const { data } = useQuery({
    ...shareQuery(judge, settled ?? { estimate: null, interval: null, n: 0 }),
    enabled: settled !== undefined && settled.n > 0,
  });
  return point && point === settled && data?.correctedRate?.interval ? short(data.correctedRate) : undefined;
};

/** A pass rate of any records, as of a monitor, corrected for the errors of the judge; a link to the judge if there is none. */
export const CorrectedShare = ({ of, ...judge }: Props & { of: Estimate }) => {
  const { data } = useQuery(shareQuery(judge, of));
  if (!data) return null;
  if (data.correctedRate?.interval) return <CorrectedLink {...judge} rate={data.correctedRate} />;
  return (
    <TextLink
      {...paths.judge(judge.projectId, judge.metricId, { config: judge.configId })}
      title={data.judge.sentence}
    >
      {data.judge.state === 'notCalibrated' ? 'judge not checked by people' : 'judge not calibrated'}
    </TextLink>
  );
};

type BesideProps = {
  projectId: string;
  metricId: string;
  runId: string;
  judge: Pick<Judge, 'metricConfigId' | 'labels'> | undefined;
};

/** The corrected rate on a line below the rate of a judge. The line is there before the rate is read, so that no row moves. */
export const CorrectedBeside = ({ judge, ...rest }: BesideProps) =>
  judge && judge.labels > 0 ? (
    <span className="block h-4 min-w-44 text-xs">
      <CorrectedRate {...rest} configId={judge.metricConfigId} />
    </span>
  ) : null;
