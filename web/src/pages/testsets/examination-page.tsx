import { useMutation, useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { etagOf } from '../../../../client/src/etags.ts';
import { api, apiAsWritten, apiQuery, asWritten, keyOf } from '../../api.ts';
import { QuietLink, TextLink } from '../../links.tsx';
import { paths } from '../../paths.ts';
import { useMay } from '../../resources/session/me.ts';
import { aside, type Marks, marksAside, marksBack } from '../../resources/testsets/set-aside.ts';
import type { Testset, TestsetExamination } from '../../types.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button, buttonClass } from '../../ui/button.tsx';
import { Confirm } from '../../ui/dialog.tsx';
import { countOf, countText, sentenceOf } from '../../ui/format.ts';
import { percentText } from '../../ui/interval.tsx';
import { Page, Section } from '../../ui/page.tsx';
import { Empty, Loaded } from '../../ui/states.tsx';
import { Table } from '../../ui/table.tsx';
import { sayError, sayUndo } from '../../ui/toast.tsx';
import { TestcasePanel } from './testcase-panel.tsx';
import { TestsetCard } from './testset-card.tsx';

const route = getRouteApi('/app/projects/$projectId/testsets/$testsetId/examination');

type Finding = TestsetExamination['findings'][number];
type Kind = TestsetExamination['kinds'][number];

const kindNames: Record<Finding['kind'], string> = {
  wrongKey: 'Wrong key?',
  duel: 'Duel',
  leaked: 'Leaked',
  twin: 'Twin',
  flaky: 'Flaky',
  hopeless: 'Hopeless',
  dead: 'Dead',
};

/** What stored runs tell about the testcases: findings by kind, each with its evidence and one action. */
export const ExaminationPage = () => {
  const { projectId, testsetId } = route.useParams();
  const { data: testset } = useSuspenseQuery(apiQuery('getTestset', testsetId));
  const examination = useQuery(apiQuery('examineTestset', testsetId));
  const [opened, setOpened] = useState<string>();
  return (
    <Page
      crumbs={
        <>
          <QuietLink {...paths.testsets(projectId)}>Testsets</QuietLink>
          <span aria-hidden> / </span>
          <QuietLink {...paths.testset(projectId, testsetId)}>
            <bdi>{testset.name}</bdi>
          </QuietLink>
        </>
      }
      title="Examination"
      fill
    >
      <div className="flex min-h-0 flex-1">
        <div className="relative min-h-0 flex-1 overflow-auto px-4 pb-12">
          <Loaded query={examination} lines={12}>
            {(found) => <Found {...{ projectId, testset, found }} onOpen={setOpened} />}
          </Loaded>
        </div>
        {opened && (
          <Opened key={opened} {...{ projectId, testset, id: opened }} onClose={() => setOpened(undefined)} />
        )}
      </div>
    </Page>
  );
};

type OpenedProps = { projectId: string; testset: Testset; id: string; onClose: () => void };

const Opened = ({ projectId, testset, id, onClose }: OpenedProps) => {
  const testcase = useQuery(asWritten.apiQuery('getTestcase', id));
  return testcase.data && <TestcasePanel {...{ projectId, testset, onClose }} testcase={testcase.data} />;
};

type FoundProps = {
  projectId: string;
  testset: Testset;
  found: TestsetExamination;
  onOpen: (id: string) => void;
};

const Found = ({ projectId, testset, found, onOpen }: FoundProps) => {
  const { metricName, runs, numVersions, numRecords, kinds, comparison } = found;
  if (metricName === null && found.findings.length === 0)
    return (
      <Empty title="Nothing to examine yet">
        An examination reads what runs answered to these testcases. Start a run of this testset and score it.
      </Empty>
    );
  const suspicious = kinds.filter(({ numTestcases }) => numTestcases > 0);
  const notExamined = kinds.filter(({ reason }) => reason !== null);
  return (
    <>
      {metricName !== null && (
        <p className="mb-2 max-w-prose">
          Read from {countOf(numRecords, 'record')} of {countOf(runs.length, 'run')} and{' '}
          {countOf(numVersions, 'version')}, by <bdi>{metricName}</bdi>.
        </p>
      )}
      {comparison && <Repeated projectId={projectId} comparison={comparison} />}
      {suspicious.length === 0 && <p className="mb-4">No testcase is suspicious.</p>}
      {suspicious.map((kind) => (
        <Findings
          key={kind.kind}
          {...{ projectId, testset, kind, onOpen }}
          assumption={kind.kind === 'wrongKey' ? found.assumption : null}
          findings={found.findings.filter((finding) => finding.kind === kind.kind)}
        />
      ))}
      {notExamined.length + found.leftOut.length > 0 && (
        <Section title="Not examined">
          <ul className="list-disc pl-4 text-soft">
            {found.leftOut.map((line) => (
              <li key={line}>{sentenceOf(line)}</li>
            ))}
            {notExamined.map(({ kind, reason }) => (
              <li key={kind}>
                <span className="font-medium">{kindNames[kind]}</span> – {reason}.
              </li>
            ))}
          </ul>
        </Section>
      )}
      <TestsetCard {...{ projectId, found }} testsetId={testset.id} />
    </>
  );
};

type RepeatedProps = { projectId: string; comparison: NonNullable<TestsetExamination['comparison']> };

const Repeated = ({ projectId, comparison: { before, after, changed, sentence } }: RepeatedProps) => (
  <p className="mb-4 flex max-w-prose flex-wrap items-center gap-x-2">
    <Badge tone={changed ? 'warn' : 'pass'}>{changed ? 'Verdict changes' : 'Verdict unchanged'}</Badge>
    <span>{sentenceOf(sentence)}</span>
    <TextLink {...paths.compare(projectId, [before, after])}>
      Compare runs {before} and {after}
    </TextLink>
  </p>
);

type FindingsProps = {
  projectId: string;
  testset: Testset;
  kind: Kind;
  assumption: string | null;
  findings: readonly Finding[];
  onOpen: (id: string) => void;
};

const Findings = ({ projectId, testset, kind, assumption, findings, onOpen }: FindingsProps) => (
  <Section
    title={
      <>
        {kindNames[kind.kind]} <span className="text-soft">{countText(kind.numTestcases)}</span>
      </>
    }
  >
    <p className="mb-2 max-w-prose text-soft">
      {kind.meaning}
      {assumption && ` Assumed: ${assumption}.`}
    </p>
    <Table label={kindNames[kind.kind]} head={['Testcase', 'Evidence', '']} cards="onPhone">
      {findings.map((finding) => (
        <tr key={finding.testcaseId} className="border-b align-top">
          <td className="py-1.5 pr-2 font-mono whitespace-nowrap" data-head="Testcase">
            {finding.testcaseId}
          </td>
          <td className="px-2 py-1.5" data-head="Evidence">
            <span>
              <bdi>{sentenceOf(finding.sentence)}</bdi>{' '}
              {finding.probability !== null && (
                <span className="text-soft">Probability {percentText(finding.probability)}. </span>
              )}
              {finding.otherTestcaseId}
              {finding.recordIds.map((id, i) => (
                <span key={id}>
                  {i > 0 && ', '}
                  <TextLink {...paths.record(projectId, id)}>{id}</TextLink>
                </span>
              ))}
            </span>
          </td>
          <td className="px-2 py-1 text-right whitespace-nowrap">
            <SetAside testset={testset} testcaseId={finding.testcaseId} />
            <Act {...{ projectId, testset, finding, onOpen }} />
          </td>
        </tr>
      ))}
    </Table>
    {kind.numTestcases > findings.length && (
      <p className="mt-1 text-sm text-soft">
        {countText(kind.numTestcases - findings.length)} more: ask the API with a higher limit.
      </p>
    )}
  </Section>
);

/** Sets a testcase aside, at once: its former split comes back by Undo, or by the same button. */
const SetAside = ({ testset, testcaseId }: { testset: Testset; testcaseId: string }) => {
  const may = useMay();
  const known = useQuery(apiQuery('listTestcases', testset.id, { q: `split:${aside}`, limit: 100 }));
  const isAside = known.data?.data.some(({ id }) => id === testcaseId) === true;
  const give = useMutation({
    mutationFn: (marks: Marks) => api.updateTestcaseMarks(testset.id, { ids: [testcaseId], ...marks }),
    meta: { refreshes: [keyOf('listTestcases', testset.id), keyOf('getTestsetCounts', testset.id)] },
  });
  const act = useMutation({
    mutationFn: async () => {
      const testcase = await api.getTestcase(testcaseId);
      if (isAside) return give.mutateAsync(marksBack(testcase));
      const marks = marksAside(testcase);
      await give.mutateAsync(marks);
      const undo = { split: testcase.split ?? null, removeTags: marks.addTags };
      sayUndo(`${testcaseId} is set aside.`, () => give.mutate(undo));
      return undefined;
    },
    onError: sayError,
  });
  if (!may.write) return null;
  return isAside ? (
    <Button
      look="quiet"
      aria-label={`Put back ${testcaseId}`}
      disabled={act.isPending}
      onClick={() => act.mutate()}
    >
      Put back
    </Button>
  ) : (
    <Button
      look="quiet"
      aria-label={`Set aside ${testcaseId}`}
      disabled={act.isPending || known.isPending}
      onClick={() => act.mutate()}
    >
      Set aside
    </Button>
  );
};

/** Leads to the prompt, or the judge, that has the text of the testcase. */
const OpenLeak = ({ projectId, finding }: { projectId: string; finding: Finding }) => {
  const { systemId, metricId } = finding;
  if (systemId !== null)
    return (
      <Link {...paths.system(projectId, systemId)} className={buttonClass('quiet')}>
        Open the prompt
      </Link>
    );
  if (metricId === null) return null;
  return (
    <Link {...paths.metric(projectId, metricId)} className={buttonClass('quiet')}>
      Open the judge
    </Link>
  );
};

type ActProps = { projectId: string; testset: Testset; finding: Finding; onOpen: (id: string) => void };

/** The one thing to do about a finding. A number is corrected, and a twin deleted, after a question; all else is done in the testcase. */
const Act = ({ projectId, testset, finding, onOpen }: ActProps) => {
  const may = useMay();
  const [isAsking, setAsking] = useState(false);
  const { kind, testcaseId, proposal, otherTestcaseId } = finding;
  const [field, ...others] = testset.fieldMapping.expected;
  const isNumber = proposal !== null && proposal !== '' && Number.isFinite(Number(proposal));
  const mayCorrect =
    may.write && kind === 'wrongKey' && isNumber && field !== undefined && others.length === 0;
  const refreshes = [keyOf('examineTestset', testset.id), keyOf('listTestcases', testset.id)];
  const close = () => setAsking(false);
  let dialog: ReactNode = null;
  if (isAsking && mayCorrect)
    dialog = (
      <Confirm
        title={`Correct the key of ${testcaseId}?`}
        action={`Correct to ${proposal}`}
        onClose={close}
        meta={{ refreshes }}
        send={async () => {
          const now = await apiAsWritten.getTestcase(testcaseId);
          const before = now.jsonData[field];
          const value = typeof before === 'number' ? Number(proposal) : proposal;
          await apiAsWritten.updateTestcase(
            testcaseId,
            { jsonData: { ...now.jsonData, [field]: value } },
            { ifMatch: etagOf(now) },
          );
        }}
      >
        {sentenceOf(finding.sentence)} Read the records first. Earlier records keep the revision that they
        answered, and no longer count with this testcase.
      </Confirm>
    );
  else if (isAsking)
    dialog = (
      <Confirm
        title={`Delete ${testcaseId}?`}
        action="Delete testcase"
        onClose={close}
        meta={{ refreshes }}
        send={() => api.deleteTestcases({ ids: [testcaseId] })}
      >
        {sentenceOf(finding.sentence)} {otherTestcaseId} stays.
      </Confirm>
    );
  const asks = mayCorrect || (may.write && kind === 'twin');
  return (
    <>
      {asks ? (
        <Button
          aria-label={mayCorrect ? `Correct to ${proposal}: ${testcaseId}` : `Delete ${testcaseId}`}
          onClick={() => setAsking(true)}
        >
          {mayCorrect ? `Correct to ${proposal}` : 'Delete'}
        </Button>
      ) : (
        <>
          <OpenLeak projectId={projectId} finding={finding} />
          <Button aria-label={`Open ${testcaseId}`} onClick={() => onOpen(testcaseId)}>
            Open
          </Button>
        </>
      )}
      {dialog}
    </>
  );
};
