import { useRef, useState } from 'react';
import type { KeyMap } from '../../ui/keys.ts';
import { type Asked, isWhole, offeredFor, type Scores, type Verdict } from './scores.ts';

/** The metric that keys are for. A value that is chosen with one key leads to the next metric without a score. */
export const useCurrentMetric = ({ asked, missing, scoreOf, setValue }: Scores) => {
  const [chosen, setChosen] = useState<string>();
  /** The metric that was scored last: its reason may follow. */
  const [last, setLast] = useState<string>();
  const byId = (id: string | undefined) => asked.find(({ metricConfigId }) => metricConfigId === id);
  const current: Asked = byId(chosen) ?? missing[0] ?? asked[0]!;
  const go = (metric: Asked | undefined) => {
    setLast(undefined);
    if (metric) setChosen(metric.metricConfigId);
  };
  /** The next metric without a score after this one, around the end. */
  const missingAfter = (metric: Asked): Asked | undefined => {
    const place = asked.indexOf(metric);
    const others = missing.filter((each) => each !== metric);
    return others.find((each) => asked.indexOf(each) > place) ?? others[0];
  };
  return {
    current,
    go,
    missingAfter,
    step: (by: 1 | -1) => go(asked[(asked.indexOf(current) + by + asked.length) % asked.length]),
    /** Goes back to the metric that was just scored, to say why. */
    goToScored: () => setChosen((byId(last) ?? current).metricConfigId),
    /** Stores a value. With `atOnce`, the metric is done and the next one follows. */
    choose: (metric: Asked, value: Verdict | undefined, atOnce: boolean) => {
      setValue(metric, value);
      setChosen(metric.metricConfigId);
      setLast(undefined);
      if (!atOnce || value === undefined) return;
      const next = missingAfter(metric);
      setLast(metric.metricConfigId);
      if (next) setChosen(next.metricConfigId);
    },
    isDone: (metric: Asked) => isWhole(metric, scoreOf(metric)),
  };
};
export type CurrentMetric = ReturnType<typeof useCurrentMetric>;

/** The element of the aside with the metrics. A number is typed into the field of the current one. */
export const useNumberField = () => {
  const aside = useRef<HTMLElement>(null);
  const type = (): false => {
    const field = aside.current?.querySelector<HTMLInputElement>('section:not([aria-current=false]) input');
    field?.focus();
    field?.select();
    // The key itself is left to the field.
    return false;
  };
  return { aside, type };
};

/** Keys that give the current metric a value. */
export const valueKeys = (current: Asked, choose: (value: Verdict) => void, type: () => false): KeyMap => {
  if (current.outputType === 'float' && !current.criteria)
    return Object.fromEntries([...'0123456789.'].map((digit) => [digit, ['Enter a number', type]]));
  return Object.fromEntries(
    offeredFor(current)
      .filter(({ key }) => key !== '')
      .map(({ key, score }) => [key, ['Choose a score', () => choose(score)]]),
  );
};
