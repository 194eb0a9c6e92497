import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { Columns3, FlaskConical, Trash2 } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { api, apiQuery, keyOf } from '../../api.ts';
import { QuietLink } from '../../links.tsx';
import { paths } from '../../paths.ts';
import { useMay } from '../../resources/session/me.ts';
import { Labels, Promote } from '../../resources/systems/labels.tsx';
import { canBeCalled, configText, isPrompt, kindOf } from '../../resources/systems/prompt-draft.ts';
import { nameOfVersion, systemsQuery, versionsQuery } from '../../resources/systems/queries.ts';
import { RunDialog } from '../../resources/systems/run-dialog.tsx';
import type { SystemVersionDetails } from '../../types.ts';
import { Button, buttonClass, IconButton } from '../../ui/button.tsx';
import { CodeBlock } from '../../ui/copy.tsx';
import { Confirm } from '../../ui/dialog.tsx';
import { FactList, type FactPair } from '../../ui/fact.tsx';
import { Select } from '../../ui/field.tsx';
import { Page, Section } from '../../ui/page.tsx';
import { ErrorNote, Loaded, Skeleton } from '../../ui/states.tsx';
import { Term } from '../../ui/term.tsx';
import { Time } from '../../ui/time.tsx';

const route = getRouteApi('/app/projects/$projectId/systems/$systemId');
const TextDiff = lazy(() => import('../../ui/text-diff.tsx'));

/** How a program fetches the version. */
const fetchText = (
  projectId: string,
  { systemName, variables, config }: SystemVersionDetails,
  label: string,
): string => {
  const use = isPrompt(config)
    ? `const messages = prompt.render({ ${variables.join(', ')} });`
    : 'const { config } = prompt;';
  return `import { openPrompts } from '@dokima/client';

const prompts = openPrompts({ baseUrl: process.env.DOKIMA_URL!, apiKey: process.env.DOKIMA_API_KEY! });
const prompt = await prompts.get('${projectId}', ${JSON.stringify(systemName)}, ${JSON.stringify(label)});
${use}`;
};

const Configuration = ({
  version,
  versions,
}: {
  version: SystemVersionDetails;
  versions: readonly SystemVersionDetails[];
}) => {
  const [againstId, setAgainst] = useState('');
  const against = versions.find(({ id }) => id === againstId);
  const text = configText(version.config) || 'The configuration is empty.';
  return (
    <Section title="Configuration">
      {versions.length > 1 && (
        <div className="mb-3 max-w-96">
          <Select
            label="Compare with"
            value={againstId}
            onChange={setAgainst}
            options={[
              { value: '', label: 'No other version' },
              ...versions
                .filter(({ id }) => id !== version.id)
                .map((each) => ({
                  value: each.id,
                  label: [nameOfVersion(each), ...each.labels].join(' · '),
                })),
            ]}
          />
        </div>
      )}
      <div className="rounded-md border bg-sunken p-3 font-mono text-sm break-words whitespace-pre-wrap">
        {against && against.id !== version.id ? (
          <Suspense fallback={text}>
            <TextDiff before={configText(against.config)} after={text} />
          </Suspense>
        ) : (
          text
        )}
      </div>
      {against && against.id !== version.id && (
        <p className="mt-2 text-sm text-soft">
          Underlined: only in {nameOfVersion(version)}. Struck through: only in {nameOfVersion(against)}.
        </p>
      )}
    </Section>
  );
};

type VersionProps = {
  projectId: string;
  version: SystemVersionDetails;
  versions: readonly SystemVersionDetails[];
  mayWrite: boolean;
};

const Version = ({ projectId, version, versions, mayWrite }: VersionProps) => {
  const [isRunning, setRunning] = useState(false);
  const { id, systemName, labels, config } = version;
  const label = labels.find((each) => each !== 'latest') ?? 'latest';
  return (
    <div className="min-w-0">
      <div className="mb-4 flex flex-wrap items-center gap-2">
        <h2 className="mr-auto min-w-0 truncate text-lg font-semibold">
          <bdi>{nameOfVersion(version)}</bdi>
        </h2>
        {canBeCalled(config) && mayWrite && (
          <>
            <Link {...paths.playground(projectId, [id])} className={buttonClass('plain')}>
              <Columns3 size={14} aria-hidden /> Open in playground
            </Link>
            <Button onClick={() => setRunning(true)}>
              <FlaskConical size={14} aria-hidden /> Run on a testset
            </Button>
          </>
        )}
        {mayWrite && <Promote {...{ projectId, version, versions }} />}
      </div>
      <div className="mb-6">
        <VersionFacts projectId={projectId} version={version} mayWrite={mayWrite} />
      </div>
      <Configuration version={version} versions={versions} />
      <Section title="Fetch it">
        <CodeBlock text={fetchText(projectId, version, label)} label="Copy the code" />
        <p className="mt-2 text-sm text-soft">
          The client keeps the version and asks again in the background, so a moved label arrives within a
          minute.
        </p>
      </Section>
      {isRunning && (
        <RunDialog
          projectId={projectId}
          versions={[{ id, name: `${systemName}: ${nameOfVersion(version)}` }]}
          onClose={() => setRunning(false)}
        />
      )}
    </div>
  );
};

