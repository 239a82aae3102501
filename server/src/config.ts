import { availableParallelism } from 'node:os'
import Type, { type Static } from 'typebox'
import Value from 'typebox/value'

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const

/**
 * Every setting of the service, by the environment variable that holds it. `expected` completes the sentence
 * "it must be …" when a value is refused.
 */
export const settingsSchema = Type.Object({
  PORT: Type.Integer({
    minimum: 0,
    maximum: 65_535,
    default: 8080,
    description: 'TCP port to listen on; 0 lets the system choose.',
    expected: 'a whole number from 0 to 65535',
  }),
  HOST: Type.String({
    pattern: '^[A-Za-z0-9.:_-]+$',
    default: '127.0.0.1',
    description: 'Address to listen on.',
    expected: 'an IP address or a host name',
  }),
  MARQUEE_DATA: Type.String({
    minLength: 1,
    default: './data',
    description: 'Folder that holds the catalog and the accounts.',
    expected: 'the path of a folder',
  }),
  MARQUEE_WORKERS: Type.Integer({
    minimum: 1,
    maximum: 1024,
    description: 'Processes that serve; by default one for each core.',
    expected: 'a whole number from 1 to 1024',
  }),
  DATABASE_URL: Type.Optional(
    Type.Never({
      description: 'PostgreSQL as the system of record.',
      expected: 'left unset: this version keeps its ledger and accounts in MARQUEE_DATA and has no PostgreSQL ledger',
      secret: true,
    }),
  ),
  MARQUEE_MARKETPLACE: Type.String({
    pattern: '^[A-Za-z0-9]{1,32}$',
    default: 'Market',
    description: "The marketplace's name, as it stands in its key header.",
    expected: 'one to 32 letters and digits',
  }),
  MARQUEE_KEY_PREFIX: Type.String({
    pattern: '^[A-Za-z0-9_-]{1,32}$',
    default: 'mq-key-',
    description: 'What every direct key starts with.',
    expected: 'one to 32 letters, digits, hyphens and underscores',
  }),
  MARQUEE_COUNTRIES: Type.Enum(['array', 'map'], {
    default: 'array',
    description: 'The shape in which /countries answers.',
    expected: 'array or map',
  }),
  MARQUEE_RETENTION_DAYS: Type.Integer({
    minimum: 31,
    maximum: 3_650,
    default: 62,
    description: 'How many days past changes are kept.',
    expected: 'a whole number from 31 to 3650',
  }),
  LOG_LEVEL: Type.Enum(LOG_LEVELS, {
    default: 'info',
    description: 'The least severe lines that are logged.',
    expected: `one of ${LOG_LEVELS.join(', ')}`,
  }),
})

/** The settings as the rest of the program sees them. */
export interface Settings {
  readonly port: number
  readonly host: string
  readonly dataDir: string
  readonly workers: number
  readonly marketplace: string
  readonly keyPrefix: string
  readonly countries: 'array' | 'map'
  readonly retentionDays: number
  readonly logLevel: (typeof LOG_LEVELS)[number]
}

/** Thrown when settings cannot be used; the message has one line for each problem. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError'
}

/** Reads all settings from the environment once. An empty variable counts as unset. */
export function readSettings(env: Readonly<Record<string, string | undefined>>): Settings {
  const problems: string[] = []
  const values: Record<string, unknown> = {}
  for (const [variable, schema] of Object.entries<VariableSchema>(settingsSchema.properties)) {
    const text = env[variable]
    if (text === undefined || text === '') {
      values[variable] = schema.default
      continue
    }
    const value = schema.type === 'integer' && /^-?\d{1,15}$/.test(text) ? Number(text) : text
    if (Value.Check(schema, value)) values[variable] = value
    else {
      // A refused address of a database may hold a password: it is named, not repeated.
      const shown = schema.secret === true ? 'set' : JSON.stringify(text)
      problems.push(`${variable} is ${shown}; it must be ${schema.expected}`)
    }
  }
  if (problems.length > 0) throw new SettingsError(`The settings cannot be used:\n${problems.join('\n')}`)
  const read = values as Static<typeof settingsSchema>
  return Object.freeze({
    port: read.PORT,
    host: read.HOST,
    dataDir: read.MARQUEE_DATA,
    workers: read.MARQUEE_WORKERS ?? availableParallelism(),
    marketplace: read.MARQUEE_MARKETPLACE,
    keyPrefix: read.MARQUEE_KEY_PREFIX,
    countries: read.MARQUEE_COUNTRIES,
    retentionDays: read.MARQUEE_RETENTION_DAYS,
    logLevel: read.LOG_LEVEL,
  })
}

type VariableSchema = Type.TSchema & {
  readonly type?: string
  readonly default?: unknown
  readonly expected?: string
  readonly secret?: boolean
}
