import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { meterOf, untilCalm } from './cost.ts';
import { startDokima } from './peers/dokima.ts';
import { startMlflow } from './peers/mlflow.ts';
import { type Item, inTurn, itemsOf, type Peer, type Place, requireSame } from './peers/peer.ts';
import { startPhoenix } from './peers/phoenix.ts';
import { startPromptfoo } from './peers/promptfoo.ts';
import { type Postgres, startPostgres } from './postgres.ts';

const usage = `Usage: node bench/peers.ts --programs folder [name …]
Sends the same records with five scores each to Dokima and to other products, and prints a table of what each costs. The folder has the other
products as their registries install them; one that is missing is left out:
  mkdir -p folder/promptfoo && npm install --prefix folder/promptfoo promptfoo
  python3 -m venv folder/mlflow && folder/mlflow/bin/pip install mlflow 'psycopg[binary]'
  python3 -m venv folder/phoenix && folder/phoenix/bin/pip install 'arize-phoenix[pg]'`;

/** A product, where its database is, and how many records it gets at once: some take minutes for what others do in a second. */
type Product = {
  name: string;
  installed?: string;
  onPostgres: boolean;
  batches: number[];
  singles: number;
  start: (programs: string, folder: string, databaseUrl: string) => Promise<Peer>;
};

const products: Product[] = [
  {
    name: 'Dokima, PostgreSQL',
    onPostgres: true,
    batches: [1_000, 10_000, 10_000],
    singles: 1_000,
    start: (_programs, folder, url) => startDokima(folder, url),
  },
  {
    name: 'Dokima, embedded',
    onPostgres: false,
    batches: [1_000, 10_000, 10_000],
    singles: 1_000,
    start: (_programs, folder) => startDokima(folder),
  },
  {
    name: 'promptfoo',
    installed: 'promptfoo/node_modules/promptfoo/package.json',
    onPostgres: false,
    batches: [1_000, 10_000, 10_000],
    singles: 1_000,
    start: startPromptfoo,
  },
  {
    name: 'MLflow, PostgreSQL',
    installed: 'mlflow/bin/mlflow',
    onPostgres: true,
    batches: [200],
    singles: 0,
    start: startMlflow,
  },
  {
    name: 'Phoenix, PostgreSQL',
    installed: 'phoenix/bin/phoenix',
    onPostgres: true,
    batches: [200],
    singles: 0,
    start: startPhoenix,
  },
];

const folderBytes = async (folder: string): Promise<number> => {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const sizes = await Promise.all(
    entries.map(({ parentPath, name }) => stat(join(parentPath, name)).catch(() => undefined)),
  );
  return sizes.reduce((sum, found) => sum + (found?.isFile() ? found.size : 0), 0);
};

/** A product under measurement. The service's and the database's time are one sum: some products are one process. */
const gaugesOf = (peer: Peer, server: Postgres | undefined, folder: string, database: string) => ({
  processor: async () => ({
    service: (await peer.seconds()) + ((await server?.processorSeconds()) ?? 0),
    database: undefined,
  }),
  bytes: async () => (server ? (await server.storage(database)).diskBytes : folderBytes(folder)),
  memory: async () => `${Math.round(await peer.memory())}${server ? ` + ${await server.memory()}` : ''} MB`,
});

type Gauges = ReturnType<typeof gaugesOf>;

const row = (...cells: (string | number)[]) => process.stdout.write(`| ${cells.join(' | ')} |\n`);

/** Writes records in one way, compares what is stored, and prints a row: per record where one comes after the other. */
const measure = async (
  { name, gauges }: { name: string; gauges: Gauges },
  work: string,
  place: Place,
  items: Item[],
  write: () => Promise<unknown>,
): Promise<void> => {
  await untilCalm(gauges);
  const bytes = await gauges.bytes();
  const { seconds, cpu } = await meterOf(gauges)(write);
  const ended = (await gauges.processor()).service;
  await untilCalm(gauges);
  const later = (await gauges.processor()).service - ended;
  const disk = ((await gauges.bytes()) - bytes) / items.length / 1000;
  const memory = await gauges.memory();
  requireSame(name, items, await place.read());
  row(
    name,
    work,
    ...[seconds, cpu!.service, later].map((value) => `${value.toFixed(2)} s`),
    `${disk.toFixed(1)} KB`,
    memory,
  );
};

const measureProduct = async (product: Product, programs: string): Promise<void> => {
  const folder = await mkdtemp(join(tmpdir(), 'dokima-bench-peer-'));
  const data = join(folder, 'data');
  await mkdir(data);
  const server = product.onPostgres ? await startPostgres() : undefined;
  let peer: Peer | undefined;
  try {
    peer = await product.start(programs, data, server ? await server.createDatabase('peer') : '');
    const subject = { name: product.name, gauges: gaugesOf(peer, server, data, 'peer') };
    for (const count of product.batches) {
      const place = await peer.open();
      const items = itemsOf(count);
      const work = `${count.toLocaleString('en')} records with five scores each`;
      await measure(subject, work, place, items, () => place.send(items));
    }
    for (const clients of product.singles > 0 ? [1, 8, 16] : []) {
      const place = await peer.open();
      const items = itemsOf(product.singles);
      const work = `1,000 records, one a request, ${clients} ${clients > 1 ? 'clients' : 'client'}`;
      await measure(subject, work, place, items, () => inTurn(items, clients, place.sendOne!));
    }
  } finally {
    await peer?.stop();
    await server?.stop();
    await rm(folder, { recursive: true, force: true });
  }
};

const main = async (): Promise<void> => {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: { programs: { type: 'string', default: '' } },
  });
  row('product', 'work', 'time', 'processor', 'afterwards', 'disk a record', 'memory');
  row(...Array.from({ length: 7 }, () => '---'));
  for (const product of products) {
    const isChosen =
      positionals.length === 0 || positionals.some((word) => product.name.toLowerCase().includes(word));
    if (!isChosen) continue;
    if (product.installed !== undefined && !existsSync(join(values.programs, product.installed)))
      process.stderr.write(`${product.name} is not installed and is left out.\n`);
    else await measureProduct(product, values.programs);
  }
};

main().catch((error: Error) => {
  process.stderr.write(`${error.stack}\n\n${usage}\n`);
  process.exit(1);
});
