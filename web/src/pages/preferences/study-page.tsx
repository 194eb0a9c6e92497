import { useQueries, useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { Trash2 } from 'lucide-react';
import { useState } from 'react';
import { api, apiQuery, keyOf } from '../../api.ts';
import { QuietLink } from '../../links.tsx';
import { paths } from '../../paths.ts';
import { useOwnProject } from '../../resources/projects/own-project.ts';
import { useMay } from '../../resources/session/me.ts';
import type { PreferenceResult, PreferenceStudy } from '../../types.ts';
import { Button, buttonClass } from '../../ui/button.tsx';
import { Confirm } from '../../ui/dialog.tsx';
import { countOf, countText } from '../../ui/format.ts';
import { Interval, percentText } from '../../ui/interval.tsx';
import { Page, Section } from '../../ui/page.tsx';
import { Loaded } from '../../ui/states.tsx';
import { Cell, Row, Table } from '../../ui/table.tsx';
import { PreferenceDisagreements } from './disagreements.tsx';
import { JudgeProgress } from './judge-progress.tsx';

const route = getRouteApi('/app/projects/$projectId/preferences/$preferenceStudyId');

type Ranking = NonNullable<PreferenceResult['people']>;

type RankingProps = {
  projectId: string;
  title: string;
  ranking: Ranking;
  titleOf: (runId: string) => string;
};

const placeText = ({ best, worst }: { best: number; worst: number }) =>
  best === worst ? `${best}` : `${best}–${worst}`;

/** The runs with the share that each wins, and every two runs side by side. */
const RankingSection = ({ projectId, title, ranking, titleOf }: RankingProps) => (
  <Section title={title}>
    {ranking.runs ? (
      <Table label={title} head={['Run', 'Preferred, 95 % interval', 'Place']}>
        {ranking.runs.map(({ runId, winRate, interval, rank }) => (
          <Row key={runId}>
            <Cell className="max-w-72 truncate">
              <QuietLink {...paths.run(projectId, runId)} className="font-medium">
                <bdi title={titleOf(runId)}>{titleOf(runId)}</bdi>
              </QuietLink>
            </Cell>
            <Cell>
              <Interval of={{ estimate: winRate, interval, n: ranking.numUnits }} />
            </Cell>
            <Cell>{placeText(rank)}</Cell>
          </Row>
        ))}
      </Table>
    ) : (
      <p className="text-soft">No ranking yet: {ranking.reason}.</p>
    )}
    <ul className="mt-2 text-sm">
      {ranking.pairs
        .filter(({ wins, ties, losses }) => wins + ties + losses > 0)
        .map(({ firstRunId, secondRunId, wins, ties, losses, expected, apart, sentence }) => (
          <li key={`${firstRunId} ${secondRunId}`}>
            Run {firstRunId} against run {secondRunId}: {countText(wins)} won, {countText(ties)} tied,{' '}
            {countText(losses)} lost
            {ranking.pairs.length > 1 && expected && (
              <>
                , preferred{' '}
                <Interval
                  of={{ estimate: expected.winRate, interval: expected.interval, n: ranking.numUnits }}
                  bar={false}
                />
              </>
            )}
            .{' '}
            <span className={apart ? 'font-medium' : 'text-soft'}>
              {apart ? 'They differ.' : 'Not shown to differ.'}
            </span>
            {sentence && <span className="font-medium"> But {sentence}.</span>}
          </li>
        ))}
    </ul>
    {ranking.runs && ranking.pairs.length > 1 && (
      <p className="mt-1 text-sm text-soft">
        Tests of all {countText(ranking.pairs.length)} comparisons together (Holm) decide whether two runs
        differ. So two runs can be “not shown to differ” although their own interval excludes 50 %.
      </p>
    )}
    {ranking.fit?.fits && (
      <p className="mt-1 text-sm text-soft first-letter:uppercase">{ranking.fit.sentence}.</p>
    )}
    {ranking.warnings.map((warning) => (
      <p key={warning} className="mt-1 text-sm text-soft first-letter:uppercase">
        {warning}.
      </p>
    ))}
  </Section>
);

/** Who is preferred, by people and by the model, and how far the two agree. */
const Result = ({
  projectId,
  result,
  study: { id, runIds, judge: progress },
}: {
  projectId: string;
  result: PreferenceResult;
  study: PreferenceStudy;
}) => {
  const runs = useQueries({ queries: runIds.map((id) => apiQuery('getRunDetails', id)) });
  const titleOf = (runId: string) => runs[runIds.indexOf(runId)]?.data?.title ?? `Run ${runId}`;
  const { people, judge, agreement } = result;
  const common = { projectId, titleOf };
  return (
    <>
      {people && <RankingSection {...common} title="By people" ranking={people} />}
      {judge && <RankingSection {...common} title="By the model" ranking={judge} />}
      {judge && (
        <p className="-mt-4 mb-6 text-sm text-soft">
          On {percentText(judge.position.estimate)} of the pairs the model’s verdict followed the order of the
          outputs: these count as ties.
        </p>
      )}
      {agreement && (
        <Section title="Model and people">
          <p>
            Same verdict: <Interval of={agreement.same} bar={false} />
          </p>
          <p className="mt-1 text-sm text-soft">
            On {countOf(agreement.numPairs, 'pair')} that both compared; {countText(agreement.opposite)} with
            opposite preferences.
          </p>
        </Section>
      )}
      {!people && !judge && <p className="mt-3 text-soft">Nothing has been compared yet.</p>}
      {people && <PreferenceDisagreements {...common} studyId={id} version={progress?.scored} />}
      {(people || judge) && (
        <p className="mt-3 text-sm text-soft">
          A tie counts as half a win. Places are those that the tests do not rule out.
        </p>
      )}
    </>
  );
};

export const StudyPage = () => {
  const { projectId, preferenceStudyId: id } = route.useParams();
  const may = useMay();
  const navigate = useNavigate();
  const [isDeleting, setDeleting] = useState(false);
  const study = useQuery({
    ...apiQuery('getPreferenceStudy', id),
    refetchInterval: ({ state: { data } }) =>
      data?.judge && data.judge.pending > 0 && !data.judge.stopped ? 2_000 : false,
  });
  useOwnProject(projectId, study.data?.projectId);
  const { judge } = study.data ?? {};
  // Read again as the model goes on.
  const result = useQuery({
    ...apiQuery('getPreferenceResult', id, {}),
    queryKey: [...apiQuery('getPreferenceResult', id, {}).queryKey, judge?.scored],
    placeholderData: (before) => before,
    enabled: study.isSuccess,
  });
  return (
    <Page
      crumbs={<QuietLink {...paths.preferences(projectId)}>Side by side</QuietLink>}
      title={study.data?.name || 'Which is better?'}
      actions={
        <>
          {may.review && (
            <Link {...paths.prefer(projectId, id)} className={buttonClass('primary')}>
              Compare pairs
            </Link>
          )}
          {may.write && (
            <Button onClick={() => setDeleting(true)}>
              <Trash2 size={14} aria-hidden /> Delete
            </Button>
          )}
        </>
      }
    >
      <Loaded query={study} lines={6}>
        {(data) => (
          <>
            <StudyFacts study={data} />
            {data.judge && <JudgeProgress study={data} judge={data.judge} />}
            <div className="mt-4">
              <Loaded query={result} lines={6}>
                {(given) => <Result projectId={projectId} result={given} study={data} />}
              </Loaded>
            </div>
          </>
        )}
      </Loaded>
      {isDeleting && (
        <Confirm
          onClose={() => setDeleting(false)}
          title="Delete this comparison?"
          action="Delete comparison"
          send={() => api.deletePreferenceStudy(id)}
          meta={{ refreshes: [keyOf('listPreferenceStudies', projectId)] }}
          onDone={() => void navigate(paths.preferences(projectId))}
        >
          The votes of people and of the model are deleted. The runs stay.
        </Confirm>
      )}
    </Page>
  );
};

/** The question, and how much was compared. */
const StudyFacts = ({ study }: { study: PreferenceStudy }) => (
  <>
    <p className="max-w-prose">
      <bdi>{study.criterion}</bdi>
    </p>
    <p className="mt-1 text-soft">
      {countText(study.people.numPairs)} of {countOf(study.numPairs, 'pair')} judged by people,{' '}
      {countText(study.people.numOwn)} by you. {countOf(study.numTestcases, 'testcase')}.
    </p>
  </>
);
