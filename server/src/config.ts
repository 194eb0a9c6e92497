import { type Static, type TSchema, Type } from 'typebox';
import { Format } from 'typebox/format';
import { readGroupRoles } from './accounts/roles.ts';
import { isAddressList } from './engine/models/allowed-addresses.ts';
import { isOrigin } from './platform/http/allow-origins.ts';
import { basePathOf, isBasePath } from './platform/http/base-path.ts';
import { isNetwork, listOf } from './platform/networks.ts';
import { oneOf } from './platform/one-of.ts';
import { validator } from './platform/validation.ts';

const Port = Type.Integer({
  minimum: 0,
  maximum: 65535,
  default: 3000,
  description: 'Port to listen on; 0 takes a free one.',
});
const Flag = (value: boolean, description: string) =>
  Type.Boolean({ default: value, expects: 'true or false', description });
const optionalText = (description: string) => Type.Optional(Type.String({ minLength: 1, description }));
Format.Set('address', URL.canParse);
Format.Set('group roles', (text) => readGroupRoles(text) !== undefined);
Format.Set('allowed addresses', isAddressList);
Format.Set('origins', (text) => listOf(text).every(isOrigin));
Format.Set('addresses', (text) => listOf(text).every(isNetwork));
const Address = (pattern: string, expects: string, description: string) =>
  Type.Optional(Type.String({ format: 'address', pattern, expects, description }));
const ProxyAddress = (scheme: string) =>
  Address(
    '^https?://[^/?#]+/?$',
    'a URL like http://proxy.example.com:3128',
    `Proxy for calls to ${scheme} addresses of models, endpoints, webhooks, single sign-on and the store of attachments (docs/operations.md). Also in lower case. Default: none.`,
  );

