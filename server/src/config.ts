import { existsSync, readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { SIGN_UP_MODES, type SignUpMode } from './accounts/people/user-accounts.ts'
import { UserError } from './lib/errors.ts'
import { suggestName } from './lib/text/edit-distance.ts'

const NO_PROXIES: readonly string[] = []

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const

/** One setting: its parser, its default, and the texts for the help and for an invalid value. */
interface Setting<T> {
  /** Returns undefined if the text is invalid. */
  readonly parse: (text: string) => T | undefined
  readonly default: T
  readonly description: string
  /** Completes the sentence "it must be …" for an invalid value. */
  readonly expected: string
  /** Whether an error message must not repeat the value. */
  readonly secret?: boolean
}

/** Keys that are sent in a header: `fetch` throws on other characters, such as the ellipsis of an example. */
const HEADER_TEXT = /^[\x21-\x7e]+$/

/** Every setting of the service, by its environment variable. */
const SETTINGS = {
  PORT: wholeNumberSetting(0, 65_535, 8080, 'TCP port to listen on; 0 lets the system choose.'),
  HOST: textSetting(/^[A-Za-z0-9.:_-]+$/, '127.0.0.1', 'Address to listen on.', 'an IP address or a host name'),
  MARQUEE_DATA: textSetting(/./, './data', 'Folder that holds the catalog and the accounts.', 'the path of a folder'),
  MARQUEE_MAX_CONNECTIONS: wholeNumberSetting(
    1,
    1_000_000,
    1_024,
    'Open connections of one client network to each worker; trusted proxies excepted.',
  ),
  MARQUEE_MAX_STREAMS: wholeNumberSetting(
    0,
    20_000,
    10,
    'Open streams of changes of one key in each worker; 0 turns streams off.',
  ),
  MARQUEE_METRICS_PORT: {
    parse: (text) => (/^\d{1,5}$/.test(text) && Number(text) <= 65_535 ? text : undefined),
    default: '',
    description: 'TCP port of /metrics alone; by default it is on PORT.',
    expected: 'a number from 0 to 65535',
  },
  MARQUEE_METRICS_HOST: textSetting(
    /^[A-Za-z0-9.:_-]+$/,
    '127.0.0.1',
    'Address that MARQUEE_METRICS_PORT is on.',
    'an IP address or a host name',
  ),
  MARQUEE_METRICS_TOKEN: {
    ...textSetting(
      /^[\x21-\x7e]{16,200}$/,
      '',
      'Bearer token that /metrics requires.',
      '16 to 200 printable characters',
    ),
    secret: true,
  },
  MARQUEE_WORKERS: wholeNumberSetting(1, 1024, availableParallelism(), 'Worker processes; by default one per core.'),
  DATABASE_URL: {
    parse: parseDatabaseUrl,
    default: '',
    description: 'PostgreSQL as the system of record, shared by any number of nodes.',
    expected: 'a URL such as postgres://user:password@host:5432/database',
    secret: true,
  },
  MARQUEE_MAX_LAG: wholeNumberSetting(0, 86_400, 60, 'Replication lag in seconds beyond which a node is not ready.'),
  MARQUEE_LOG_DAYS: wholeNumberSetting(
    1,
    3_650,
    7,
    'Days of commits in the log; a node that was down for longer is bootstrapped again.',
  ),
  MARQUEE_MARKETPLACE: textSetting(
    /^[A-Za-z0-9]{1,32}$/,
    'Market',
    'Name of the marketplace in its key header.',
    'one to 32 letters and digits',
  ),
  MARQUEE_KEY_PREFIX: textSetting(
    /^[A-Za-z0-9_-]{1,32}$/,
    'mq-key-',
    'Prefix of direct keys.',
    'one to 32 letters, digits, hyphens and underscores',
  ),
  MARQUEE_MARKETPLACE_SECRET: {
    ...textSetting(
      /^[\x21-\x7e]{16,200}$/,
      '',
      'Shared secret that authenticates the marketplace.',
      '16 to 200 printable characters',
    ),
    secret: true,
  },
  MARQUEE_SIGN_UP: choiceSetting<SignUpMode | ''>(
    SIGN_UP_MODES,
    '',
    'Who may sign up: open, invited or closed. By default anyone in the demo, and nobody otherwise.',
  ),
  MARQUEE_CONTACT: textSetting(
    /^(?:[^\s@<>]+@[^\s@<>]+\.[^\s@<>]+|https?:\/\/\S+)$/,
    '',
    'How developers reach the operator; their pages show it.',
    'an e-mail address or a web address',
  ),
  MARQUEE_SMTP_URL: {
    parse: (text) => (/^smtps?:\/\/\S+$/.test(text) && URL.canParse(text) ? text : undefined),
    default: '',
    description: 'Mail server for links to set a new password and for invitations; needs MARQUEE_MAIL_FROM.',
    expected: 'an address such as smtps://user:password@mail.example:465',
    secret: true,
  },
  MARQUEE_MAIL_FROM: textSetting(
    /^(?:[^\r\n<>"]+ <)?[^\s@<>"]+@[^\s@<>"]+>?$/,
    '',
    'Sender of mails.',
    'an e-mail address, or a name with one in angle brackets',
  ),
  MARQUEE_PUBLIC_URL: textSetting(
    /^https?:\/\/[^\s/?#]+\/?$/,
    '',
    'Address at which browsers reach the service.',
    'an address such as https://marquee.example',
  ),
  MARQUEE_TRUSTED_PROXIES: {
    parse: parseNetworks,
    default: NO_PROXIES,
    description: 'Proxies whose X-Forwarded-For is trusted.',
    expected: 'a comma-separated list of addresses and networks such as 10.0.0.0/8, loopback',
  },
  MARQUEE_SECRET: {
    ...textSetting(
      /^[\x21-\x7e]{16,200}$/,
      '',
      'Secret that signs the visitor tokens of the web pages; random by default.',
      '16 to 200 printable characters',
    ),
    secret: true,
  },
  MARQUEE_VISITOR_QUOTA: wholeNumberSetting(
    1,
    1_000_000_000,
    5_000,
    'Requests a day with which the web pages call the API for one client network.',
  ),
  MARQUEE_COMPATIBILITY: choiceSetting(
    ['none', 'original'] as const,
    'none',
    'original: all that clients of the public service expect; sets MARQUEE_COUNTRIES=map, MARQUEE_KEY_PREFIX=motn-key- and MARQUEE_MARKETPLACE=Rapid where they are unset, and adds the quota headers of the marketplace.',
  ),
  MARQUEE_COUNTRIES: choiceSetting(['array', 'map'] as const, 'array', 'Shape of the response of /countries.'),
  MARQUEE_FAST_PATH: choiceSetting(
    ['on', 'off'] as const,
    'on',
    "Whether simple requests bypass Node's HTTP server; off is slower and has the same responses.",
  ),
  MARQUEE_RETENTION_DAYS: wholeNumberSetting(31, 3_650, 62, 'Days for which past changes are kept.'),
  MARQUEE_HISTORY_DAYS: {
    parse: (text) => (text === 'all' || (/^[1-9]\d{0,4}$/.test(text) && Number(text) <= 36_500) ? text : undefined),
    default: 'all',
    description: 'Days for which history is kept after an offer or a price has ended; all keeps it for good.',
    expected: 'all or a number from 1 to 36500',
  },
  MARQUEE_SOURCES: textSetting(/./, '', 'File of the schedule; by default sources.json in MARQUEE_DATA.', 'a path'),
  MARQUEE_PRIVATE_SOURCES: choiceSetting(
    ['refuse', 'allow'] as const,
    'refuse',
    'Whether scheduled feeds may be fetched from private addresses, and over plain HTTP.',
  ),
  MARQUEE_PRIVATE_WEBHOOKS: choiceSetting(
    ['refuse', 'allow'] as const,
    'refuse',
    'Whether webhooks may have private addresses, and plain HTTP.',
  ),
  MARQUEE_OPERATOR_WEBHOOK: textSetting(
    /^https?:\/\/\S+$/,
    '',
    'Address that is told of failed sources, a full disk and paused webhooks.',
    'a web address',
  ),
  MARQUEE_OPERATOR_WEBHOOK_SECRET: {
    ...textSetting(
      /^whsec_[A-Za-z0-9+/]{24,}={0,2}$/,
      '',
      'Secret that signs what MARQUEE_OPERATOR_WEBHOOK gets.',
      'whsec_ and at least 24 characters of base64',
    ),
    secret: true,
  },
  TMDB_TOKEN: {
    ...textSetting(
      HEADER_TEXT,
      '',
      'Your read access token (or API key) of TMDB, for `marquee sync tmdb`.',
      'a token of printable ASCII characters without spaces',
    ),
    secret: true,
  },
  TMDB_API: textSetting(
    /^https?:\/\/\S+$/,
    'https://api.themoviedb.org',
    'Address of the API of TMDB.',
    'a web address',
  ),
  TMDB_FILES: textSetting(
    /^https?:\/\/\S+$/,
    'https://files.tmdb.org',
    'Address of the daily files of TMDB.',
    'a web address',
  ),
  WATCHMODE_KEY: {
    ...textSetting(
      HEADER_TEXT,
      '',
      'Your API key of Watchmode, for `marquee sync watchmode`.',
      'a key of printable ASCII characters without spaces',
    ),
    secret: true,
  },
  WATCHMODE_API: textSetting(
    /^https?:\/\/\S+$/,
    'https://api.watchmode.com',
    'Address of the API of Watchmode.',
    'a web address',
  ),
  TVMAZE_API: textSetting(
    /^https?:\/\/\S+$/,
    'https://api.tvmaze.com',
    'Address of the API of TVmaze.',
    'a web address',
  ),
  V4_KEY: {
    ...textSetting(
      HEADER_TEXT,
      '',
      'Your key of the service that `marquee sync v4` copies from.',
      'a key of printable ASCII characters without spaces',
    ),
    secret: true,
  },
  OTEL_EXPORTER_OTLP_ENDPOINT: textSetting(
    /^https?:\/\/\S+$/,
    '',
    'Address of a collector of OpenTelemetry that gets traces of requests and imports (OTLP over HTTP).',
    'a web address',
  ),
  LOG_LEVEL: choiceSetting(LOG_LEVELS, 'info', 'Minimum level of log lines.'),
} as const satisfies Record<string, Setting<unknown>>

/** The values that MARQUEE_COMPATIBILITY=original gives to settings that are not set themselves. */
const ORIGINAL_DEFAULTS: Readonly<Record<string, string>> = {
  MARQUEE_COUNTRIES: 'map',
  MARQUEE_KEY_PREFIX: 'motn-key-',
  MARQUEE_MARKETPLACE: 'Rapid',
}

function wholeNumberSetting(min: number, max: number, defaultValue: number, description: string): Setting<number> {
  return {
    parse: (text) => {
      const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN
      return value >= min && value <= max ? value : undefined
    },
    default: defaultValue,
    description,
    expected: `a whole number from ${min} to ${max}`,
  }
}

function textSetting(pattern: RegExp, defaultValue: string, description: string, expected: string): Setting<string> {
  return { parse: (text) => (pattern.test(text) ? text : undefined), default: defaultValue, description, expected }
}

function choiceSetting<T extends string>(
  choices: readonly T[],
  defaultValue: NoInfer<T>,
  description: string,
): Setting<T> {
  const expected = `one of ${choices.join(', ')}`
  return { parse: (text) => choices.find((choice) => choice === text), default: defaultValue, description, expected }
}

function parseDatabaseUrl(text: string): string | undefined {
  if (!/^postgres(ql)?:\/\/\S+$/.test(text)) return undefined
  // The host may be a query parameter instead, such as the folder of a Unix socket; URL needs one to parse the rest.
  const url = text.replace('@/', '@localhost/')
  return URL.canParse(url) && /^\/[^/]+$/.test(new URL(url).pathname) ? text : undefined
}

function parseNetworks(text: string): readonly string[] | undefined {
  const entries = text.split(',').map((entry) => entry.trim())
  return entries.every(isNetwork) ? entries : undefined
}

function isNetwork(entry: string): boolean {
  const [address = '', bits, ...rest] = entry.split('/')
  if (['loopback', 'linklocal', 'uniquelocal'].includes(entry)) return true
  const version = isIP(address)
  const maxBits = version === 4 ? 32 : 128
  return (
    version !== 0 && rest.length === 0 && (bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= maxBits))
  )
}

/** The settings as the rest of the program sees them. */
export interface Settings {
  readonly port: number
  readonly host: string
  readonly dataDir: string
  /** Open connections of one client network to each worker. */
  readonly maxConnections: number
  /** Open streams of changes of one key in each worker. */
  readonly maxStreamsPerKey: number
  /** The port of the metrics alone; undefined if they are on the port of the service. */
  readonly metricsPort: number | undefined
  readonly metricsHost: string
  readonly metricsToken: string | undefined
  readonly workers: number
  /** Undefined if the local data directory is the system of record. */
  readonly databaseUrl: string | undefined
  readonly maxLagSeconds: number
  readonly logDays: number
  readonly marketplace: string
  readonly keyPrefix: string
  readonly marketplaceSecret: string | undefined
  /** Undefined for the default: anyone in the demo, nobody otherwise. */
  readonly signUp: SignUpMode | undefined
  /** An e-mail address or a web address of the operator. */
  readonly contact: string | undefined
  /** The mail server with its credentials, and the sender of mails; undefined if no mail is sent. */
  readonly smtpUrl: string | undefined
  readonly mailFrom: string | undefined
  readonly publicUrl: string | undefined
  readonly trustedProxies: readonly string[]
  /** Signs visitor tokens; undefined for a random secret per start. */
  readonly secret: string | undefined
  /** Requests a day of the web pages for one client network. */
  readonly visitorQuota: number
  readonly compatibility: 'none' | 'original'
  readonly countries: 'array' | 'map'
  readonly fastPath: 'on' | 'off'
  readonly retentionDays: number
  /** Infinity keeps all history. */
  readonly historyDays: number
  /** Path of the schedule. */
  readonly sourcesFile: string
  readonly privateSources: 'refuse' | 'allow'
  readonly privateWebhooks: 'refuse' | 'allow'
  readonly operatorWebhook: { readonly url: string | undefined; readonly secret: string | undefined }
  readonly tmdb: { readonly token: string; readonly api: string; readonly files: string }
  readonly watchmode: { readonly key: string; readonly api: string }
  readonly tvmazeApi: string
  /** The key of the service that a v4 sync copies from; empty if there is none. */
  readonly v4Key: string
  /** The base address of the collector that gets traces; undefined if there are none. */
  readonly traceCollector: string | undefined
  readonly logLevel: (typeof LOG_LEVELS)[number]
}

/** Thrown when settings are invalid; the message has one line for each problem. */
export class SettingsError extends UserError {
  override readonly name = 'SettingsError'
}

/** Reads all settings from the environment once. An empty variable counts as unset. */
export function readSettings(env: Readonly<Record<string, string | undefined>>): Settings {
  const problems: string[] = []
  const values: Record<string, unknown> = {}
  const implied = env.MARQUEE_COMPATIBILITY === 'original' ? ORIGINAL_DEFAULTS : {}
  for (const [variable, setting] of Object.entries<Setting<unknown>>(SETTINGS)) {
    const text = env[variable] || implied[variable]
    const value = text === undefined || text === '' ? setting.default : setting.parse(text)
    if (value === undefined && text !== undefined && text !== '') {
      const shown = setting.secret === true ? 'set' : JSON.stringify(text)
      problems.push(`${variable} is ${shown}; it must be ${setting.expected}`)
    }
    values[variable] = value
  }
  if (values.MARQUEE_SMTP_URL && values.MARQUEE_MAIL_FROM === '') {
    problems.push('MARQUEE_MAIL_FROM is not set; MARQUEE_SMTP_URL needs the sender of mails')
  }
  if (problems.length > 0) throw new SettingsError(`The settings cannot be used:\n${problems.join('\n')}`)
  const parsed = values as { [K in keyof typeof SETTINGS]: (typeof SETTINGS)[K]['default'] }
  return Object.freeze({
    port: parsed.PORT,
    host: parsed.HOST,
    dataDir: parsed.MARQUEE_DATA,
    maxConnections: parsed.MARQUEE_MAX_CONNECTIONS,
    maxStreamsPerKey: parsed.MARQUEE_MAX_STREAMS,
    metricsPort: parsed.MARQUEE_METRICS_PORT === '' ? undefined : Number(parsed.MARQUEE_METRICS_PORT),
    metricsHost: parsed.MARQUEE_METRICS_HOST,
    metricsToken: parsed.MARQUEE_METRICS_TOKEN || undefined,
    workers: parsed.MARQUEE_WORKERS,
    databaseUrl: parsed.DATABASE_URL || undefined,
    maxLagSeconds: parsed.MARQUEE_MAX_LAG,
    logDays: parsed.MARQUEE_LOG_DAYS,
    marketplace: parsed.MARQUEE_MARKETPLACE,
    keyPrefix: parsed.MARQUEE_KEY_PREFIX,
    marketplaceSecret: parsed.MARQUEE_MARKETPLACE_SECRET || undefined,
    signUp: parsed.MARQUEE_SIGN_UP || undefined,
    contact: parsed.MARQUEE_CONTACT || undefined,
    smtpUrl: parsed.MARQUEE_SMTP_URL || undefined,
    mailFrom: parsed.MARQUEE_MAIL_FROM || undefined,
    publicUrl: parsed.MARQUEE_PUBLIC_URL.replace(/\/$/, '') || undefined,
    trustedProxies: parsed.MARQUEE_TRUSTED_PROXIES,
    secret: parsed.MARQUEE_SECRET || undefined,
    visitorQuota: parsed.MARQUEE_VISITOR_QUOTA,
    compatibility: parsed.MARQUEE_COMPATIBILITY,
    countries: parsed.MARQUEE_COUNTRIES,
    fastPath: parsed.MARQUEE_FAST_PATH,
    retentionDays: parsed.MARQUEE_RETENTION_DAYS,
    historyDays: parsed.MARQUEE_HISTORY_DAYS === 'all' ? Number.POSITIVE_INFINITY : Number(parsed.MARQUEE_HISTORY_DAYS),
    sourcesFile: parsed.MARQUEE_SOURCES === '' ? join(parsed.MARQUEE_DATA, 'sources.json') : parsed.MARQUEE_SOURCES,
    privateSources: parsed.MARQUEE_PRIVATE_SOURCES,
    privateWebhooks: parsed.MARQUEE_PRIVATE_WEBHOOKS,
    operatorWebhook: Object.freeze({
      url: parsed.MARQUEE_OPERATOR_WEBHOOK || undefined,
      secret: parsed.MARQUEE_OPERATOR_WEBHOOK_SECRET || undefined,
    }),
    tmdb: Object.freeze({ token: parsed.TMDB_TOKEN, api: parsed.TMDB_API, files: parsed.TMDB_FILES }),
    watchmode: Object.freeze({ key: parsed.WATCHMODE_KEY, api: parsed.WATCHMODE_API }),
    tvmazeApi: parsed.TVMAZE_API,
    v4Key: parsed.V4_KEY,
    traceCollector: parsed.OTEL_EXPORTER_OTLP_ENDPOINT || undefined,
    logLevel: parsed.LOG_LEVEL,
  })
}

const ENV_FILE = '.env'

/** The settings that were read from the file, for `marquee config`. */
const settingsOfFile = new Set<string>()

/**
 * Adds the settings of a file `.env` in the current folder to the environment, where the environment does not have them.
 * Other variables of the file are left alone, but for those that are meant as settings, which are then reported.
 */
export function loadEnvFile(env: Record<string, string | undefined>, path = ENV_FILE): void {
  if (!existsSync(path)) return
  for (const [name, value] of Object.entries(parseEnv(readFileSync(path, 'utf8')))) {
    if (env[name] !== undefined || !(isSetting(name) || name.startsWith(PREFIX))) continue
    env[name] = value
    settingsOfFile.add(name)
  }
}

function isSetting(name: string): boolean {
  return Object.hasOwn(SETTINGS, name)
}

const PREFIX = 'MARQUEE_'

/** Variables that only the tests and the build read. */
const OTHER_VARIABLES = /^MARQUEE_(?:TEST_|REQUIRE_ALL$|COMMIT$)/

/** A line for each variable that looks like a setting and is none, with what was probably meant. */
export function describeUnknownSettings(env: Readonly<Record<string, string | undefined>>): string[] {
  const names = Object.keys(env).filter((name) => name.startsWith(PREFIX) && !OTHER_VARIABLES.test(name))
  return names
    .filter((name) => !isSetting(name))
    .map((name) => {
      const meant = suggestName(name.slice(PREFIX.length), SETTING_NAMES)
      return `There is no setting ${name}${meant === undefined ? '' : `; did you mean ${PREFIX}${meant}?`}`
    })
}

const SETTING_NAMES = Object.keys(SETTINGS).flatMap((name) =>
  name.startsWith(PREFIX) ? name.slice(PREFIX.length) : [],
)

/** A setting as `marquee config` lists it. */
export interface ListedSetting {
  readonly name: string
  /** As text; masked if it is secret, empty if there is none. */
  readonly value: string
  readonly source: 'environment' | '.env' | 'MARQUEE_COMPATIBILITY' | 'default'
  readonly description: string
}

/** Every setting with its value and where that comes from. Secrets are masked. */
export function listSettings(env: Readonly<Record<string, string | undefined>>): ListedSetting[] {
  const implied = env.MARQUEE_COMPATIBILITY === 'original' ? ORIGINAL_DEFAULTS : {}
  return Object.entries<Setting<unknown>>(SETTINGS).map(([name, setting]) => {
    const text = env[name] || implied[name] || String(setting.default)
    const given = settingsOfFile.has(name) ? ENV_FILE : 'environment'
    const source = env[name] ? given : implied[name] === undefined ? 'default' : 'MARQUEE_COMPATIBILITY'
    const value = setting.secret === true && text !== '' ? '********' : text
    return { name, value, source, description: setting.description }
  })
}

/** The help text of the settings: name, description and default, one per line. */
export function describeSettings(): string {
  const settings = Object.entries<Setting<unknown>>(SETTINGS).filter(([, setting]) => setting.default !== undefined)
  const width = Math.max(...settings.map(([variable]) => variable.length))
  return settings
    .map(([variable, setting]) => {
      const defaultText = String(setting.default)
      return `  ${variable.padEnd(width)}  ${setting.description} (${defaultText === '' ? 'none' : defaultText})`
    })
    .join('\n')
}

/** The address of the service as far as the settings tell: the public one, or that on this machine. */
export function serviceAddress({ publicUrl, host, port }: Pick<Settings, 'publicUrl' | 'host' | 'port'>): string {
  return publicUrl ?? `http://${toReachableHost(host)}:${port}`
}

/** A host by which this machine reaches a service that listens on the given address. */
export function toReachableHost(address: string): string {
  const host = ['', '0.0.0.0', '::'].includes(address) ? '127.0.0.1' : address
  return host.includes(':') ? `[${host}]` : host
}
