import { type Command, takeArguments } from '../command.ts';
import { exit } from '../errors.ts';

export const projectCreate: Command = {
  name: 'project create',
  takes: 'NAME',
  summary: 'Create a project and print its id.',
  about: 'Names need not be unique: a second project with the same name is a different project.',
  options: { description: { type: 'string', about: 'Description. Default: none.' } },
  examples: ['export DOKIMA_PROJECT=$(dokima project create "My agent")'],
  run: async ({ out, client }, args, values) => {
    const [name] = takeArguments('project create', args, 'The name') as [string];
    const body = { name, description: values.text('description') ?? '' };
    const project = await (await client()).createProject(body);
    out.result(project.id, project);
    return exit.pass;
  },
};
