import { execFileSync } from 'node:child_process';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { Settings } from '../server/src/config.ts';
import { bodyLimitBytes } from '../server/src/platform/http/http.ts';

// The linters of these files are programs that not every machine has. These tests need none of them.
const repository = fileURLToPath(new URL('..', import.meta.url));
const read = (path: string) => readFileSync(`${repository}${path}`, 'utf8');
const chart = 'deploy/helm/dokima';
const templates = globSync(`${chart}/templates/*`, { cwd: repository });
const files = [
  'Dockerfile',
  'compose.yaml',
  ...globSync('deploy/{container,systemd,nginx,caddy}/*', { cwd: repository }),
  `${chart}/values.yaml`,
  ...templates,
];

it('every YAML file parses, and no key comes twice', () => {
  const paths = globSync(['compose.yaml', '.github/workflows/*', `${chart}/*.yaml`], { cwd: repository });
  expect(paths.length).toBe(5);
  for (const path of paths)
    for (const document of parseAllDocuments(read(path), { merge: true }))
      expect([path, ...('errors' in document ? document.errors : [])]).toEqual([path]);
});

it('CI takes the curl example of the guide out of it', () => {
  const command = /^ *(sed .*docs\/api\.md.*) > five-minutes\.sh$/m.exec(
    read('.github/workflows/ci.yml'),
  )![1]!;
  const taken = execFileSync('sh', ['-c', command], { cwd: repository }).toString();
  expect(taken).toMatch(/^api\(\) \{[^`]*\napi GET \/runs\/\$RUN\/records [^`]*\n$/);
});

it('npm publishes files: it takes a path without ./ for a repository of GitHub', () => {
  const texts = ['.github/workflows/release.yml', 'CONTRIBUTING.md'].map(read);
  const published = texts.flatMap((text) => [...text.matchAll(/npm publish "?(\S+\.tgz)/g)]);
  expect(published.map(([, path]) => path!.slice(0, 7))).toEqual(Array(3).fill('./dist/'));
});

it('every setting that they name is one of the service', () => {
  const known = [...Object.keys(Settings.properties), 'DOKIMA_IMAGE'];
  const named = files.flatMap((path) =>
    [...read(path).matchAll(/\bDOKIMA_[A-Z0-9_]*[A-Z0-9]\b/g)].map(([name]) => ({ path, name })),
  );
  expect(named.length).toBeGreaterThan(20);
  expect(named.filter(({ name }) => !known.includes(name))).toEqual([]);
});

it('every program that they start is in the package', () => {
  const programs = files.flatMap((path) => read(path).match(/\b(server|cli)\/[\w/.-]+\.js\b/g) ?? []);
  expect(new Set(programs)).toEqual(new Set(['server/start.js', 'cli/bin/dokima.js']));
  const missing = programs.filter((path) => !existsSync(repository + path));
  expect(missing).toEqual([]);
});

/** Returns the paths of all values: each leaf, and each object or list that a template takes as a whole. */
const pathsOf = (value: unknown, path = ''): string[] => {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [path];
  const below = Object.entries(value).flatMap(([name, inner]) =>
    pathsOf(inner, path ? `${path}.${name}` : name),
  );
  return path ? [path, ...below] : below;
};

it('the templates of the chart use every value, and no other', () => {
  const values = pathsOf(parse(read(`${chart}/values.yaml`)));
  const text = templates.map(read).join('\n');
  const used = [...new Set([...text.matchAll(/\.Values\.([\w.]+)/g)].map(([, path]) => path!))];
  expect(used.filter((path) => !values.includes(path) && !path.startsWith('settings.'))).toEqual([]);
  const isUsed = (path: string) =>
    used.some((other) => `${other}.`.startsWith(`${path}.`) || `${path}.`.startsWith(`${other}.`));
  expect(values.filter((path) => !isUsed(path))).toEqual([]);
});

it.each([
  ['', ['/metrics', '/'], 'https://dokima.example.com'],
  ['/dokima', ['/dokima/metrics', '/dokima'], 'https://dokima.example.com/dokima'],
])(
  'the ingress of the chart is at %j: it closes /metrics there, and the address has the path',
  (path, paths, url) => {
    const written = (name: string) =>
      read(`${chart}/templates/${name}.yaml`)
        .replaceAll('{{ .Values.ingress.path }}', path)
        .replaceAll('{{ .Values.ingress.path | default "/" }}', path || '/')
        .replace('{{ printf "https://%s%s" .Values.ingress.host .Values.ingress.path | quote }}', url);
    expect([...written('ingress').matchAll(/- path: (.*)/g)].map(([, given]) => given)).toEqual(paths);
    expect(written('settings')).toContain(`DOKIMA_PUBLIC_URL: ${url}\n`);
  },
);

const hasHelm = (() => {
  try {
    return execFileSync('helm', ['version', '--short'], { stdio: 'pipe' }).length > 0;
  } catch {
    return false;
  }
})();

it.skipIf(!hasHelm)(
  'the chart gives pods the path, the proxy, the origins and the authority (skipped without helm)',
  () => {
    const settings = {
      HTTPS_PROXY: 'http://proxy:3128',
      NO_PROXY: '10.0.0.0/8\\,.svc',
      DOKIMA_ALLOWED_ORIGINS: 'https://app.example.com',
      DOKIMA_S3_ENDPOINT: 'https://s3.example.com',
    };
    const values = [
      'image.repository=dokima',
      'existingSecret=dokima',
      'ingress.enabled=true',
      'ingress.path=/dokima',
      'authorities.configMap=company-ca',
      ...Object.entries(settings).map(([name, value]) => `settings.${name}=${value}`),
    ].flatMap((each) => ['--set-string', each]);
    // Booleans are given as such.
    values[values.indexOf('ingress.enabled=true') - 1] = '--set';
    const rendered = execFileSync('helm', ['template', 'own', chart, '--kube-version', '1.30.0', ...values], {
      cwd: repository,
    });
    const objects = parseAllDocuments(rendered.toString()).map((document) => document.toJS());
    const config = objects.find(({ kind }) => kind === 'ConfigMap');
    expect(config.data).toMatchObject({
      ...settings,
      NO_PROXY: '10.0.0.0/8,.svc',
      DOKIMA_PUBLIC_URL: 'https://dokima.example.com/dokima',
      NODE_EXTRA_CA_CERTS: '/etc/dokima/authorities/ca.crt',
    });
    const pods = objects.filter(({ kind }) => kind === 'Deployment').map(({ spec }) => spec.template.spec);
    expect(pods).toHaveLength(2);
    for (const { volumes, containers } of pods) {
      expect(volumes).toContainEqual({ name: 'authorities', configMap: { name: 'company-ca' } });
      const mount = { name: 'authorities', mountPath: '/etc/dokima/authorities', readOnly: true };
      expect(containers[0].volumeMounts).toContainEqual(mount);
      expect(containers[0].envFrom).toContainEqual({ configMapRef: { name: config.metadata.name } });
    }
    const [rule] = objects.find(({ kind }) => kind === 'Ingress').spec.rules;
    expect(rule.http.paths.map(({ path }: { path: string }) => path)).toEqual(['/dokima/metrics', '/dokima']);
  },
);

it('the chart has the version of the service', () => {
  const { version } = JSON.parse(read('server/package.json'));
  expect(parse(read(`${chart}/Chart.yaml`))).toMatchObject({ version, appVersion: version });
});

it('the proxies close /metrics and let the largest body through', () => {
  const nginx = read('deploy/nginx/dokima.conf');
  const [, megabytes] = /client_max_body_size (\d+)m;/.exec(nginx)!;
  expect(Number(megabytes) * 1024 ** 2).toBeGreaterThan(Math.max(bodyLimitBytes, 64 * 1024 ** 2));
  expect(nginx).toMatch(/location = \/metrics \{\s+return 404;/);
  expect(read('deploy/caddy/Caddyfile')).toMatch(/@metrics path \/metrics\n\s+respond @metrics 404/);
});

it('container and units run as a user without rights, with the options of npm start', () => {
  const { scripts } = JSON.parse(read('package.json'));
  const options: string[] = scripts.start.match(/--\w+-semi-space-size=\d+/g);
  const dockerfile = read('Dockerfile');
  expect(dockerfile).toMatch(/^USER [1-9]\d+:[1-9]\d+$/m);
  for (const option of options) expect(dockerfile).toContain(`"${option}"`);
  for (const unit of ['dokima', 'dokima-worker']) {
    const text = read(`deploy/systemd/${unit}.service`);
    expect(text).toMatch(/^DynamicUser=yes$/m);
    expect(text).toContain(options.join(' '));
  }
});
