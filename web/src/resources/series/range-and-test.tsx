import type { DashboardSearch } from '../../paths.ts';
import type { Series } from '../../types.ts';
import { optionsOf, Select } from '../../ui/field.tsx';
import { testsOf } from './changes.tsx';
import { bucketsOf, type Range, rangeNames } from './queries.ts';

type RangeAndTestProps = {
  range: Range;
  bucket: string;
  compare: string;
  /** The bucket that the series has. */
  cut: Series['bucket'] | undefined;
  /** The split, whose groups can be tested. */
  by?: string;
  onChange: (change: Pick<DashboardSearch, 'range' | 'bucket' | 'compare'>) => void;
};

/** Chooses the range of a series, its buckets, and what is tested. */
export const RangeAndTest = ({ range, bucket, compare, cut, by, onChange }: RangeAndTestProps) => (
  <>
    <Select
      label="Range"
      hideLabel
      value={range}
      options={optionsOf(rangeNames)}
      // Hours are too many for a long range.
      onChange={(range) => onChange({ range, bucket: bucket in bucketsOf(range) ? bucket : '' })}
    />
    <Select
      label="Bucket"
      hideLabel
      value={bucket}
      options={optionsOf(bucketsOf(range))}
      onChange={(bucket) => onChange({ bucket })}
    />
    <Select
      label="Test"
      hideLabel
      value={compare}
      options={optionsOf(testsOf({ by, bucket: cut }))}
      onChange={(compare) => onChange({ compare })}
    />
  </>
);
