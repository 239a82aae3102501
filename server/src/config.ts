import { isIP } from 'node:net'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { SIGN_UP_MODES, type SignUpMode } from './accounts/people/user-accounts.ts'
import { UserError } from './lib/user-error.ts'

const NO_PROXIES: readonly string[] = []

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const

/** One setting: how its text is read, what it is unless said otherwise, and what is said when it cannot be read. */
interface Setting<T> {
  /** The value, or undefined where the text is not what is expected. */
  readonly read: (text: string) => T | undefined
  readonly default: T
  readonly description: string
  /** Completes the sentence "it must be …" when a value is refused. */
  readonly expected: string
  /** A refused value may hold a password: it is named, not repeated. */
  readonly secret?: boolean
}

/** Every setting of the service, by the environment variable that holds it. */
const SETTINGS = {
  PORT: wholeNumber(0, 65_535, 8080, 'TCP port to listen on; 0 lets the system choose.'),
  HOST: matching(/^[A-Za-z0-9.:_-]+$/, '127.0.0.1', 'Address to listen on.', 'an IP address or a host name'),
  MARQUEE_DATA: matching(/./, './data', 'Folder that holds the catalog and the accounts.', 'the path of a folder'),
  MARQUEE_WORKERS: wholeNumber(1, 1024, availableParallelism(), 'Processes that serve; by default one for each core.'),
  DATABASE_URL: {
    read: databaseUrl,
    default: '',
    description: 'PostgreSQL as the system of record, shared by any number of nodes.',
    expected: 'a URL such as postgres://user:password@host:5432/database',
    secret: true,
  },
  MARQUEE_MAX_LAG: wholeNumber(0, 86_400, 60, 'Seconds that a ready node may know of commits that it does not hold.'),
  MARQUEE_LOG_DAYS: wholeNumber(1, 3_650, 7, 'How many days nodes can sleep and still catch up commit by commit.'),
  MARQUEE_MARKETPLACE: matching(
    /^[A-Za-z0-9]{1,32}$/,
    'Market',
    "The marketplace's name, as it stands in its key header.",
    'one to 32 letters and digits',
  ),
  MARQUEE_KEY_PREFIX: matching(
    /^[A-Za-z0-9_-]{1,32}$/,
    'mq-key-',
    'What every direct key starts with.',
    'one to 32 letters, digits, hyphens and underscores',
  ),
  MARQUEE_MARKETPLACE_SECRET: {
    ...matching(
      /^[\x21-\x7e]{16,200}$/,
      '',
      'What the marketplace proves itself with.',
      '16 to 200 printable characters',
    ),
    secret: true,
  },
  MARQUEE_SIGN_UP: oneOf(SIGN_UP_MODES, 'open', 'Who may make an account.'),
  MARQUEE_PUBLIC_URL: matching(
    /^https?:\/\/[^\s/?#]+\/?$/,
    '',
    'The address under which browsers reach the service.',
    'an address such as https://marquee.example',
  ),
  MARQUEE_TRUSTED_PROXIES: {
    read: addressList,
    default: NO_PROXIES,
    description: 'Proxies whose X-Forwarded-For is believed.',
    expected: 'a list of addresses and networks such as 10.0.0.0/8, loopback, with commas between them',
  },
  MARQUEE_SECRET: {
    ...matching(
      /^[\x21-\x7e]{16,200}$/,
      '',
      'What passes of the web pages are signed with.',
      '16 to 200 printable characters',
    ),
    secret: true,
  },
  MARQUEE_COUNTRIES: oneOf(['array', 'map'] as const, 'array', 'The shape in which /countries answers.'),
  MARQUEE_FAST_PATH: oneOf(
    ['on', 'off'] as const,
    'on',
    "Whether simple requests bypass Node's HTTP server; off is slower and has the same responses.",
  ),
  MARQUEE_RETENTION_DAYS: wholeNumber(31, 3_650, 62, 'How many days past changes are kept.'),
  MARQUEE_SOURCES: matching(
    /./,
    '',
    'The schedule of imports and syncs; otherwise sources.json in MARQUEE_DATA.',
    'a path',
  ),
  MARQUEE_PRIVATE_SOURCES: oneOf(
    ['refuse', 'allow'] as const,
    'refuse',
    'Whether scheduled feeds may be fetched from private addresses, and over plain HTTP.',
  ),
  TMDB_TOKEN: {
    ...matching(
      /^\S+$/,
      '',
      'Your read access token (or API key) of TMDB, for `marquee sync tmdb`.',
      'a token without spaces',
    ),
    secret: true,
  },
  TMDB_API: matching(/^https?:\/\/\S+$/, 'https://api.themoviedb.org', "Where TMDB's interface is.", 'a web address'),
  TMDB_FILES: matching(/^https?:\/\/\S+$/, 'https://files.tmdb.org', "Where TMDB's daily files are.", 'a web address'),
  LOG_LEVEL: oneOf(LOG_LEVELS, 'info', 'The least severe lines that are logged.'),
} as const satisfies Record<string, Setting<unknown>>

function wholeNumber(least: number, most: number, usual: number, description: string): Setting<number> {
  return {
    read: (text) => {
      const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN
      return value >= least && value <= most ? value : undefined
    },
    default: usual,
    description,
    expected: `a whole number from ${least} to ${most}`,
  }
}

function matching(pattern: RegExp, usual: string, description: string, expected: string): Setting<string> {
  return { read: (text) => (pattern.test(text) ? text : undefined), default: usual, description, expected }
}

function oneOf<T extends string>(words: readonly T[], usual: NoInfer<T>, description: string): Setting<T> {
  const expected = `one of ${words.join(', ')}`
  return { read: (text) => words.find((word) => word === text), default: usual, description, expected }
}

function databaseUrl(text: string): string | undefined {
  if (!/^postgres(ql)?:\/\/\S+$/.test(text)) return undefined
  // A host may also be a parameter, such as the folder of a socket, and is then missing after the user.
  const whole = text.replace('@/', '@localhost/')
  return URL.canParse(whole) && /^\/[^/]+$/.test(new URL(whole).pathname) ? text : undefined
}

function addressList(text: string): readonly string[] | undefined {
  const entries = text.split(',').map((entry) => entry.trim())
  return entries.every(isNetwork) ? entries : undefined
}

function isNetwork(entry: string): boolean {
  const [address = '', bits, ...rest] = entry.split('/')
  if (['loopback', 'linklocal', 'uniquelocal'].includes(entry)) return true
  const version = isIP(address)
  const most = version === 4 ? 32 : 128
  return version !== 0 && rest.length === 0 && (bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= most))
}

