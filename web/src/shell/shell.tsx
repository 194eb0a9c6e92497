import { useQuery } from '@tanstack/react-query';
import { type ErrorComponentProps, Outlet, useMatches, useParams } from '@tanstack/react-router';
import { ChevronsUpDown, MessageCircleQuestionMark, Search } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { DokimaError } from '../../../client/src/errors.ts';
import { TextLink } from '../links.tsx';
import { useLive } from '../live.ts';
import { paths } from '../paths.ts';
import { lastProject } from '../resources/projects/last-project.ts';
import { accessQuery, useMay, useMe } from '../resources/session/me.ts';
import { Avatar, Kbd } from '../ui/badge.tsx';
import { Button, IconButton } from '../ui/button.tsx';
import { heardElsewhere, modKey, useKeys } from '../ui/keys.ts';
import { BesideContext, HelpContext, Page, TitleContext } from '../ui/page.tsx';
import { Empty, ErrorNote } from '../ui/states.tsx';
import { GuideContext } from '../ui/term.tsx';
import { useBeside } from './beside.tsx';
import { ConnectionBanner } from './connection-banner.tsx';
import { HelpLink } from './help-link.tsx';
import { MenuOnDemand } from './menu-on-demand.tsx';
import { BottomBar, navItem, ProjectLinks } from './navigation.tsx';
import { type Need, needOf } from './needs.ts';

const projectMenu = () => import('./project-menu.tsx');
const personMenu = () => import('./person-menu.tsx');

const AskPanel = lazy(() => import('./ask-panel.tsx'));
const GuidePanel = lazy(() => import('./guide-panel.tsx'));
const Palette = lazy(() => import('./palette.tsx'));
const ShortcutsSheet = lazy(() => import('./shortcuts-sheet.tsx'));

const ProjectSwitcher = ({ projectId }: { projectId: string | undefined }) => {
  const { data: current, isLoading } = useQuery(accessQuery(projectId));
  const unknown = isLoading ? '' : 'Choose a project';
  return (
    <MenuOnDemand
      load={projectMenu}
      trigger={
        <button
          type="button"
          className="flex h-8 w-full shrink-0 items-center gap-2 rounded-md border bg-surface px-2 text-left font-medium hover:bg-hover"
        >
          <span className="sr-only">Project:</span>
          <span className="min-w-0 flex-1 truncate">
            {current ? current.projectName || 'Untitled' : unknown}
          </span>
          <ChevronsUpDown size={14} className="text-soft" aria-hidden />
        </button>
      }
    />
  );
};

const PersonMenu = ({ onKeys }: { onKeys: () => void }) => {
  const { user } = useMe();
  return (
    <MenuOnDemand
      load={personMenu}
      onKeys={onKeys}
      trigger={
        <button
          type="button"
          className="flex h-8 w-full shrink-0 items-center gap-2 rounded-md px-2 text-left hover:bg-hover"
        >
          <Avatar name={user.name} />
          <span className="sr-only">You:</span>
          <span className="min-w-0 flex-1 truncate">{user.name}</span>
        </button>
      }
    />
  );
};

type SidebarProps = {
  projectId: string | undefined;
  onPalette: () => void;
  onKeys: () => void;
  onAsk: () => void;
};

const Sidebar = ({ projectId, onPalette, onKeys, onAsk }: SidebarProps) => {
  const may = useMay();
  return (
    <aside className="flex w-52 shrink-0 flex-col gap-3 border-r bg-page p-2 max-md:hidden print:hidden">
      <ProjectSwitcher projectId={projectId} />
      <button
        type="button"
        onClick={onPalette}
        className="flex h-7 shrink-0 items-center gap-2 rounded-md border bg-surface px-2 text-soft hover:text-ink"
      >
        <Search size={14} aria-hidden />
        <span className="flex-1 text-left">Go to…</span>
        <Kbd>{modKey}</Kbd>
        <Kbd>K</Kbd>
      </button>
      {projectId && may.write && (
        <button type="button" onClick={onAsk} className={`${navItem} -mt-2`}>
          <MessageCircleQuestionMark size={14} aria-hidden /> Ask about this project
        </button>
      )}
      {/* On a low screen this part scrolls: squeezed, each button would grow when its text comes. */}
      <nav aria-label="Main" className="-mx-1 flex min-h-0 flex-1 flex-col gap-0.5 overflow-y-auto px-1">
        {projectId && <ProjectLinks projectId={projectId} />}
      </nav>
      <PersonMenu onKeys={onKeys} />
    </aside>
  );
};

/** The project of the page; on pages without one, the project that was open last. */
const useCurrentProject = (): string | undefined => {
  const { projectId } = useParams({ strict: false });
  const last = projectId ?? lastProject.get() ?? undefined;
  const { isSuccess } = useQuery(accessQuery(last));
  return projectId ?? (isSuccess ? last : undefined);
};

const help = <HelpLink />;

