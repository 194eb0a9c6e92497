import { useQuery } from '@tanstack/react-query';
import { X } from 'lucide-react';
import { filterValue, withTime } from '../../resources/search/search.ts';
import { IconButton } from '../../ui/button.tsx';
import { Volume } from '../../ui/volume.tsx';
import type { RecordsQuery } from './queries.ts';
import { histogramQuery } from './record-pages.ts';

type VolumeBarProps = {
  projectId: string;
  q: string;
  query: RecordsQuery;
  /** Not before the first records are there: the count reads all that the search finds. */
  enabled: boolean;
  onSearch: (q: string) => void;
};

const timeOf = (q: string, name: 'after' | 'before'): Date | undefined => {
  const value = filterValue(q, name);
  const time = value === undefined ? undefined : new Date(value);
  return time && !Number.isNaN(time.getTime()) ? time : undefined;
};

/** The number of records that the search finds over time. Selecting a range narrows the search to it. */
export const VolumeBar = ({ projectId, q, query, enabled, onSearch }: VolumeBarProps) => {
  // The whole time is shown, so that a range can be widened again.
  const anyTime = withTime(q, undefined, undefined);
  const { q: _, ...others } = query;
  const atAnyTime = anyTime ? { ...others, q: anyTime } : others;
  const { data, isFetching } = useQuery({ ...histogramQuery(projectId, atAnyTime, 60), enabled });
  const [from, to] = [timeOf(q, 'after'), timeOf(q, 'before')];
  const isLimited = from !== undefined || to !== undefined;
  return (
    <div className="flex h-14 shrink-0 items-start gap-2 px-4 pt-2">
      {/* What is being counted is said below the table. */}
      {!data && isFetching && <div className="skeleton h-8 flex-1" />}
      {data?.start && (
        <>
          <Volume
            label="Records over time"
            start={new Date(data.start)}
            seconds={data.bucketSeconds}
            counts={data.counts}
            estimated={data.estimated}
            from={from}
            to={to}
            onSelect={(from, to) => onSearch(withTime(q, from, to))}
          />
          {isLimited && (
            <IconButton
              icon={X}
              label="Clear the time range"
              onClick={() => onSearch(withTime(q, undefined, undefined))}
            />
          )}
        </>
      )}
    </div>
  );
};