/** The settings as the rest of the program sees them. */
export interface Settings {
  readonly port: number
  readonly host: string
  readonly dataDir: string
  readonly workers: number
  /** Undefined where the data directory itself is the system of record. */
  readonly databaseUrl: string | undefined
  readonly maxLagSeconds: number
  readonly logDays: number
  readonly marketplace: string
  readonly keyPrefix: string
  readonly marketplaceSecret: string | undefined
  readonly signUp: SignUpMode
  readonly publicUrl: string | undefined
  readonly trustedProxies: readonly string[]
  /** What passes of the web pages are signed with, if the operator chose it. */
  readonly secret: string | undefined
  readonly countries: 'array' | 'map'
  readonly fastPath: 'on' | 'off'
  readonly retentionDays: number
  /** Where the schedule is. */
  readonly sourcesFile: string
  readonly privateSources: 'refuse' | 'allow'
  readonly tmdb: { readonly token: string; readonly api: string; readonly files: string }
  readonly logLevel: (typeof LOG_LEVELS)[number]
}

/** Thrown when settings cannot be used; the message has one line for each problem. */
export class SettingsError extends UserError {
  override readonly name = 'SettingsError'
}

/** Reads all settings from the environment once. An empty variable counts as unset. */
export function readSettings(env: Readonly<Record<string, string | undefined>>): Settings {
  const problems: string[] = []
  const values: Record<string, unknown> = {}
  for (const [variable, setting] of Object.entries<Setting<unknown>>(SETTINGS)) {
    const text = env[variable]
    const value = text === undefined || text === '' ? setting.default : setting.read(text)
    if (value === undefined && text !== undefined && text !== '') {
      const shown = setting.secret === true ? 'set' : JSON.stringify(text)
      problems.push(`${variable} is ${shown}; it must be ${setting.expected}`)
    }
    values[variable] = value
  }
  if (problems.length > 0) throw new SettingsError(`The settings cannot be used:\n${problems.join('\n')}`)
  const read = values as { [K in keyof typeof SETTINGS]: (typeof SETTINGS)[K]['default'] }
  return Object.freeze({
    port: read.PORT,
    host: read.HOST,
    dataDir: read.MARQUEE_DATA,
    workers: read.MARQUEE_WORKERS,
    databaseUrl: read.DATABASE_URL || undefined,
    maxLagSeconds: read.MARQUEE_MAX_LAG,
    logDays: read.MARQUEE_LOG_DAYS,
    marketplace: read.MARQUEE_MARKETPLACE,
    keyPrefix: read.MARQUEE_KEY_PREFIX,
    marketplaceSecret: read.MARQUEE_MARKETPLACE_SECRET || undefined,
    signUp: read.MARQUEE_SIGN_UP,
    publicUrl: read.MARQUEE_PUBLIC_URL.replace(/\/$/, '') || undefined,
    trustedProxies: read.MARQUEE_TRUSTED_PROXIES,
    secret: read.MARQUEE_SECRET || undefined,
    countries: read.MARQUEE_COUNTRIES,
    fastPath: read.MARQUEE_FAST_PATH,
    retentionDays: read.MARQUEE_RETENTION_DAYS,
    sourcesFile: read.MARQUEE_SOURCES === '' ? join(read.MARQUEE_DATA, 'sources.json') : read.MARQUEE_SOURCES,
    privateSources: read.MARQUEE_PRIVATE_SOURCES,
    tmdb: Object.freeze({ token: read.TMDB_TOKEN, api: read.TMDB_API, files: read.TMDB_FILES }),
    logLevel: read.LOG_LEVEL,
  })
}

/** The settings that can be given, each with its meaning and what it is otherwise, a line each. */
export function describeSettings(): string {
  const usable = Object.entries<Setting<unknown>>(SETTINGS).filter(([, setting]) => setting.default !== undefined)
  const width = Math.max(...usable.map(([variable]) => variable.length))
  return usable
    .map(([variable, setting]) => {
      const usual = String(setting.default)
      return `  ${variable.padEnd(width)}  ${setting.description} (${usual === '' ? 'none' : usual})`
    })
    .join('\n')
}

/** An address under which a service that listens on the given one can be reached from this machine. */
export function toReachableHost(address: string): string {
  const host = ['', '0.0.0.0', '::'].includes(address) ? '127.0.0.1' : address
  return host.includes(':') ? `[${host}]` : host
}
