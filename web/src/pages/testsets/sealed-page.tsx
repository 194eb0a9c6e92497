import { useMutation, useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { api, apiQuery, keyOf } from '../../api.ts';
import { QuietLink, TextLink } from '../../links.tsx';
import { paths } from '../../paths.ts';
import { useMay, useNames } from '../../resources/session/me.ts';
import { nameOfVersion, systemsQuery } from '../../resources/systems/queries.ts';
import type { Seal, SealedLook } from '../../types.ts';
import { Badge, type Tone } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { FactList, type FactPair } from '../../ui/fact.tsx';
import { countText } from '../../ui/format.ts';
import { Page, Section } from '../../ui/page.tsx';
import { Empty, ErrorNote, Loaded } from '../../ui/states.tsx';
import { Cell, Row, Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { sayError } from '../../ui/toast.tsx';
import { LookDialog, SealDialog } from './seal-dialog.tsx';

const route = getRouteApi('/app/projects/$projectId/testsets/$testsetId/sealed');

/** A look is answered when its calls and scores are made; the page asks, because no event tells it. */
const everyMs = 2_000;

/** Sealed splits of a testset, with their budgets and the answers of their looks. */
export const SealedPage = () => {
  const { projectId, testsetId } = route.useParams();
  const { data: testset } = useSuspenseQuery(apiQuery('getTestset', testsetId));
  const seals = useQuery(apiQuery('listSeals', testsetId));
  const [isSealing, setSealing] = useState(false);
  const may = useMay();
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
      title="Sealed splits"
      actions={may.write && <Button onClick={() => setSealing(true)}>Seal testcases</Button>}
    >
      <p className="mb-4 max-w-prose">
        Versions that are chosen by their results on testcases fit these testcases. A sealed split keeps some
        that no member, admin or agent reads. A look is the only question: the service calls a version with
        them, and answers pass, worse or not enough.
      </p>
      <Loaded query={seals} lines={5}>
        {({ data }) =>
          data.length === 0 ? (
            <Empty title="No sealed splits">
              Seal testcases that no run has had yet, and look at them before a release.
            </Empty>
          ) : (
            data.map((seal) => <SealSection key={seal.id} {...{ projectId, seal }} />)
          )
        }
      </Loaded>
      {isSealing && <SealDialog {...{ projectId, testsetId }} onClose={() => setSealing(false)} />}
    </Page>
  );
};

const differenceText = (difference: number): string =>
  `${difference < 0 ? '−' : '+'}${Number(Math.abs(difference).toPrecision(3))}`;

const factsOf = (seal: Seal): FactPair[] => [
  ['Testcases', countText(seal.numTestcases)],
  ['Of them in runs before', countText(seal.numSeen)],
  ['Looks', `${countText(seal.numLooks)} of ${countText(seal.maxLooks)}`],
  ...seal.metrics.map(
    ({ metricName, difference }): FactPair => [
      `${metricName}, best until now`,
      `${differenceText(difference)} from the baseline`,
    ],
  ),
  ...(seal.openedProjectId === null
    ? []
    : [
        [
          'Runs of its looks',
          <TextLink key="runs" {...paths.runs(seal.openedProjectId)}>
            Project {seal.openedProjectId}
          </TextLink>,
        ] satisfies FactPair,
      ]),
];

const SealSection = ({ projectId, seal }: { projectId: string; seal: Seal }) => {
  const [isLooking, setLooking] = useState(false);
  const may = useMay();
  const open = useMutation({
    mutationFn: () => api.openSeal(seal.id),
    meta: { refreshes: [keyOf('listSeals', seal.testsetId), keyOf('listTestcases', seal.testsetId)] },
    onError: sayError,
  });
  return (
    <Section title={seal.sentence}>
      <FactList facts={factsOf(seal)} />
      {may.write && seal.state === 'sealed' && (
        <p className="my-3 flex gap-2">
          {seal.numLooks < seal.maxLooks && (
            <Button look="primary" onClick={() => setLooking(true)}>
              Look at a version
            </Button>
          )}
          <Button disabled={open.isPending} onClick={() => open.mutate()}>
            {seal.numLooks === 0 ? 'Undo' : 'Open now'}
          </Button>
        </p>
      )}
      {seal.numLooks > 0 && <Looks {...{ projectId, seal }} />}
      {isLooking && <LookDialog {...{ projectId, seal }} onClose={() => setLooking(false)} />}
    </Section>
  );
};

const tones: Record<NonNullable<SealedLook['answer']>, Tone> = {
  pass: 'pass',
  worse: 'fail',
  'not enough': 'neutral',
};

const Looks = ({ projectId, seal }: { projectId: string; seal: Seal }) => {
  const looks = useQuery({
    ...apiQuery('listSealedLooks', seal.id, { limit: 100 }),
    refetchInterval: ({ state }) =>
      state.data?.data.some(({ answer }) => answer === null) ? everyMs : false,
  });
  const { data: systems = [] } = useQuery(systemsQuery(projectId));
  const nameOf = useNames();
  const versionOf = (id: string): string => {
    const system = systems.find(({ versions }) => versions.some((version) => version.id === id));
    const version = system?.versions.find((version) => version.id === id);
    return system && version ? `${system.name}, ${nameOfVersion(version)}` : id.slice(-8);
  };
  if (looks.error) return <ErrorNote error={looks.error} />;
  return (
    <Table
      label="Looks"
      head={['Look', 'Version', 'Answer', 'Best until then', 'Asked by', 'At']}
      cards="onPhone"
    >
      {(looks.data?.data ?? []).map((look) => (
        <Row key={look.number}>
          <Cell className="tabular-nums" data-head="Look">
            {look.number}
          </Cell>
          <Cell data-head="Version">
            <bdi>{versionOf(look.systemVersionId)}</bdi>
          </Cell>
          <Cell data-head="Answer">
            {look.answer === null ? (
              <span className="text-soft">is called and scored</span>
            ) : (
              <Badge tone={tones[look.answer]}>{look.answer}</Badge>
            )}{' '}
            {look.reason && <span className="text-soft">{look.reason}</span>}
          </Cell>
          <Cell data-head="Best until then">
            {look.metrics.map(({ metricId, metricName, difference, improved }) => (
              <span key={metricId} className="mr-2">
                <bdi>{metricName}</bdi> {differenceText(difference)}
                {improved && ' by this version'}
              </span>
            ))}
          </Cell>
          <Cell data-head="Asked by">{nameOf(look.userId)}</Cell>
          <Cell data-head="At">
            <Time at={look.createdAt} />
          </Cell>
        </Row>
      ))}
    </Table>
  );
};