/** A system: its versions, what differs between two, and where its labels point. */
export const SystemPage = () => {
  const { projectId, systemId } = route.useParams();
  const system = useQuery(apiQuery('getSystem', systemId));
  const versions = useQuery(versionsQuery(systemId));
  const { write } = useMay();
  const [chosenId, setChosen] = useState('');
  const [isDeleting, setDeleting] = useState(false);
  const navigate = useNavigate();
  return (
    <Page
      crumbs={<QuietLink {...paths.systems(projectId)}>Prompts</QuietLink>}
      title={<bdi>{system.data?.name ?? '\u00a0'}</bdi>}
      actions={
        write &&
        system.data && (
          <IconButton icon={Trash2} label={`Delete ${system.data.name}`} onClick={() => setDeleting(true)} />
        )
      }
    >
      {system.error && <ErrorNote error={system.error} />}
      {system.data?.description && <p className="mb-3 max-w-3xl text-soft">{system.data.description}</p>}
      {versions.isPending && <Skeleton lines={6} />}
      <Loaded query={versions} lines={0}>
        {(list) => {
          const chosen = list.find(({ id }) => id === chosenId) ?? list[0];
          return (
            <div className="grid items-start gap-x-6 gap-y-4 md:grid-cols-[260px_minmax(0,1fr)]">
              <VersionList versions={list} chosenId={chosen?.id} onChoose={setChosen} />
              {chosen && (
                <Version
                  key={chosen.id}
                  projectId={projectId}
                  version={chosen}
                  versions={list}
                  mayWrite={write}
                />
              )}
            </div>
          );
        }}
      </Loaded>
      {isDeleting && system.data && (
        <Confirm
          onClose={() => setDeleting(false)}
          title={`Delete ${system.data.name}?`}
          action="Delete system"
          send={() => api.deleteSystem(systemId)}
          meta={{ refreshes: [systemsQuery(projectId).queryKey, keyOf('getSystem', systemId)] }}
          onDone={() => navigate(paths.systems(projectId))}
        >
          Clients that fetch it by a label then get 404. Runs that used it keep its versions.
        </Confirm>
      )}
    </Page>
  );
};

type VersionListProps = {
  versions: readonly SystemVersionDetails[];
  chosenId: string | undefined;
  onChoose: (id: string) => void;
};

const VersionList = ({ versions, chosenId, onChoose }: VersionListProps) => (
  <div>
    <p id="versions" className="mb-1 text-sm text-soft">
      <Term of="system version">Versions</Term>
    </p>
    <ul aria-labelledby="versions" className="flex max-h-[70vh] flex-col gap-1 overflow-auto max-md:max-h-48">
      {versions.map((version) => (
        <li key={version.id}>
          <button
            type="button"
            aria-pressed={version.id === chosenId}
            onClick={() => onChoose(version.id)}
            className="w-full rounded-md border border-transparent px-2 py-1.5 text-left hover:bg-hover aria-pressed:border-line aria-pressed:bg-selected"
          >
            <span className="flex flex-wrap items-center gap-1">
              <bdi className="mr-auto min-w-0 truncate font-medium">{nameOfVersion(version)}</bdi>
              {version.labels.map((label) => (
                <span key={label} className="text-sm text-soft">
                  {label}
                </span>
              ))}
            </span>
            {version.note && <span className="block truncate text-sm text-soft">{version.note}</span>}
          </button>
        </li>
      ))}
    </ul>
  </div>
);

type VersionFactsProps = { projectId: string; version: SystemVersionDetails; mayWrite: boolean };

const VersionFacts = ({ projectId, version, mayWrite }: VersionFactsProps) => {
  const { note, labels, variables, createdAt, config } = version;
  return (
    <FactList
      facts={[
        [
          'Labels',
          labels.length > 0 ? (
            <span key="labels" className="flex flex-wrap gap-1">
              <Labels projectId={projectId} version={version} mayWrite={mayWrite} />
            </span>
          ) : (
            'none'
          ),
        ],
        ['Created', <Time key="time" at={createdAt} />],
        ['What it is', kindOf(config)],
        ...(variables.length > 0 ? [['Variables', variables.join(', ')] as FactPair] : []),
        ...(note ? [['Note', note] as FactPair] : []),
      ]}
    />
  );
};
