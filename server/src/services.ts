import { type KeyObject, randomInt } from 'node:crypto';
import type { FastifyBaseLogger } from 'fastify';
import type { Registry } from 'prom-client';
import { copyProject } from './archive/copy-project.ts';
import type { Config } from './config.ts';
import { type AllowedAddresses, openAllowedAddresses } from './engine/models/allowed-addresses.ts';
import { type Models, openModels } from './engine/models/ask.ts';
import { openOutgoingProxy } from './engine/models/outgoing-proxy.ts';
import { readPriceFiles } from './engine/models/price-list.ts';
import { openProviderHealth } from './engine/models/provider-health.ts';
import { openSandbox, type Sandbox } from './engine/sandbox/sandbox.ts';
import { openRenderer, type Renderer } from './engine/templates/template.ts';
import { type AttachedReader, openAttachedReader } from './evaluation/attachments/read-attached.ts';
import { openStore } from './evaluation/attachments/store.ts';
import { type Deletions, openDeletions } from './evaluation/deletions/deletions.ts';
import { type Masking, openMasking } from './evaluation/masking/masking.ts';
import { openSchemaChecker, type SchemaChecker } from './evaluation/testsets/json-schema.ts';
import { startPairJudges } from './insights/preferences/judge-pairs.ts';
import { startSealedLooks } from './insights/sealed/answer-looks.ts';
import type { SealDeps } from './insights/sealed/seal-testcases.ts';
import { startSeries } from './insights/series/start-series.ts';
import type { Database } from './platform/db/database.ts';
import type { Scoring } from './platform/http/operations.ts';
import { startLoops, type Worker } from './platform/jobs/loops.ts';
import { addDeletionsGauge, openMetrics, scoreCounter } from './platform/metrics.ts';
import { subkey } from './platform/secret.ts';
import { codeScorer } from './scoring/code/score-code.ts';
import { startExecutor } from './scoring/executions/executor.ts';
import { openSystems, type Systems } from './scoring/executions/open-systems.ts';
import { type Judge, openJudge } from './scoring/judges/judge.ts';
import { judgeScorer } from './scoring/judges/score-judge.ts';
import { startMonitors } from './scoring/monitors/score-arrivals.ts';
import { type ModelLists, openModelLists } from './scoring/providers/model-lists.ts';
import { openPriceLists, type PriceLists } from './scoring/providers/price-lists.ts';
import { openProvidersOf, type ProvidersOf } from './scoring/providers/providers-of.ts';
import { startHeartbeat } from './scoring/queue/heartbeat.ts';
import { addQueueGauges, queueHealthReader } from './scoring/queue/queue-health.ts';
import { clearDeadLeases, startWorker } from './scoring/queue/worker.ts';
import { spanScorer } from './scoring/spans/score-spans.ts';
import { startDriftWatch } from './scoring/trials/watch-drift.ts';
import { openSender, type Sender } from './signals/alerts/send.ts';
import { startSignals } from './signals/start-signals.ts';
import { openTraceReader, type TraceReader } from './traces/read/read-scored-trace.ts';

/** Services that the routes and workers of this process share. They are built once. */
export type Services = {
  sandbox: Sandbox;
  /** Number of records that code scores at the same time in this process. */
  codeProcesses: number;
  schemas: SchemaChecker;
  masking: Masking;
  /** Deletes projects, runs and testsets. */
  deletions: Deletions;
  judge: Judge;
  /** Dependencies of questions to models. */
  models: Models;
  renderer: Renderer;
  /** Calls the systems under test. */
  systems: Systems;
  providersOf: ProvidersOf;
  /** The models that the providers list. */
  modelLists: ModelLists;
  /** Prices of models for all organizations. */
  prices: PriceLists;
  traces: TraceReader;
  /** Finds the attachments that records name. */
  readAttached: AttachedReader;
  /** Addresses that users may configure for models and endpoints. */
  allowedAddresses: AllowedAddresses;
  /** Sends alerts. */
  sender: Sender;
  /** Encrypts the secrets of providers and alerts. */
  providerKey: KeyObject;
  /** Time and seeds of sealed splits. */
  seal: SealDeps;
  /** Signs the links in mails to addresses outside the organization. */
  addressKey: KeyObject;
  /** The metrics of this process for `/metrics`. */
  metrics: Registry;
  /** Whether scores are made, by this process or by others. */
  scoring: () => Promise<Scoring>;
  /** Starts the workers of this process, unless DOKIMA_WORKERS is 0. */
  start: () => Promise<void>;
  /** Tells the workers of this process that scores may be due. */
  wake: () => void;
  /** Returns unscored work to the queue and ends. */
  stop: () => Promise<void>;
};