/** All settings, by their names in the environment. docs/settings.md is made from this. */
export const Settings = Type.Object({
  PORT: Port,
  HOST: Type.String({
    default: '127.0.0.1',
    description:
      'Address to listen on. The default is reachable from this machine only; 0.0.0.0 opens it to the network.',
  }),
  DATABASE_URL: Type.Optional(
    Type.String({
      pattern: '^postgres(ql)?://',
      expects: 'a URL like postgres://user:password@host:5432/database',
      description:
        'PostgreSQL 15 or newer, directly or through a connection pooler such as PgBouncer. Without it the database is embedded and lives in DOKIMA_DATA_DIR.',
    }),
  ),
  DATABASE_REPLICA_URL: Type.Optional(
    Type.String({
      pattern: '^postgres(ql)?://',
      expects: 'a URL like postgres://user:password@host:5432/database',
      description:
        'Streaming standby of DATABASE_URL, for analyses, dashboards and exports (docs/operations.md). While it is unavailable or behind, they read DATABASE_URL. Default: none.',
    }),
  ),
  DOKIMA_DATA_DIR: Type.String({
    default: '.dokima',
    description: 'Directory for the embedded database, attachments and the generated secret.',
  }),
  DOKIMA_PUBLIC_URL: Address(
    '^https?://[^?#@]*[^/?#@]$',
    'a URL like https://dokima.example.com or https://example.com/dokima, without a slash at the end',
    'Address at which clients reach the service, with its path if a proxy gives it one (docs/operations.md). Links begin with it. Default: the Host of the request.',
  ),
  DOKIMA_TRUSTED_PROXIES: Type.Optional(
    Type.String({
      format: 'addresses',
      expects: 'addresses and networks with commas between them, such as 127.0.0.1, 10.0.0.0/8',
      description:
        'Proxies in front of the service, as addresses and networks with commas between them. Their X-Forwarded-For, -Proto and -Host are trusted, so that limits count the client instead of the proxy. Default: none.',
    }),
  ),
  DOKIMA_ALLOWED_ORIGINS: Type.Optional(
    Type.String({
      format: 'origins',
      expects: 'origins with commas between them, such as https://app.example.com, or *',
      description:
        'Sites whose scripts may use the API and send traces with a key, as origins with commas between them, such as `https://app.example.com`; `*` is every site. The session cookie is never allowed. Default: none.',
    }),
  ),
  DOKIMA_BOOTSTRAP_API_KEY: Type.Optional(
    Type.String({
      pattern: '^ak_[A-Za-z0-9_-]{20,}$',
      expects: 'ak_ and at least 20 letters, digits, - or _',
      description:
        'API key that is valid from the first start. Default: the first start generates one and prints it once.',
    }),
  ),
  DOKIMA_OPERATOR_KEY: Type.Optional(
    Type.String({
      pattern: '^[A-Za-z0-9_-]{32,200}$',
      expects: 'at least 32 letters, digits, - or _',
      description:
        'Key of the operator, who creates organizations and sign-in links (`dokima organization`, docs/accounts.md). Default: none, and one organization.',
    }),
  ),
  DOKIMA_SESSION_HOURS: Type.Integer({
    minimum: 1,
    maximum: 8_760,
    default: 720,
    description: 'Hours after which a person must sign in again. A new value also counts for open sessions.',
  }),
  DOKIMA_SESSION_IDLE_MINUTES: Type.Integer({
    minimum: 0,
    maximum: 525_600,
    default: 0,
    description:
      'Minutes without use after which a session ends. An open page counts as use only while a person uses it. 0 means no limit.',
  }),
  DOKIMA_OIDC_ISSUER: Address(
    String.raw`^(https://|http://(localhost|127\.0\.0\.1|\[::1\])[:/])[^?#]*$`,
    'a URL like https://login.example.com, or http:// on this machine',
    'Issuer of the OpenID Connect provider for single sign-on (docs/accounts.md). Needs DOKIMA_OIDC_CLIENT_ID, DOKIMA_OIDC_CLIENT_SECRET and DOKIMA_PUBLIC_URL. Its redirect URI is `DOKIMA_PUBLIC_URL/sso/callback`. Default: sign-in by password.',
  ),
  DOKIMA_OIDC_CLIENT_ID: optionalText('Id of this service at the provider.'),
  DOKIMA_OIDC_CLIENT_SECRET: optionalText('Secret of this service at the provider.'),
  DOKIMA_OIDC_NAME: Type.String({
    default: 'single sign-on',
    maxLength: 60,
    description: 'Name of the provider on the sign-in page: "Sign in with …".',
  }),
  DOKIMA_OIDC_REQUIRED: Flag(
    false,
    'Whether passwords are off. Links of the operator still work, so that a wrong setting locks no one out.',
  ),
  DOKIMA_OIDC_DEFAULT_ROLE: Type.Union(
    [
      Type.Literal('none'),
      Type.Literal('viewer'),
      Type.Literal('annotator'),
      Type.Literal('member'),
      Type.Literal('admin'),
    ],
    {
      default: 'none',
      description:
        'Role of people who sign in for the first time and whose groups give none. With `none`, only members and people of a group in DOKIMA_GROUP_ROLES can sign in.',
    },
  ),
  DOKIMA_OIDC_ORGANIZATION: Type.Optional(
    Type.String({
      pattern: '^[1-9][0-9]{0,17}$',
      expects: 'the id of an organization',
      description: 'Organization that people join at their first sign-in. Default: the oldest.',
    }),
  ),
  DOKIMA_GROUP_ROLES: Type.String({
    default: '',
    format: 'group roles',
    expects: 'groups with roles, such as dokima-admins:admin,ml:member',
    description:
      'Roles of groups, from the ID token and from SCIM, such as `dokima-admins:admin,ml:member`. The highest counts, at each sign-in. With this setting the directory decides: without such a group and without DOKIMA_OIDC_DEFAULT_ROLE, sign-in is refused.',
  }),
  DOKIMA_OIDC_GROUPS_CLAIM: Type.String({
    minLength: 1,
    default: 'groups',
    description: 'Claim of the ID token that lists the groups.',
  }),
  DOKIMA_OIDC_SCOPES: Type.String({
    pattern: '^openid( |$)',
    expects: 'openid and further scopes',
    default: 'openid email profile',
    description: 'Scopes of the sign-in.',
  }),
  DOKIMA_OIDC_TRUST_EMAIL: Flag(
    false,
    'Whether an address counts as verified if the provider says neither email_verified nor xms_edov. Only for a provider whose users cannot choose their address.',
  ),
  DOKIMA_SECRET: Type.Optional(
    Type.String({
      minLength: 32,
      description:
        'Signs cursors and links, and encrypts the keys of providers. After a change, those keys must be entered again. All processes on one database need the same secret. Default: the first start generates one and keeps it in DOKIMA_DATA_DIR.',
    }),
  ),
  DOKIMA_JUDGE_MODEL: optionalText(
    'evalModelName of AI metrics that name none, for organizations that have set no default themselves.',
  ),
  OPENAI_API_KEY: optionalText('OpenAI key for organizations that have no OpenAI provider.'),
  OPENAI_BASE_URL: Address(
    '^https?://[^?#]+$',
    'a URL like https://proxy.example.com/v1, without ? and #',
    'Base URL of the OpenAI API, if it is not the default: a proxy, or a server with the same API.',
  ),
  ANTHROPIC_API_KEY: optionalText('Anthropic key for organizations that have no Anthropic provider.'),
  GOOGLE_GENERATIVE_AI_API_KEY: optionalText('Google key for organizations that have no Google provider.'),
  DOKIMA_ALLOW_PRIVATE_ADDRESSES: Type.String({
    default: 'false',
    format: 'allowed addresses',
    expects:
      'true, false, or hosts and networks with commas between them, such as localhost:11434, 10.1.0.0/16',
    description:
      'Private, loopback and link-local addresses that models and endpoints may have: hosts and networks with commas between them, each with a port or without, such as `localhost:11434` for Ollama on this machine. `true` allows all. Metadata services of clouds are always refused.',
  }),
  HTTPS_PROXY: ProxyAddress('https://'),
  HTTP_PROXY: ProxyAddress('http://'),
  NO_PROXY: optionalText(
    'What is reached without a proxy, with commas between: hosts (with their subdomains), each with a port or without, addresses and networks, or `*` for all. This machine always is.',
  ),
  DOKIMA_REUSE_VERDICTS: Flag(
    true,
    'Whether a judge at temperature 0 reuses its earlier verdict for the same prompt.',
  ),
  DOKIMA_PRICES_FILE: optionalText(
    'JSON file with prices of models, in the form of docs/judges.md or that of LiteLLM. It adds to and overrides the built-in table, which is not kept up to date (docs/judges.md).',
  ),
  DOKIMA_PRICES_URL: Address(
    '^https?://[^@#]+$',
    'a URL like https://example.com/prices.json, without a user name',
    'Address of a list of prices in one of these forms, which is read once a day. It adds to and overrides the built-in table; the file comes before it (docs/judges.md). Default: none.',
  ),
  DOKIMA_WORKERS: Type.Integer({
    minimum: 0,
    maximum: 64,
    default: 2,
    description:
      'Number of sandbox processes for each language in this process; 0 leaves scoring to other processes (`npm run worker`).',
  }),
  DOKIMA_WORKER_PORT: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 65535,
      description:
        'Port on which a process that only scores (`npm run worker`) answers /healthz, /readyz and /metrics; 0 takes a free one. Default: none.',
    }),
  ),
  DOKIMA_DEMO: Type.Union([Type.Literal('on'), Type.Literal('off')], {
    default: 'on',
    description: 'Whether the first start creates a demo project.',
  }),
  DOKIMA_PAGES: Type.Union([Type.Literal('on'), Type.Literal('off')], {
    default: 'on',
    description: 'Whether the service has its web pages and /docs; `off` leaves the API alone.',
  }),
  DOKIMA_OTLP_GRPC_PORT: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 65535,
      description:
        'Port for OpenTelemetry traces over gRPC, without TLS; by convention 4317, and 0 takes a free one. Default: traces over HTTP only.',
    }),
  ),
  DOKIMA_SPANS_WITHOUT_PROJECT: Type.Union([Type.Literal('oldest'), Type.Literal('refuse')], {
    default: 'oldest',
    description:
      'Destination of spans that name no existing project, if neither their trace nor their key has one: `oldest` stores them in the oldest project of the organization, `refuse` rejects them (docs/tracing.md).',
  }),
  DOKIMA_RATE_LIMIT_PER_MINUTE: Type.Integer({
    minimum: 0,
    default: 0,
    description:
      'Requests per minute that one key may send to one process, counted separately for traces. Further requests get 429. 0 means no limit.',
  }),
  DOKIMA_LOG_LEVEL: oneOf(['fatal', 'error', 'warn', 'info', 'debug', 'silent'], {
    default: 'info',
    description: 'Lowest level that is logged.',
  }),
  DOKIMA_MAX_ATTACHMENT_MB: Type.Integer({
    minimum: 1,
    maximum: 1_000_000,
    default: 1024,
    description: 'Size of the largest attachment, in MB of 1,048,576 bytes.',
  }),
  DOKIMA_ATTACHMENT_QUOTA_MB: Type.Integer({
    minimum: 0,
    maximum: 1_000_000_000,
    default: 0,
    description: 'Size that the attachments of one organization may have together, in MB. 0 means no limit.',
  }),
  DOKIMA_SMTP_URL: Address(
    '^smtps?://',
    'a URL like smtps://user:password@smtp.example.com:465',
    'Mail server for alerts by e-mail. Default: no e-mail.',
  ),
  DOKIMA_MAIL_FROM: optionalText(
    'Sender of mails, such as `Dokima <dokima@example.com>`; required with DOKIMA_SMTP_URL.',
  ),
  DOKIMA_S3_ENDPOINT: Address(
    '^https?://',
    'a URL like https://s3.eu-central-1.amazonaws.com',
    'S3-compatible store for attachments. Default: files in DOKIMA_DATA_DIR.',
  ),
  DOKIMA_S3_BUCKET: optionalText('Bucket for attachments; required with DOKIMA_S3_ENDPOINT.'),
  DOKIMA_S3_REGION: Type.String({
    default: 'us-east-1',
    description: 'Region for signatures of S3 requests.',
  }),
  DOKIMA_S3_ACCESS_KEY_ID: optionalText('Access key of the store; required with DOKIMA_S3_ENDPOINT.'),
  DOKIMA_S3_SECRET_ACCESS_KEY: optionalText('Secret key of the store; required with DOKIMA_S3_ENDPOINT.'),
});

