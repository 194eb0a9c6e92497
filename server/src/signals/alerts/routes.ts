import type { KeyObject } from 'node:crypto';
import { Type } from 'typebox';
import type { AllowedAddresses } from '../../engine/models/allowed-addresses.ts';
import { findProject, requireReadableProject } from '../../evaluation/projects/queries.ts';
import { project } from '../../evaluation/resources.ts';
import { databaseTime } from '../../platform/db/time.ts';
import { conflict, invalid, notFound } from '../../platform/errors.ts';
import { type App, bodyOf, requireOne } from '../../platform/http/http.ts';
import { idempotencyKey } from '../../platform/http/idempotency.ts';
import { uuidId } from '../../platform/http/ids.ts';
import { pathParam, Success, successBody, wholeOf } from '../../platform/http/openapi.ts';
import {
  answerRoute,
  deleteRoute,
  getRoute,
  listRoute,
  type Resource,
  resource,
  writeRoute,
} from '../../platform/http/resource-routes.ts';
import type { RouteDeps } from '../../platform/http/route-deps.ts';
import { ref } from '../../platform/named-schema.ts';
import { askAgain, asksOfAddress, asksOfOrganization } from '../addresses/ask.ts';
import { changeAlert, createAlert, requireLabel, requireUrl } from './configure-alert.ts';
import { sendTest } from './deliver.ts';
import { listAlarms } from './list-alarms.ts';
import {
  confirmation,
  deleteAlert,
  findAlert,
  findDelivery,
  findLabelsOf,
  insertConfirmations,
  latestDelivery,
  listAlerts,
  listDeliveries,
  lockAlert,
  maxAlerts,
  retryDelivery,
} from './queries.ts';
import {
  AddressAsk,
  AlarmQuery,
  Alert,
  AlertCreate,
  AlertCreated,
  AlertUpdate,
  Delivery,
  Watched,
} from './schema.ts';
import type { Sender } from './send.ts';

const tags = ['Alerts'];
const alert = resource('alertId', 'alert', uuidId);
const projectAdmin = { projectAdmin: true };

const deliveryParams = Type.Object({ alertId: pathParam('alert'), deliveryId: pathParam('delivery') });
const delivery: Resource<typeof deliveryParams, { alertId: string; id: string }> = {
  name: 'delivery',
  params: deliveryParams,
  keyOf: ({ alertId, deliveryId }) => ({
    alertId: uuidId('alert', alertId),
    id: uuidId('delivery', deliveryId),
  }),
  idOf: ({ deliveryId }) => deliveryId,
};

type AlertDeps = RouteDeps & {
  sender: Sender;
  alertKey: KeyObject;
  addressKey: KeyObject;
  allowedAddresses: AllowedAddresses;
};