/** What the member lacks for the open page. The API would refuse its requests, so the page is not drawn. */
const useMissing = () => {
  const route = useMatches({ select: (matches) => matches.at(-1)?.fullPath ?? '/' });
  const may = useMay();
  const need = needOf(route);
  return need && !may[need.right] ? need : undefined;
};

const NotForYou = ({ need: { says }, projectId }: { need: Need; projectId: string | undefined }) => (
  <Page title="Not for your role">
    <Empty
      title="Not for your role"
      action={projectId && <TextLink {...paths.review(projectId)}>Go to the review queue</TextLink>}
    >
      {says}
    </Empty>
  </Page>
);

/** The open page, with what surrounds its title. */
const OpenPage = ({ projectId }: { projectId: string | undefined }) => {
  const { data: access, isLoading } = useQuery(accessQuery(projectId));
  const beside = useBeside(projectId);
  const need = useMissing();
  /** The part of the guide that is open beside the page. */
  const [place, setPlace] = useState<string>();
  return (
    <main id="main" className="relative min-h-0 flex-1 overflow-clip bg-surface print:overflow-visible">
      <TitleContext value={access?.projectName ?? ''}>
        <BesideContext value={beside}>
          <GuideContext value={setPlace}>
            <HelpContext value={help}>
              {!need && <Outlet />}
              {/* The project may give a right that the organization does not. */}
              {need && !isLoading && <NotForYou need={need} projectId={projectId} />}
            </HelpContext>
          </GuideContext>
        </BesideContext>
      </TitleContext>
      <Suspense>{place && <GuidePanel place={place} onClose={() => setPlace(undefined)} />}</Suspense>
    </main>
  );
};

export const Shell = () => {
  const ownProjectId = useParams({ strict: false }).projectId;
  useLive(ownProjectId);
  const projectId = useCurrentProject();
  const [palette, setPalette] = useState(false);
  const [keys, setKeys] = useState(false);
  /** The question with which the panel opens. */
  const [asking, setAsking] = useState<string>();
  useKeys('Everywhere', {
    'mod+k': ['Search pages and actions', () => setPalette((open) => !open)],
    '/': [
      'Search this page',
      () => {
        const search = document.querySelector<HTMLElement>('main search input');
        search?.focus();
        return search !== null;
      },
    ],
    '?': ['Keyboard shortcuts', () => setKeys(true)],
    'mod+enter': ['Save or send the text', heardElsewhere],
    Escape: ['Close, or leave a field', heardElsewhere],
  });
  return (
    <div className="flex h-full print:block">
      <a
        href="#main"
        className="sr-only z-50 rounded-md bg-surface px-3 py-1 focus:not-sr-only focus:fixed focus:top-2 focus:left-2"
      >
        Skip to content
      </a>
      <Sidebar
        projectId={projectId}
        onPalette={() => setPalette(true)}
        onKeys={() => setKeys(true)}
        onAsk={() => setAsking('')}
      />
      <div className="flex min-w-0 flex-1 flex-col print:block">
        <div className="flex items-center gap-2 border-b p-2 md:hidden print:hidden">
          <div className="min-w-0 flex-1">
            <ProjectSwitcher projectId={projectId} />
          </div>
          <IconButton
            icon={Search}
            size={16}
            label="Search pages and actions"
            onClick={() => setPalette(true)}
          />
        </div>
        <ConnectionBanner />
        <OpenPage projectId={ownProjectId} />
        <BottomBar projectId={projectId} onMore={() => setPalette(true)} />
      </div>
      <Suspense>
        {palette && (
          <Palette
            onClose={() => setPalette(false)}
            projectId={projectId}
            onKeys={() => setKeys(true)}
            onAsk={setAsking}
          />
        )}
        {projectId && asking !== undefined && (
          <AskPanel projectId={projectId} question={asking} onClose={() => setAsking(undefined)} />
        )}
        {keys && <ShortcutsSheet onClose={() => setKeys(false)} />}
      </Suspense>
    </div>
  );
};

export const NotFoundPage = () => (
  <Page title="Page not found">
    <p className="mb-4 text-soft">
      There is no page at this address. It may be mistyped, or the page may have moved.
    </p>
    <TextLink {...paths.projects()}>All projects</TextLink>
  </Page>
);

/** The page that is shown when another page fails. */
export const WrongPage = ({ error, reset }: ErrorComponentProps) => {
  const isGone = error instanceof DokimaError && error.status === 404;
  return (
    <Page title={isGone ? 'Not found' : 'Something went wrong'}>
      <div className="flex max-w-xl flex-col gap-4">
        <ErrorNote error={error instanceof Error ? error : new Error(String(error))} />
        <div className="flex gap-2">
          <Button onClick={reset}>Try again</Button>
          <TextLink {...paths.projects()} className="self-center">
            All projects
          </TextLink>
        </div>
      </div>
    </Page>
  );
};
