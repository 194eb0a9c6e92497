import { useInfiniteQuery, useMutation, useQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { Download } from 'lucide-react';
import { canonicalJson } from '../../../../client/src/passport/canonical-json.ts';
import { api, apiPages, apiQuery } from '../../api.ts';
import { QuietLink, TextLink } from '../../links.tsx';
import { paths } from '../../paths.ts';
import { runsQuery } from '../../resources/runs/queries.ts';
import { useMay, useNames } from '../../resources/session/me.ts';
import type { DecisionReading, RegisteredDecision, Run } from '../../types.ts';
import { Button } from '../../ui/button.tsx';
import { CopyButton } from '../../ui/copy.tsx';
import { download } from '../../ui/download.ts';
import { FactList, type FactPair } from '../../ui/fact.tsx';
import { Select } from '../../ui/field.tsx';
import { countOf, sentenceOf } from '../../ui/format.ts';
import { percentText } from '../../ui/interval.tsx';
import { Page, Section } from '../../ui/page.tsx';
import { ErrorNote, Loaded } from '../../ui/states.tsx';
import { Cell, Row, Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';

const route = getRouteApi('/app/projects/$projectId/decisions/$decisionId');

type Document = RegisteredDecision['document'];

const Registered = ({ projectId, id, document }: { projectId: string; id: string; document: Document }) => {
  const nameOf = useNames();
  const { owner, testset, baseline, metrics, minTestcases, power, level, registeredAt, registeredBy } =
    document;
  const facts: FactPair[] = [
    ['Owner', <bdi key="owner">{owner}</bdi>],
    [
      'Registered',
      <span key="at">
        <Time at={registeredAt} />
        {registeredBy !== null && ` by ${nameOf(registeredBy)}`}
      </span>,
    ],
    [
      'Testset',
      <span key="testset">
        <TextLink {...paths.testset(projectId, testset.id)}>{testset.name}</TextLink>, snapshot{' '}
        {testset.snapshot} with {countOf(testset.numTestcases, 'testcase')}
      </span>,
    ],
    [
      'Baseline',
      baseline ? (
        <TextLink key="baseline" {...paths.run(projectId, baseline.runId)}>
          Run {baseline.runId}
        </TextLink>
      ) : (
        'none'
      ),
    ],
    [
      'Planned',
      `${countOf(minTestcases, 'testcase')}, power ${percentText(power)}, level ${percentText(level)}`,
    ],
    [
      'Id',
      <span key="id" className="flex items-center gap-1">
        <code title={id}>{id.slice(0, 16)}…</code>
        <CopyButton text={id} label="Copy id" />
      </span>,
    ],
  ];
  return (
    <div className="mb-6 grid items-start gap-x-8 gap-y-6 lg:grid-cols-2">
      <div className="flex flex-col gap-4">
        <FactList facts={facts} />
        <Table label="Metrics" head={['Metric', 'Judge', 'Configuration']}>
          {metrics.map((metric) => (
            <Row key={metric.id}>
              <Cell>
                <bdi>{metric.name}</bdi>
              </Cell>
              <Cell>{metric.evalModelName ?? 'no model'}</Cell>
              <Cell className="font-mono text-sm text-soft">
                <span title={metric.hash}>{metric.hash.slice(0, 12)}</span>
              </Cell>
            </Row>
          ))}
        </Table>
      </div>
      <figure className="min-w-0">
        <figcaption className="text-sm text-soft">Rules</figcaption>
        <pre className="overflow-x-auto rounded-md border p-3 text-sm">
          {JSON.stringify(document.rules, null, 2)}
        </pre>
      </figure>
    </div>
  );
};

const Reading = ({ reading }: { reading: DecisionReading }) => {
  const nameOf = useNames();
  const { deviations, waivers, numLooks } = reading;
  return (
    <div className="mt-4 flex max-w-prose flex-col gap-3">
      <p className="font-medium">
        {deviations.length === 0 ? 'As registered.' : `${countOf(deviations.length, 'deviation')}:`}
      </p>
      {deviations.length > 0 && (
        <ul aria-label="Deviations" className="list-disc pl-4">
          {deviations.map(({ sentence }) => (
            <li key={sentence}>{sentenceOf(sentence)}</li>
          ))}
        </ul>
      )}
      <p className="text-soft">
        {countOf(numLooks, 'run')} of the testset had scores since the registration. Whether the rules of a
        gate are the registered ones, <code>dokima gate --decision</code> and the file say.
      </p>
      {waivers.map(({ reason, waivedBy, waivedAt }) => (
        <p key={waivedAt}>
          Shipped in spite of the verdict <Time at={waivedAt} />
          {waivedBy !== null && ` by ${nameOf(waivedBy)}`}: <bdi>{reason}</bdi>
        </p>
      ))}
    </div>
  );
};

type RunProps = { projectId: string; decisionId: string; run: Run };

/** A run held against the decision, and the file that anyone can verify. */
const Judged = ({ projectId, decisionId, run }: RunProps) => {
  const may = useMay();
  const reading = useQuery(apiQuery('readDecision', projectId, decisionId, { runId: run.id }));
  const write = useMutation({
    mutationFn: () => api.exportDecision(projectId, decisionId, { runId: run.id }),
    onSuccess: (file) =>
      download(`decision-run-${run.id}.json`, [`${canonicalJson(file)}\n`], 'application/json'),
  });
  return (
    <>
      <Loaded query={reading} lines={4}>
        {(found) => <Reading reading={found} />}
      </Loaded>
      {may.write && (
        <div className="mt-4 flex flex-wrap items-center gap-3">
          <Button onClick={() => write.mutate()} disabled={write.isPending}>
            <Download size={14} /> Export signed file
          </Button>
          <p className="text-soft">
            Anyone can check it without an account: <code>dokima verify</code>
          </p>
        </div>
      )}
      {write.error && <ErrorNote error={write.error} />}
    </>
  );
};

const Runs = ({
  projectId,
  decisionId,
  document,
}: {
  projectId: string;
  decisionId: string;
  document: Document;
}) => {
  const { run: asked } = route.useSearch();
  const navigate = useNavigate();
  const runs = useInfiniteQuery(runsQuery(projectId));
  const list = runs.data?.pages.flatMap(({ data }) => data) ?? [];
  const own = list.filter(
    ({ id, testsetId }) => testsetId === document.testset.id && id !== document.baseline?.runId,
  );
  const run = own.find(({ id }) => id === asked) ?? own[0];
  if (runs.isSuccess && !run)
    return (
      <p className="text-soft">
        No run of this testset yet. Start one, then decide:{' '}
        <code>dokima gate RUN --decision {decisionId.slice(0, 12)}…</code>
      </p>
    );
  return (
    run && (
      <>
        <div className="max-w-md">
          <Select
            label="Run"
            value={run.id}
            options={own.map(({ id, numRecords }) => ({
              value: id,
              label: `Run ${id} · ${countOf(numRecords, 'record')}`,
            }))}
            onChange={(id) => void navigate({ ...paths.decision(projectId, decisionId, id), replace: true })}
          />
        </div>
        <Judged key={run.id} {...{ projectId, decisionId, run }} />
      </>
    )
  );
};

/** The looks at the testset since the registration: each verdict that left the service. */
const Looks = ({ document }: { document: Document }) => {
  const nameOf = useNames();
  const looks = useInfiniteQuery(apiPages('listLooks', document.testset.id, {}));
  const since = (looks.data?.pages.flatMap(({ data }) => data) ?? []).filter(
    ({ at }) => Date.parse(at) >= Date.parse(document.registeredAt),
  );
  return (
    <Section title="Looks at the testset since then">
      {looks.error && <ErrorNote error={looks.error} />}
      {looks.isSuccess && since.length === 0 && <p className="text-soft">None yet.</p>}
      {since.length > 0 && (
        <Table label="Looks" head={['Look', 'Run', 'Against', 'Asked by', 'Verdict']}>
          {since.map(({ number, kind, runId, baselineRunIds, metrics, userId, at }) => (
            <Row key={number}>
              <Cell className="tabular-nums">
                {number} <span className="text-soft">{kind}</span>
              </Cell>
              <Cell>{runId}</Cell>
              <Cell>{baselineRunIds.join(', ') || 'none'}</Cell>
              <Cell>
                {userId === null ? 'a reader' : nameOf(userId)} <Time at={at} />
              </Cell>
              <Cell>
                {metrics
                  .flatMap(({ metricName, verdict }) => (verdict ? `${metricName}: ${verdict}` : []))
                  .join(', ')}
              </Cell>
            </Row>
          ))}
        </Table>
      )}
    </Section>
  );
};

/** A registered decision: what was asked, by which rules, how runs depart from it, and its file. */
export const DecisionPage = () => {
  const { projectId, decisionId } = route.useParams();
  const decision = useQuery(apiQuery('getDecision', projectId, decisionId));
  return (
    <Page
      crumbs={<QuietLink {...paths.decisions(projectId)}>Registered decisions</QuietLink>}
      title={decision.data ? <bdi>{decision.data.document.question}</bdi> : 'Decision'}
    >
      <Loaded query={decision} lines={10}>
        {({ id, document }) => (
          <>
            <Registered projectId={projectId} id={id} document={document} />
            <Section title="Held against a run">
              <Runs projectId={projectId} decisionId={id} document={document} />
            </Section>
            <Looks document={document} />
          </>
        )}
      </Loaded>
    </Page>
  );
};