export const alertRoutes = (app: App, deps: AlertDeps): void => {
  const { db, sender, alertKey: key, addressKey, allowedAddresses } = deps;
  getRoute(app, deps, '/projects/:projectId/alerts', {
    operationId: 'listAlerts',
    summary: 'List the alerts of a project, oldest first.',
    description: `There are at most ${maxAlerts}.`,
    tags,
    of: project,
    response: wholeOf(ref(Alert), 'Alerts, oldest first.'),
    find: listAlerts,
  });

  answerRoute(app, 'GET', '/projects/:projectId/alarms', {
    operationId: 'listAlarms',
    summary: 'List the alarms that limits would have raised in the last 30 days.',
    description:
      'Holds the traffic and the monitors of the last 30 days against the limits of an alert, stored or not. Nothing is sent.',
    tags,
    of: project,
    query: AlarmQuery,
    response: wholeOf(ref(Watched), 'The watched figures: those with a limit.'),
    answer: async ({ scope, params, query }) => {
      const projectId = project.keyOf(params);
      await requireReadableProject(db, scope, projectId);
      const { labelMetricId = null, label = null, maxLabelShare = null } = query;
      await requireLabel({ labelMetricId, label, maxLabelShare }, (metricId) =>
        db.read(scope, (sql) => findLabelsOf(sql, scope, projectId, metricId)),
      );
      return JSON.stringify({ data: await listAlarms(db, scope, projectId, query, await databaseTime(db)) });
    },
  });

  writeRoute(app, deps, 'POST', '/projects/:projectId/alerts', {
    config: { ...projectAdmin, keyless: true, limited: true },
    operationId: 'createAlert',
    summary: 'Send events of a project to a webhook, to Slack or by e-mail.',
    description: 'Admins of the project only. Only this answer shows the signing key.',
    tags,
    of: project,
    body: AlertCreate,
    status: 201,
    response: ref(AlertCreated),
    read: async (body, _, { scope, key: projectId, request }) => {
      // A stored answer would hold the signing key, which is stored only encrypted.
      if (idempotencyKey(request))
        throw invalid('/Idempotency-Key', 'is not accepted here: a signing key is shown only once');
      // Before the URL is looked up, so that only a member of the project can cause a look-up.
      const found = await db.lookUp(scope, (sql) => findProject(sql, scope, projectId));
      bodyOf(found, 'project', String(projectId));
      await requireUrl(body.url, allowedAddresses);
      return body;
    },
    work: (tx, scope, projectId, body) => createAlert(tx, scope, key, projectId, body, sender),
  });

  writeRoute(app, deps, 'PATCH', '/alerts/:alertId', {
    operationId: 'updateAlert',
    summary: 'Change, pause or resume an alert.',
    description: 'Admins of the project only.',
    tags,
    of: alert,
    config: projectAdmin,
    auditedAs: findAlert,
    body: AlertUpdate,
    response: ref(Alert),
    read: async (changes) => {
      await requireUrl(changes.url, allowedAddresses);
      return changes;
    },
    work: (tx, scope, id, changes) => changeAlert(tx, scope, key, id, changes, sender),
  });

  deleteRoute(app, deps, '/alerts/:alertId', {
    operationId: 'deleteAlert',
    summary: 'Delete an alert with its log.',
    description: 'Admins of the project only.',
    tags,
    of: alert,
    config: projectAdmin,
    auditedAs: findAlert,
    remove: deleteAlert,
  });

  answerRoute(app, 'POST', '/alerts/:alertId/test', {
    config: { ...projectAdmin, keyless: true },
    operationId: 'testAlert',
    summary: 'Send a test message now and return how it went.',
    description: 'Admins of the project only.',
    tags,
    of: alert,
    response: ref(Delivery),
    answer: async ({ scope, params }) =>
      await sendTest({ db, sender, key, addressKey }, scope, uuidId('alert', params.alertId)),
  });

  listRoute(app, deps, '/alerts/:alertId/deliveries', {
    operationId: 'listAlertDeliveries',
    summary: 'List the deliveries of an alert, newest first.',
    description: 'Finished deliveries are kept for 30 days.',
    tags,
    of: alert,
    parent: findAlert,
    item: ref(Delivery),
    first: latestDelivery,
    rows: listDeliveries,
  });

  writeRoute(app, deps, 'POST', '/alerts/:alertId/deliveries/:deliveryId/retry', {
    operationId: 'retryAlertDelivery',
    summary: 'Send a finished delivery again.',
    description: 'Admins of the project only.',
    tags,
    of: delivery,
    config: projectAdmin,
    response: ref(Success),
    work: async (tx, scope, at) => {
      const { count } = await retryDelivery(tx, scope, at);
      if (count > 0) return successBody;
      const [found] = await findDelivery(tx, scope, at);
      if (!found) throw notFound('delivery', at.id);
      if (found.event === confirmation)
        throw conflict('The owner of an address is asked again by POST /alerts/{alertId}/confirmations.', {
          deliveryId: at.id,
        });
      throw conflict('This delivery is still being sent.', { deliveryId: at.id });
    },
  });

  writeRoute(app, deps, 'POST', '/alerts/:alertId/confirmations', {
    operationId: 'askAddressOwner',
    summary: 'Ask the owner of an address again if they want the mails.',
    description: `Admins of the project only. At most ${asksOfAddress} mails a day to one address, and ${asksOfOrganization} of the organization.`,
    tags,
    of: alert,
    config: projectAdmin,
    auditedAs: findAlert,
    body: AddressAsk,
    response: ref(Alert),
    work: async (tx, scope, id, { address }) => {
      const { kind, target } = requireOne(await lockAlert(tx, scope, id), 'alert', id);
      if (kind !== 'email' || !target.split(', ').includes(address))
        throw notFound('address of this alert', address);
      await askAgain(tx, scope, address);
      await insertConfirmations(tx, scope, id, [address]);
      return bodyOf(await findAlert(tx, scope, id), 'alert', id);
    },
  });
};
