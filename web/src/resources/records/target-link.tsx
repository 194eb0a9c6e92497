import { useParams } from '@tanstack/react-router';
import { TextLink } from '../../links.tsx';
import { paths } from '../../paths.ts';
import type { Annotation } from '../../types.ts';

/** The target of an annotation in the record's list: the words of the passage, and a link to the span. */
export const TargetLink = ({ annotation }: { annotation: Annotation }) => {
  const { recordId, spanId, traceId, passage } = annotation;
  // Ids of spans are unique only within a trace.
  const span = traceId && spanId ? `${traceId}-${spanId}` : (spanId ?? undefined);
  const { projectId } = useParams({ strict: false });
  if (!spanId && !passage) return null;
  return (
    <p className="text-sm text-soft">
      {passage && (
        <q className="line-clamp-2 break-words" dir="auto">
          {passage.text}
        </q>
      )}
      {passage && <span className="font-mono text-sm">{passage.path} </span>}
      {spanId && projectId && (
        <TextLink {...paths.record(projectId, recordId, undefined, { tab: 'spans', ...(span && { span }) })}>
          on span {spanId}
        </TextLink>
      )}
    </p>
  );
};