export type ServicesDeps = { config: Config; db: Database; log: FastifyBaseLogger; secret: Buffer };

// Scores claimed at once. Code: large batches save round trips, small ones balance better. Judges: a crash loses this many verdicts.
const codeBatchSize = 1_000;
const judgeBatchSize = 16;
/** Batches that wait for models at the same time, within the limits of the providers. */
const judgeBatches = 16;

/** Work that has been due for this long has no worker: workers look every few seconds. */
const stalledSeconds = 60;

// Lists of models and of prices are due once a day.
const listsPollMs = 600_000;

/** Builds the services. Workers start with `start`. */
export const openServices = async ({ config, db, log, secret }: ServicesDeps): Promise<Services> => {
  const count = config.DOKIMA_WORKERS;
  const codeProcesses = Math.max(1, count);
  const sandbox = openSandbox({ processes: codeProcesses });
  const schemas = openSchemaChecker(codeProcesses);
  const masking = openMasking(db, subkey(secret, 'masking'));
  const renderer = openRenderer();
  const allowedAddresses = openAllowedAddresses(config.DOKIMA_ALLOW_PRIVATE_ADDRESSES);
  const network = { allowedAddresses, proxy: openOutgoingProxy(config) };
  const prices = await openPriceLists({
    db,
    log,
    files: await readPriceFiles(config.DOKIMA_PRICES_FILE),
    address: config.DOKIMA_PRICES_URL,
    network,
  });
  const providerKey = subkey(secret, 'provider');
  const addressKey = subkey(secret, 'mail address');
  const providersOf = openProvidersOf(config, db, providerKey);
  const models = openModels({
    health: openProviderHealth(),
    providersOf,
    prices: prices.current,
    clock: Date.now,
    ...network,
  });
  const judge = openJudge({ renderer, models });
  const modelLists = openModelLists({ db, providersOf, network });
  const traces = openTraceReader(db);
  const store = await openStore(config);
  const readAttached = openAttachedReader(db, store);
  const prompts = { models, renderer };
  const systems = openSystems(prompts);
  const { DOKIMA_PUBLIC_URL: publicUrl, DOKIMA_SMTP_URL: smtpUrl, DOKIMA_MAIL_FROM: from } = config;
  const sender = openSender(network, publicUrl, { smtpUrl, from });
  const metrics = openMetrics(db, config.DOKIMA_DATA_DIR);
  const deletions = openDeletions({ db, log });
  addDeletionsGauge(metrics, deletions.count);
  await deletions.resume();
  const outcomes = scoreCounter(metrics);
  const queueHealth = queueHealthReader(db);
  addQueueGauges(metrics, queueHealth);
  const judgeDeps = {
    db,
    judge,
    models,
    traces,
    readAttached,
    reuseVerdicts: config.DOKIMA_REUSE_VERDICTS,
    random: Math.random,
  };
  const judged = judgeScorer(judgeDeps);
  // One batch more than processes: it is read and written while they score.
  const lanes = [
    {
      lane: 'code' as const,
      batchSize: codeBatchSize,
      batches: count + 1,
      score: spanScorer(db, codeScorer(sandbox, traces)),
    },
    {
      lane: 'judge' as const,
      batchSize: judgeBatchSize,
      batches: judgeBatches,
      score: spanScorer(db, judged.score),
      busyConfigs: judged.busyConfigs,
    },
  ];
  const seal: SealDeps = { now: () => new Date(), newSeed: () => randomInt(2 ** 32) };
  const workers: Worker[] = [];
  let heartbeat: Awaited<ReturnType<typeof startHeartbeat>> | undefined;
  let drift: Worker | undefined;
  let signals: Worker | undefined;
  let modelReader: Worker | undefined;
  let priceReader: Worker | undefined;
  let series: Worker | undefined;
  let pairs: Worker | undefined;
  let sealed: Worker | undefined;
  const wakeOwn = () => {
    for (const worker of workers) worker.wake();
    // Not urgent: these look at the next poll of a busy service.
    for (const worker of [signals, series, pairs, sealed, drift]) worker?.wake('soon');
  };
  const startWorkers = async () => {
    // A process without workers prices spans too.
    priceReader = startLoops({
      count: config.DOKIMA_PRICES_URL ? 1 : 0,
      next: (stopping) => prices.refresh(stopping),
      failed: (error) => log.error({ err: error }, 'prices were not refreshed; the next poll retries'),
      pollMs: listsPollMs,
    });
    if (count === 0) return;
    heartbeat = await startHeartbeat({ db, log });
    // If this fails, the scores are due again when their leases end.
    await clearDeadLeases(db).catch((error) =>
      log.error({ err: error }, 'scores that an earlier process held wait until their leases end'),
    );
    const scorers = lanes.map((lane) => startWorker({ db, log, outcomes }, lane));
    const wakeScorers = () => {
      for (const scorer of scorers) scorer.wake();
      db.hints?.send();
    };
    drift = startDriftWatch({ db, log, onStart: wakeScorers });
    modelReader = startLoops({
      count: 1,
      next: (stopping) => modelLists.readStale(stopping),
      failed: (error) => log.error({ err: error }, 'lists of models were not read; the next poll retries'),
      pollMs: listsPollMs,
    });
    const executor = startExecutor({
      db,
      log,
      systems,
      prompts,
      masking,
      readAttached,
      onRecord: wakeScorers,
    });
    const onStart = () => {
      executor.wake();
      wakeScorers();
    };
    signals = startSignals({ db, log, sender, key: providerKey, addressKey, onStart });
    series = startSeries({ db, log });
    sealed = startSealedLooks({
      db,
      log,
      copyProject: copyProject({ db, store, schemas, masking }),
      seal,
    });
    pairs = startPairJudges({ db, log, judge, models, random: Math.random });
    workers.push(...scorers, executor, startMonitors({ db, log }, wakeScorers));
    db.hints?.hear(wakeOwn);
  };
  let starting: Promise<void> | undefined;
  return {
    sandbox,
    codeProcesses,
    schemas,
    masking,
    deletions,
    judge,
    models,
    renderer,
    systems,
    providersOf,
    modelLists,
    prices,
    traces,
    readAttached,
    allowedAddresses,
    providerKey,
    addressKey,
    seal,
    sender,
    metrics,
    scoring: async () => {
      const { workers, queues } = await queueHealth();
      const stalled = queues.filter(({ overdueSeconds }) => overdueSeconds > stalledSeconds);
      return { workers, stalled: stalled.map(({ queue }) => queue) };
    },
    start: () => {
      starting ??= startWorkers();
      return starting;
    },
    wake: () => {
      wakeOwn();
      db.hints?.send();
    },
    stop: async () => {
      await starting;
      await deletions.stop();
      await Promise.all(
        [...workers, drift, signals, modelReader, priceReader, series, pairs, sealed, heartbeat].map(
          (worker) => worker?.stop(),
        ),
      );
      modelLists.close();
      prices.close();
      sender.close();
      models.close();
      await Promise.all([sandbox.close(), schemas.close(), renderer.close()]);
    },
  };
};
