import { Type } from 'typebox';
import { named } from '../platform/named-schema.ts';

const counts = (description: string) =>
  Type.Unsafe<Record<string, number>>({
    type: 'object',
    additionalProperties: { type: 'integer' },
    description,
  });

export const ProjectImport = named(
  'ProjectImport',
  Type.Object(
    {
      projectId: Type.String({ description: 'Id of the project.' }),
      startedAt: Type.String({ description: 'When the import began.' }),
      completedAt: Type.Union([Type.String(), Type.Null()], {
        description: 'When the last line was stored; null while the import is incomplete.',
      }),
      numLines: Type.Integer({ description: 'Lines of the archive that are stored.' }),
      rows: counts('Imported rows, by part of the archive.'),
      yours: counts(
        'Rows whose author is now the importer, because the author is not a member or the importer is not an admin.',
      ),
      leftOut: counts('Rows of reviewers and assignees who are not members here. They are not imported.'),
      changed: counts('Monitors that are now paused, and pending executions that are now cancelled.'),
    },
    { description: 'Status of the import of an archive into a project.' },
  ),
);