export type Config = Static<typeof Settings>;

const settingsProblems = validator(Settings);

/**
 * Settings that must be set together. With only some settings of the store, attachments would silently be files on this machine; with only
 * some of single sign-on, its button would silently be missing.
 */
const together = [
  {
    all: ['DOKIMA_S3_ENDPOINT', 'DOKIMA_S3_BUCKET', 'DOKIMA_S3_ACCESS_KEY_ID', 'DOKIMA_S3_SECRET_ACCESS_KEY'],
    also: [],
  },
  { all: ['DOKIMA_SMTP_URL', 'DOKIMA_MAIL_FROM'], also: [] },
  {
    all: ['DOKIMA_OIDC_ISSUER', 'DOKIMA_OIDC_CLIENT_ID', 'DOKIMA_OIDC_CLIENT_SECRET'],
    also: ['DOKIMA_PUBLIC_URL'],
  },
];

const read = (name: string, setting: TSchema, environment: NodeJS.ProcessEnv): unknown => {
  const schema = setting as { type?: string; default?: unknown };
  // Other programs read the settings of a proxy in lower case.
  const text = environment[name] || (name.endsWith('_PROXY') ? environment[name.toLowerCase()] : undefined);
  if (text === undefined || text === '') return schema.default;
  if (schema.type === 'boolean' && /^(true|false)$/.test(text)) return text === 'true';
  return schema.type === 'integer' && /^\d{1,15}$/.test(text) ? Number(text) : text;
};

