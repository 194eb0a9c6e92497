import { Readable } from 'node:stream';
import { weights } from '../../../platform/http/byte-budget.ts';
import type { App } from '../../../platform/http/http.ts';
import { packStream } from '../../../platform/http/pack-answers.ts';
import { clientLeaves } from '../../../platform/http/reply.ts';
import type { RouteDeps } from '../../../platform/http/route-deps.ts';
import { requireReadableProject } from '../../projects/queries.ts';
import { project } from '../../resources.ts';
import { readQuery, requireFilterIds } from '../read-query.ts';
import { RecordExportQuery } from '../schema.ts';
import { exportBytes, exportFormats, exportRecords } from './export-records.ts';

const content = Object.fromEntries(
  Object.values(exportFormats).map((type) => [
    type.split(';')[0]!,
    {
      schema: {
        description: 'A row for each record, with the columns inputs.x, expected.x, outputs.x and scores.x.',
      },
    },
  ]),
);

/** Adds the route that exports the records of a search as a file. */
export const exportRoute = (app: App, { db }: Pick<RouteDeps, 'db'>): void => {
  app.get(
    '/projects/:projectId/records/export',
    {
      schema: {
        operationId: 'exportRecords',
        summary: 'Export the records of a project with their scores as CSV, JSON lines, Parquet or Arrow.',
        description:
          'The filters and the order are those of the list. A file of any size is sent as a stream.',
        tags: ['Records'],
        params: project.params,
        querystring: RecordExportQuery,
        response: { 200: { description: 'The file.', content } },
      },
    },
    async (request, reply) => {
      const { scope, query, log, params } = request;
      const projectId = project.keyOf(params);
      await requireReadableProject(db, scope, projectId);
      const search = await readQuery(db, scope, projectId, query);
      await requireFilterIds(db, scope, query);
      const hold = await reply.holdStream(exportBytes);
      const holdPage = (bytes: number) => hold(weights.answer * bytes);
      const signal = clientLeaves(reply);
      const parts = await exportRecords({ db, holdPage, scope, projectId, search, signal }, query.format);
      const file = Readable.from(parts, { objectMode: false });
      file.once('error', (err) => log.error({ err }, 'an export of records broke off'));
      reply
        .type(exportFormats[query.format])
        .header('content-disposition', `attachment; filename="records.${query.format}"`);
      // Parquet is compressed in itself.
      return reply.send(query.format === 'parquet' ? file : packStream(request, reply, file));
    },
  );
};
