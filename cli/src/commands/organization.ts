import { type Client, createClient } from '../../../client/src/main.ts';
import { type Command, type Context, takeArguments, type Values } from '../command.ts';
import { resolveAccess } from '../config.ts';
import { CliError, exit } from '../errors.ts';

const about = `For the operator of the service: reads the operator's key from DOKIMA_OPERATOR_KEY, which the service has as a
setting of the same name.`;

const operatorClient = async ({ environment }: Context, values: Values): Promise<Client> => {
  const apiKey = environment.DOKIMA_OPERATOR_KEY;
  if (!apiKey)
    throw new CliError(
      'DOKIMA_OPERATOR_KEY is missing.',
      'Set it to the key that the service has as DOKIMA_OPERATOR_KEY.',
    );
  const { url } = await resolveAccess(environment, values.text('url'));
  return createClient({ baseUrl: url, apiKey });
};

export const organizationCreate: Command = {
  name: 'organization create',
  takes: 'NAME',
  summary: 'Create an organization and the link with which its first admin signs in.',
  about,
  options: {
    admin: { type: 'string', value: 'EMAIL', about: 'E-mail address of the first admin.' },
  },
  examples: ['dokima organization create "Team Search" --admin ada@example.com'],
  run: async (context, args, values) => {
    const [name] = takeArguments('organization create', args, 'The name') as [string];
    const client = await operatorClient(context, values);
    const made = await client.createOrganization({ name, adminEmail: values.required('admin') });
    const { organization, user, signInLink } = made;
    const text = `Organization ${organization.id}, ${organization.name}. Give this link to ${user.email}:\n${signInLink.url}`;
    context.out.result(text, made);
    return exit.pass;
  },
};

export const organizationList: Command = {
  name: 'organization list',
  summary: 'List the organizations of the service.',
  about,
  run: async (context, args, values) => {
    takeArguments('organization list', args);
    const client = await operatorClient(context, values);
    const found = [];
    for await (const organization of client.listOrganizations()) found.push(organization);
    const lines = found.map(({ id, name, numMembers }) => `${id}  ${name}  (${numMembers} members)`);
    context.out.result(lines.join('\n'), found);
    return exit.pass;
  },
};

export const organizationLink: Command = {
  name: 'organization link',
  takes: 'ORGANIZATION EMAIL',
  summary: 'Create a sign-in link for a member, also where single sign-on is required.',
  about,
  examples: ['dokima organization link 1 ada@example.com'],
  run: async (context, args, values) => {
    const [id, email] = takeArguments(
      'organization link',
      args,
      'The id of the organization',
      'The e-mail',
    ) as [string, string];
    const client = await operatorClient(context, values);
    const link = await client.createOperatorLink(id, { email });
    context.out.result(link.url, link);
    return exit.pass;
  },
};
