import { createRequire } from 'node:module';
import { ok } from '../../../server/test/fixtures.ts';
import { createMonitor } from '../../../server/test/monitors.ts';
import { newTraceId, post, requestOf, spanId } from '../../../server/test/otlp.ts';
import { agentTrace, finalAnswer } from '../agent-trace.ts';
import { createRealistic } from '../realistic.ts';
import { openSite, type Visitor } from '../site.ts';

/** Values of the parameters of the site map. */
export type Ids = Record<string, string>;

/** A service with the data of a week and a trace of an agent, and the browsers of a member at a desk and on a phone. */
export const openWorld = async () => {
  const site = await openSite();
  const desk = await site.member('admin');
  const phone = await site.visitor({ viewport: { width: 390, height: 844 } });
  // Given once to a browser, which runs it on each page: its 650 KB were sent twice a screen, and took as long as what it does.
  const axe = createRequire(import.meta.url).resolve('axe-core/axe.min.js');
  const giveAxe = ({ page }: Visitor) => page.addInitScript({ path: axe });
  await Promise.all([desk, phone].map(giveAxe));
  /** A browser without an account. */
  const visitWithAxe = async () => {
    const guest = await site.visitor();
    await giveAxe(guest);
    return guest;
  };
  await phone.context.addCookies(await desk.context.cookies());
  const me = await (await desk.context.request.get('/api/v2/me')).json();
  const { runIds, ...realistic } = await createRealistic(site.api, me.user.id);
  const ids: Ids = {
    ...realistic,
    runId: runIds.at(-1)!,
    comparedRuns: runIds.slice(0, 2).join(),
    allRuns: runIds.join(),
  };
  const study = { criterion: 'The answer that a customer understands at once.', runIds };
  const made = await ok(
    site.api('POST', `/projects/${ids.projectId}/preference-studies`, { ...study, numTestcases: 10 }),
    201,
  );
  ids.preferenceStudyId = made.id;
  for (let pairNumber = 1; pairNumber <= made.numPairs; pairNumber += 2) {
    const choice = ['left', 'right', 'left', 'tie'][(pairNumber >> 1) % 4];
    await ok(site.api('POST', `/preference-studies/${made.id}/preferences`, { pairNumber, choice }));
  }
  ids.monitorId = (await createMonitor(site.api, ids.projectId!, [ids.metricId!])).id;
  const decided = { question: 'Is the short prompt as good?', owner: 'Ada', minTestcases: 40 };
  const registered = { testsetId: ids.testsetId, metricIds: [ids.metricId], rules: { policy: 'nightly' } };
  const path = `/projects/${ids.projectId}/decisions`;
  ids.decisionId = (await ok(site.api('POST', path, { ...decided, ...registered }), 201)).id;
  const traceId = newTraceId();
  const spans = requestOf(agentTrace(traceId), {
    'dokima.project_id': ids.projectId!,
    'service.name': 'weather',
  });
  await post(site.app, site.organization.key, spans);
  const turns = ['Where is my order?', 'And when does it come?'].map((question, i) => ({
    traceId: newTraceId(),
    n: 1,
    name: 'answer',
    at: i * 60_000,
    ms: 1_400,
    attributes: {
      'session.id': 'visit-42',
      'user.id': 'ada@example.com',
      'gen_ai.operation.name': 'chat',
      'gen_ai.request.model': 'small',
      'gen_ai.usage.input_tokens': 820,
      'gen_ai.usage.output_tokens': 64,
      'gen_ai.usage.cost': 0.0021,
      'input.value': question,
      'output.value': 'It is on its way to you.',
    },
  }));
  const session = requestOf(turns, { 'dokima.project_id': ids.projectId!, 'service.name': 'shop' });
  await post(site.app, site.organization.key, session);
  Object.assign(ids, { sessionId: 'visit-42', traceId });
  const { data } = await ok(site.api('GET', `/projects/${ids.projectId}/spans?traceId=${traceId}`));
  const traced: Ids = {
    projectId: ids.projectId!,
    recordId: data[0].recordId,
    traceId,
    span: `${traceId}-${spanId(3)}`,
  };
  const passage = { path: '/output/0/content', start: finalAnswer.indexOf('sunny'), text: 'sunny' };
  const said = { rating: true, comment: 'Well put.', spanId: spanId(10), passage };
  await ok(site.api('POST', `/records/${traced.recordId}/annotations`, said), 201);
  return { site, desk, phone, visitWithAxe, ids, traced };
};
