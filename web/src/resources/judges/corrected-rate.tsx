import { useQuery } from '@tanstack/react-query';
import { apiQuery } from '../../api.ts';
import { TextLink } from '../../links.tsx';
import { paths } from '../../paths.ts';
import { type Estimate, intervalText, percentText } from '../../ui/interval.tsx';
import { GradeBadge, type Graded } from './grade.tsx';

/** `corrected 57.1 %, 48.0–66.2`. */
export const correctedText = ({ estimate, interval }: Estimate): string => {
  if (estimate === null || !interval) return 'not corrected';
  const [low, high] = [interval.low, interval.high].map((end) => (100 * end).toFixed(1));
  return `corrected ${percentText(estimate)}, ${low}–${high}`;
};

type Props = { projectId: string; metricId: string; configId: string };
/** `projectId`: undefined where nothing leads into the project. */
type LinkProps = Omit<Props, 'projectId'> & { projectId: string | undefined };

/** A corrected rate with its assumption. */
type Corrected = Estimate & { assumption: string };

const CorrectedLink = ({ projectId, metricId, configId, rate }: LinkProps & { rate: Corrected }) => {
  const title = `As people would judge it: ${intervalText(rate)}. It assumes that ${rate.assumption}.`;
  if (projectId === undefined)
    return (
      <span title={title} className="whitespace-nowrap">
        {correctedText(rate)}
      </span>
    );
  return (
    <TextLink
      {...paths.judge(projectId, metricId, { config: configId })}
      title={title}
      className="whitespace-nowrap"
    >
      {correctedText(rate)}
    </TextLink>
  );
};

type JudgedProps = {
  projectId: string | undefined;
  metricId: string;
  /** The judge of the run, with the corrected rate; undefined unless a model judges. */
  judge: (Graded & { correctedRate: Corrected | null }) | null | undefined;
};

/** The pass rate of a run, corrected for the errors of its judge. Nothing without labels. */
export const CorrectedRate = ({ judge, ...rest }: JudgedProps) =>
  judge?.correctedRate ? (
    <CorrectedLink {...rest} configId={judge.metricConfigId} rate={judge.correctedRate} />
  ) : null;

/** The grade of the judge and the corrected rate, on a line below the rate of the judge. A mean or a part of a run is not corrected. */
export const CorrectedBeside = ({ isMean = false, ...props }: JudgedProps & { isMean?: boolean }) =>
  props.judge ? (
    <span className="flex h-4 min-w-44 items-center gap-1 text-sm">
      <GradeBadge judge={props.judge} compact={!isMean && props.judge.correctedRate !== null} />
      {!isMean && <CorrectedRate {...props} />}
    </span>
  ) : null;

const shareQuery = ({ metricId, configId }: Props, { estimate, n }: Estimate) => ({
  ...apiQuery('calibrateMetric', metricId, {
    metricConfigId: configId,
    ...(n > 0 && { numPasses: Math.round((estimate ?? 0) * n), numJudged: n }),
  }),
  staleTime: 60_000,
});

/** Returns the rates of a chart corrected for the errors of the judge, in their places; nothing until they are known. */
export const useCorrectedRates = (
  { metricId, configId }: Props,
  values: readonly (Estimate | undefined)[],
): readonly (Estimate | undefined)[] => {
  const known = values.flatMap((value, place) => (value?.estimate != null ? [{ place, ...value }] : []));
  const rates = known.map(({ estimate, n }) => `${Math.round((estimate ?? 0) * n)}/${n}`).join(',');
  const { data } = useQuery({
    ...apiQuery('calibrateMetric', metricId, { metricConfigId: configId, rates }),
    enabled: known.length > 0,
    staleTime: 60_000,
  });
  const corrected = new Map(known.map(({ place }, i) => [place, data?.correctedRates[i]]));
  return values.map((_, place) => {
    const rate = corrected.get(place);
    return rate?.interval ? rate : undefined;
  });
};

/** The shield of the judge of rates whose answer does not name it, such as those of monitors and groups. */
export const JudgeShield = ({
  projectId,
  metricId,
  configId,
}: Omit<Props, 'configId'> & { configId?: string }) => {
  const { data } = useQuery({
    ...apiQuery('calibrateMetric', metricId, configId === undefined ? {} : { metricConfigId: configId }),
    staleTime: 60_000,
  });
  if (!data) return null;
  return (
    <TextLink {...paths.judge(projectId, metricId, configId === undefined ? {} : { config: configId })}>
      <GradeBadge judge={data.judge} />
    </TextLink>
  );
};

/** Corrected pass rate of any set of records, such as a monitor's; a link to the judge if there is none. */
export const CorrectedShare = ({ of, ...judge }: Props & { of: Estimate }) => {
  const { data } = useQuery(shareQuery(judge, of));
  if (!data) return null;
  if (data.correctedRate?.interval)
    return (
      <span className="inline-flex items-center gap-1">
        <GradeBadge judge={data.judge} compact />
        <CorrectedLink {...judge} rate={data.correctedRate} />
      </span>
    );
  return (
    <TextLink {...paths.judge(judge.projectId, judge.metricId, { config: judge.configId })}>
      <GradeBadge judge={data.judge} />
    </TextLink>
  );
};
