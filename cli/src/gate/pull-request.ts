import { readFile } from 'node:fs/promises';
import { CliError } from '../errors.ts';

type Comment = { id: number; body: string; author: string };
/** The comments of one pull request or merge request. */
type PullRequest = {
  list: (page: number) => Promise<Comment[]>;
  /** Whether this token wrote the comment. Other people's are never touched: their authors can edit them. */
  isOwn: (comment: Comment) => Promise<boolean>;
  create: (body: string) => Promise<unknown>;
  update: (id: number, body: string) => Promise<unknown>;
};

const perPage = 100;

const api =
  (root: string, headers: Record<string, string>) =>
  // biome-ignore lint/suspicious/noExplicitAny: the answers of another program
  async (method: string, path: string, body?: object): Promise<any> => {
    const response = await fetch(`${root}${path}`, {
      method,
      headers: { ...headers, 'content-type': 'application/json', 'user-agent': 'dokima-cli' },
      ...(body && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(30_000),
    });
    if (response.ok) return response.json();
    throw new CliError(
      `${method} ${root}${path} was answered with ${response.status}.`,
      'Check that the token may write comments.',
    );
  };

const numberOfGithub = async (environment: NodeJS.ProcessEnv): Promise<number | undefined> => {
  const { GITHUB_EVENT_PATH, GITHUB_REF = '' } = environment;
  const event = GITHUB_EVENT_PATH ? JSON.parse(await readFile(GITHUB_EVENT_PATH, 'utf8')) : {};
  const number = event.pull_request?.number ?? /^refs\/pull\/(\d+)\//.exec(GITHUB_REF)?.[1];
  return number === undefined ? undefined : Number(number);
};

const onGithub = async (environment: NodeJS.ProcessEnv): Promise<PullRequest | undefined> => {
  const { GITHUB_API_URL = 'https://api.github.com', GITHUB_REPOSITORY, GITHUB_TOKEN } = environment;
  const number = await numberOfGithub(environment);
  if (number === undefined) return undefined;
  if (!GITHUB_TOKEN)
    throw new CliError(
      'There is no GITHUB_TOKEN.',
      'Give the step github.token, and the job pull-requests: write.',
    );
  const ask = api(GITHUB_API_URL, {
    authorization: `Bearer ${GITHUB_TOKEN}`,
    accept: 'application/vnd.github+json',
  });
  const issue = `/repos/${GITHUB_REPOSITORY}/issues`;
  // The token of a workflow is of a bot and may not ask who it is.
  const me = ask('GET', '/user').then(
    ({ login }) => login as string,
    () => undefined,
  );
  return {
    list: async (page) => {
      const comments = await ask('GET', `${issue}/${number}/comments?per_page=${perPage}&page=${page}`);
      return comments.map(
        ({ id, body, user }: { id: number; body?: string; user?: { login: string; type: string } }) => ({
          id,
          body: body ?? '',
          author: user?.type === 'Bot' ? 'Bot' : (user?.login ?? ''),
        }),
      );
    },
    isOwn: async ({ author }) => author === ((await me) ?? 'Bot'),
    create: (body) => ask('POST', `${issue}/${number}/comments`, { body }),
    update: (id, body) => ask('PATCH', `${issue}/comments/${id}`, { body }),
  };
};

const onGitlab = (environment: NodeJS.ProcessEnv): PullRequest | undefined => {
  const { CI_API_V4_URL, CI_PROJECT_ID, CI_MERGE_REQUEST_IID, GITLAB_TOKEN } = environment;
  if (!CI_MERGE_REQUEST_IID) return undefined;
  if (!GITLAB_TOKEN)
    throw new CliError(
      'There is no GITLAB_TOKEN.',
      "Set it to a project access token with the scope api: the job's own token may not write comments.",
    );
  const ask = api(CI_API_V4_URL!, { 'private-token': GITLAB_TOKEN });
  const notes = `/projects/${CI_PROJECT_ID}/merge_requests/${CI_MERGE_REQUEST_IID}/notes`;
  // Asked when it is needed: a promise that fails before anyone waits for it ends the process.
  let me: Promise<{ id: number }> | undefined;
  return {
    list: async (page) =>
      (await ask('GET', `${notes}?per_page=${perPage}&page=${page}`)).map(
        ({ id, body, author }: { id: number; body: string; author: { id: number } }) => ({
          id,
          body,
          author: String(author.id),
        }),
      ),
    isOwn: async ({ author }) => {
      me ??= ask('GET', '/user');
      return author === String((await me).id);
    },
    create: (body) => ask('POST', notes, { body }),
    update: (id, body) => ask('PUT', `${notes}/${id}`, { body }),
  };
};

/** Returns the pull request of GitHub or the merge request of GitLab that the CI works on, or undefined. */
const pullRequestOf = async (environment: NodeJS.ProcessEnv): Promise<PullRequest | undefined> => {
  if (environment.GITHUB_ACTIONS === 'true') return onGithub(environment);
  return environment.GITLAB_CI ? onGitlab(environment) : undefined;
};

/**
 * Writes the comment with this mark, or replaces the one that is there. Returns whether there is a pull request. `compose` is called only
 * then.
 */
export const keepComment = async (
  environment: NodeJS.ProcessEnv,
  mark: string,
  compose: () => Promise<string>,
): Promise<boolean> => {
  const request = await pullRequestOf(environment);
  if (!request) return false;
  const first = `<!-- ${mark.replaceAll('--', '')} -->`;
  const body = `${first}\n${await compose()}`;
  for (let page = 1; ; page++) {
    const comments = await request.list(page);
    for (const comment of comments) {
      if (!comment.body.startsWith(first) || !(await request.isOwn(comment))) continue;
      await request.update(comment.id, body);
      return true;
    }
    if (comments.length < perPage) break;
  }
  await request.create(body);
  return true;
};
