import { useQuery } from '@tanstack/react-query';
import { apiQuery } from '../../api.ts';
import { TextLink } from '../../links.tsx';
import { paths } from '../../paths.ts';
import { metricsQuery } from '../../resources/metrics/queries.ts';
import { Annotations } from '../../resources/records/annotations.tsx';
import { Attachments } from '../../resources/records/attachments.tsx';
import { Blind } from '../../resources/records/blind.tsx';
import { Fields } from '../../resources/records/fields.tsx';
import { Scores } from '../../resources/records/scores.tsx';
import { TagsAndPeople } from '../../resources/records/tags-and-people.tsx';
import { useRecordWrites } from '../../resources/records/use-record-writes.ts';
import { useMay } from '../../resources/session/me.ts';
import { ReaderLink } from '../../resources/session/reader-link.tsx';
import { Passages } from '../../resources/traces/passages.tsx';
import type { RecordDetail } from '../../types.ts';
import { countOf, countText, durationText, usdText } from '../../ui/format.ts';
import { Part } from '../../ui/part.tsx';
import { Time } from '../../ui/time.tsx';

/** Says that the testcase has changed since the record answered it, with a link to what changed. */
const AnsweredRevision = ({ record, projectId }: { record: RecordDetail; projectId: string }) => {
  const { testcaseId, testcaseRevision: then, currentTestcaseRevision: now } = record;
  const { read } = useMay();
  const isRevised = testcaseId && then !== null && now !== undefined && now !== then;
  const { data: run } = useQuery({
    ...apiQuery('getRunDetails', record.runId),
    enabled: read && Boolean(isRevised),
  });
  if (!isRevised) return null;
  const [testsetId] = testcaseId.split('-') as [string];
  const changed =
    now === null ? `answered revision ${then}; deleted since` : `answered revision ${then}; now ${now}`;
  const from = run?.testset?.id === testsetId ? run.snapshot?.number : undefined;
  return (
    <>
      {' ('}
      {from === undefined ? (
        changed
      ) : (
        <ReaderLink {...paths.testsetHistory(projectId, testsetId, from, testcaseId)}>{changed}</ReaderLink>
      )}
      )
    </>
  );
};

const Facts = ({ record, projectId }: { record: RecordDetail; projectId: string }) => (
  <div className="flex flex-wrap items-center gap-x-3 gap-y-1 text-soft">
    <ReaderLink {...paths.run(projectId, record.runId)}>Run {record.runId}</ReaderLink>
    {record.testcaseId && (
      <span>
        Testcase{' '}
        <ReaderLink {...paths.testset(projectId, record.testcaseId.split('-')[0]!)}>
          {record.testcaseId}
        </ReaderLink>
        <AnsweredRevision record={record} projectId={projectId} />
      </span>
    )}
    {record.sessionId && (
      <ReaderLink {...paths.session(projectId, record.sessionId)}>Session {record.sessionId}</ReaderLink>
    )}
    {record.measures?.userId && (
      <ReaderLink {...paths.sessions(projectId, record.measures.userId)}>
        User {record.measures.userId}
      </ReaderLink>
    )}
    <Measures measures={record.measures} />
    <Time at={record.createdAt} />
  </div>
);

/** Latency, tokens and cost of the record. */
const Measures = ({ measures }: Pick<RecordDetail, 'measures'>) => {
  if (!measures) return null;
  const { latencyMs, inputTokens, outputTokens, costUsd, numErrors } = measures;
  const tokens =
    inputTokens === null && outputTokens === null ? null : (inputTokens ?? 0) + (outputTokens ?? 0);
  const parts = [
    latencyMs !== null && durationText(latencyMs),
    tokens !== null && `${countText(tokens)} tokens`,
    costUsd !== null && usdText(costUsd),
    numErrors > 0 && `${countOf(numErrors, 'failed span')}`,
  ].filter((part) => part !== false);
  return parts.length === 0 ? null : <span>{parts.join(' · ')}</span>;
};

/** Everything about a record, in the side panel and on its page. */
export const RecordView = ({ record, projectId }: { record: RecordDetail; projectId: string }) => {
  const writes = useRecordWrites();
  const { id } = record;
  // The height of the scores is unknown until the metrics are read: the parts below appear together with them.
  const { read } = useMay();
  const { isLoading: areScoresPending } = useQuery({ ...metricsQuery(projectId), enabled: read });
  return (
    <article aria-label={`Record ${id}`} className="@container">
      <div className="flex flex-col gap-2 px-4 pb-3">
        <Facts record={record} projectId={projectId} />
        <TagsAndPeople record={record} projectId={projectId} writes={writes} />
      </div>
      <div className="@3xl:grid @3xl:grid-cols-[minmax(0,1fr)_360px]">
        <div>
          <Contents record={record} projectId={projectId} />
        </div>
        <div className="@3xl:border-l">
          <Part title={`Scores (${record.scoreStates.length})`}>
            {record.blind ? (
              <Blind record={record} projectId={projectId} />
            ) : (
              <Scores record={record} projectId={projectId} writes={writes} />
            )}
          </Part>
          {!areScoresPending && (
            <Part title="Annotations">
              <Annotations key={id} recordId={id} writes={writes} />
            </Part>
          )}
          {!areScoresPending && record.sessionId && (
            <Attachments sessionId={record.sessionId} projectId={projectId} />
          )}
        </div>
      </div>
    </article>
  );
};

/** The inputs and outputs of a session are those of one turn; the conversation has every turn. */
const OfSession = ({ record, projectId }: { record: RecordDetail; projectId: string }) => (
  <p className="px-4 pb-2 text-soft">
    The record of a session: its{' '}
    <TextLink {...paths.record(projectId, record.id, undefined, { tab: 'conversation' })}>
      conversation
    </TextLink>{' '}
    has every turn.
  </p>
);

/** Inputs, outputs and expected outputs. */
const Contents = ({ record, projectId }: { record: RecordDetail; projectId: string }) => {
  const hasExpected = Object.keys(record.expected).length > 0;
  return (
    <Passages recordId={record.id}>
      {record.sessionId && record.measures && <OfSession record={record} projectId={projectId} />}
      <Fields title="Inputs" fields={record.inputs} />
      {/* Beside each other if there is room: the two are read together. */}
      <div className="@container">
        <div className={hasExpected ? '@xl:grid @xl:grid-cols-2 @xl:[&>*+*]:border-l' : ''}>
          <Fields title="Outputs" fields={record.outputs} against={record.expected} />
          {hasExpected && <Fields title="Expected" fields={record.expected} />}
        </div>
      </div>
    </Passages>
  );
};
