import { useQuery } from '@tanstack/react-query';
import { ChevronRight } from 'lucide-react';
import { useState } from 'react';
import { apiData } from '../../api.ts';
import { TextLink } from '../../links.tsx';
import { paths } from '../../paths.ts';
import { Annotations } from '../../resources/records/annotations.tsx';
import { Blind } from '../../resources/records/blind.tsx';
import { Scores } from '../../resources/records/scores.tsx';
import { TagsAndPeople } from '../../resources/records/tags-and-people.tsx';
import { useRecordWrites } from '../../resources/records/use-record-writes.ts';
import { useMay } from '../../resources/session/me.ts';
import type { RecordDetail } from '../../types.ts';
import { Button } from '../../ui/button.tsx';
import { Part } from '../../ui/part.tsx';

type TraceVerdictsProps = {
  projectId: string;
  record: RecordDetail | undefined;
  /** Whether the record is of a session, and not of this trace alone. */
  isOfSession: boolean;
};

/** The scores, tags and annotations of a trace's record, above its spans. Space for one line is kept until they are read. */
export const TraceVerdicts = ({ projectId, record, isOfSession }: TraceVerdictsProps) => {
  const writes = useRecordWrites();
  const [isOpen, setOpen] = useState(false);
  const may = useMay();
  const { data: annotations } = useQuery({
    ...apiData('listAnnotations', record?.id ?? ''),
    enabled: record !== undefined,
  });
  if (!record) return <div className="min-h-9 shrink-0" />;
  const count = annotations?.length ?? 0;
  return (
    <section
      aria-label={isOfSession ? 'Scores and annotations of the session' : 'Scores and annotations'}
      className="flex max-h-1/2 shrink-0 flex-col overflow-auto"
    >
      <div className="flex min-h-9 flex-wrap items-center gap-x-4 gap-y-1 px-4 pb-2">
        {isOfSession && <span className="text-soft">Session:</span>}
        {record.blind ? (
          <Blind record={record} projectId={projectId} />
        ) : (
          <Scores key={record.id} record={record} projectId={projectId} writes={writes} compact />
        )}
        <div className="ml-auto flex flex-wrap items-center gap-2">
          <TagsAndPeople record={record} projectId={projectId} writes={writes} />
          {(may.write || count > 0) && (
            <Button aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
              <ChevronRight size={12} aria-hidden className={isOpen ? 'rotate-90' : ''} />
              {count > 0 ? `Annotations (${count.toLocaleString('en')})` : 'Annotate'}
            </Button>
          )}
        </div>
      </div>
      {isOpen && (
        <Part title="Annotations">
          <div className="max-w-3xl">
            <Annotations key={record.id} recordId={record.id} writes={writes} />
          </div>
          <p className="mt-2">
            <TextLink {...paths.record(projectId, record.id)}>Open the record</TextLink>
          </p>
        </Part>
      )}
    </section>
  );
};