/** Settings of the command line, of clients and of tests, which one environment may hold too. */
const ofOthers =
  /^DOKIMA_(?:API_KEY|URL|PROJECT|PROJECT_ID|TESTSET|RUN|METRICS?|MARK|FILE|COMMIT|COMMAND|REPOSITORY|REF|BASELINE|IMAGE|ENDPOINT|CONFIG|CONCURRENCY|TESTS?_\w+|EXAMPLES|PICTURES|SLOW_TESTS|FUZZ)$/;
/** Kubernetes describes a service that is called `dokima` in these. */
const ofKubernetes = /^DOKIMA_(?:SERVICE_\w+|PORT(?:_\w+)?)$/;

/** A mistyped setting would leave its default in force, which may be the less safe one. */
const unknownSettings = (environment: NodeJS.ProcessEnv): string[] =>
  Object.keys(environment)
    .filter((name) => name.startsWith('DOKIMA_') && !Object.hasOwn(Settings.properties, name))
    .filter((name) => !ofOthers.test(name) && !ofKubernetes.test(name))
    .map((name) => `${name} is not a setting of this version`);

/** Reads the settings. Throws one error that names every invalid setting and what it must be. */
export const readConfig = (environment: NodeJS.ProcessEnv): Config => {
  const config = Object.fromEntries(
    Object.entries(Settings.properties).flatMap(([name, schema]) => {
      const value = read(name, schema, environment);
      return value === undefined ? [] : [[name, value]];
    }),
  );
  const problems = settingsProblems(config).map(({ path, message }) => `${path.slice(1)} ${message}`);
  for (const { all, also } of together) {
    const given = all.find((name) => config[name]);
    const missing = given ? [...all, ...also].filter((name) => !config[name]) : [];
    problems.push(...missing.map((name) => `${name} must be set, because ${given} is`));
  }
  problems.push(...unknownSettings(environment));
  const { DOKIMA_PUBLIC_URL: publicUrl } = config as { DOKIMA_PUBLIC_URL?: string };
  if (publicUrl && URL.canParse(publicUrl) && !isBasePath(basePathOf(publicUrl)))
    problems.push(
      'DOKIMA_PUBLIC_URL must have a path of letters, digits, - and . that the service has not itself',
    );
  if (config.DOKIMA_OIDC_REQUIRED && !config.DOKIMA_OIDC_ISSUER)
    problems.push('DOKIMA_OIDC_ISSUER must be set, because DOKIMA_OIDC_REQUIRED is');
  if (problems.length > 0) {
    throw new Error(
      `Settings that can't be used:\n${problems.map((problem) => `  ${problem}`).join('\n')}\nSee docs/settings.md.`,
    );
  }
  return config as Config;
};
