const problems: Record<string, string> = {
  expired: 'This sign-in was not finished in time, or it was begun in another browser. Sign in again.',
  provider:
    'The answer of the sign-in provider was not valid. Sign in again; if that fails, ask the operator to look at the log.',
  refused: 'The sign-in provider did not let you in.',
  unverified: 'The sign-in provider does not say that your e-mail address is verified. Ask the operator.',
  'too-many-groups': 'You are in so many groups that the provider does not list them. Ask the operator.',
  'no-member': 'You are not a member here. Ask an admin to add your e-mail address.',
  'no-group': 'No group of yours gives access here. Ask an admin which group to join.',
  'other-account':
    'Your e-mail address belongs to another account here. Ask an admin to remove the old member.',
};

/** Returns why a sign-in with single sign-on was refused, in words for the person. */
export const ssoProblem = (problem: string | undefined): string | undefined =>
  problem && (problems[problem] ?? problems.provider);
