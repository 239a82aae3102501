import type { Accounts } from '../../accounts/accounts.ts'
import type { Meter } from '../../accounts/keys/meter.ts'
import type { AccountMail } from '../../accounts/people/account-mail.ts'
import type { Session } from '../../accounts/people/session-store.ts'
import type { SignUpMode } from '../../accounts/people/user-accounts.ts'
import type { Account } from '../../accounts/store/account-tables.ts'
import type { RequestEntry } from '../../accounts/usage/usage-report.ts'
import type { Clock } from '../../lib/clock.ts'
import type { Static, TSchema } from '../../lib/json-schema.ts'
import type { ResolveClientAddress } from '../request/client.ts'
import type { VisitorTokens } from '../request/visitor-token.ts'

/** The dependencies of the developer platform. */
export interface PlatformDeps {
  readonly accounts: Accounts
  readonly meter: Pick<Meter, 'peek'>
  readonly clock: Clock
  readonly visitorTokens: VisitorTokens
  readonly resolveClientAddress: ResolveClientAddress
  /** The latest requests of an account, newest first. */
  readonly recentRequests: (accountId: string) => Promise<readonly RequestEntry[]>
  readonly settings: PlatformSettings
  readonly operator: OperatorView
  /** The mails to people with an account; undefined if the service has no mail server. */
  readonly mail: AccountMail | undefined
  /** Logs a mail that was sent in the background, or why it was not. */
  readonly logMail: (error?: Error) => void
}

/** The settings of the platform. */
export interface PlatformSettings {
  readonly signUp: SignUpMode
  /** How to reach the operator: an e-mail address or a web address. */
  readonly contact?: string | undefined
  /** The shared secret of the marketplace; undefined disables its routes. */
  readonly marketplaceSecret: string | undefined
  /** Whether webhooks may have private addresses; `refuse` if absent. */
  readonly privateWebhooks?: 'refuse' | 'allow'
  /** Whether browsers use HTTPS, so that cookies can be `Secure`. */
  readonly secureCookies: boolean
  /** The origin of the pages as browsers see it, if it is known. */
  readonly publicOrigin: string | undefined
}

/** The state of the service for the operator's page; the composition root implements it. */
export interface OperatorView {
  /** Sources with their last imports, counts, processes: plain data for the page. */
  status(): Promise<object>
  /** What should be mended in the catalog: the report of `marquee doctor`, or that it is being made. */
  checks(): Promise<object>
  /** Runs a scheduled source soon, pauses it or resumes it. Returns whether there is such a source. */
  controlSource(name: string, action: SourceAction): Promise<boolean>
  /** Adds an entry to the schedule if it is valid and its source is ready. */
  addSource(entry: object): Promise<{ readonly isReady: boolean; readonly detail: string }>
  /** Takes a source off the schedule. Returns whether there was such a source. */
  unscheduleSource(name: string): Promise<boolean>
  /** Starts an upload; returns its id. */
  createUpload(bytes: number): Promise<string>
  /** Appends a piece to an upload; returns how many bytes it has now. */
  appendUpload(id: string, offset: number, piece: Uint8Array): Promise<number>
  /** Starts a job, and returns it; or why it cannot be started. */
  startJob(request: JobRequest): Promise<OperatorJob | { readonly refused: string }>
  /** The latest jobs, newest first. */
  jobs(): Promise<readonly OperatorJob[]>
}

/** What an admin can start on the operator's page: a command in a child process of the service. */
export type JobRequest =
  | {
      readonly kind: 'import'
      /** The id of the upload, and the name of the file. */
      readonly upload: string
      readonly name: string
      readonly source?: string
      readonly mode?: 'snapshot' | 'delta'
      readonly format?: string
      /** Whether the file is only checked. */
      readonly isTrial?: boolean
    }
  | { readonly kind: 'demo' }
  | { readonly kind: 'remove'; readonly source: string }

/** A job that an admin started. */
export interface OperatorJob {
  readonly id: string
  readonly kind: JobRequest['kind']
  /** The file or the source. */
  readonly what: string
  readonly startedAt: number
  readonly endedAt?: number
  readonly state: 'running' | 'done' | 'failed'
  readonly progress?: { readonly label: string; readonly done: number; readonly fraction?: number }
  /** The last line that the command has printed, such as what it waits for. */
  readonly detail?: string
  /** What the command prints with `--json`. */
  readonly report?: Readonly<Record<string, unknown>>
  /** Why it failed. */
  readonly problem?: string
}

/** What an admin can do with a scheduled source. */
export type SourceAction = 'run' | 'pause' | 'resume'

/** Who may call a route: anyone, a signed-in account, an admin, or the marketplace. */
type Caller = 'anyone' | 'account' | 'admin' | 'marketplace'

/** A request as a route sees it. */
export interface PlatformRequest<Body = unknown> {
  readonly now: number
  /** The client's network, as rate limits count it. */
  readonly from: string
  /** The token that marks a device on which somebody has signed in before. */
  readonly deviceToken: string | undefined
  readonly params: Readonly<Record<string, string>>
  readonly query: URLSearchParams
  readonly body: Body
  readonly session?: Session
  readonly account?: Account
}

/** The request of a signed-in account. */
interface SignedInRequest<Body = unknown> extends PlatformRequest<Body> {
  readonly session: Session
  readonly account: Account
}

interface PlatformResponse {
  /** By default 200, or 204 without a body. */
  readonly status?: number
  readonly body?: unknown
  /** The token of a new session. */
  readonly signedIn?: string
  readonly signedOut?: true
  /** A new token that marks the device as known. */
  readonly deviceToken?: string | undefined
  readonly cookie?: string
}

/** One path and method of the platform. */
export interface PlatformRoute {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Below `/platform`. */
  readonly path: string
  readonly caller: Caller
  /** Whether it counts against the account's limit of changes. */
  readonly isChange?: true
  /** Whether the body is a piece of a file; callers are checked before such a body is read. */
  readonly takesPiece?: true
  readonly body?: TSchema
  handle(request: PlatformRequest): PlatformResponse | Promise<PlatformResponse>
}

interface RouteDefinition<C extends Caller, B extends TSchema> {
  readonly method: PlatformRoute['method']
  readonly path: string
  readonly caller: C
  readonly isChange?: true
  readonly takesPiece?: true
  readonly body?: B
  handle(
    request: C extends 'account' | 'admin' ? SignedInRequest<Static<B>> : PlatformRequest<Static<B>>,
  ): PlatformResponse | Promise<PlatformResponse>
}

/** Type-checks a route against its own body and caller and erases their types for everyone else. */
export function definePlatformRoute<C extends Caller, B extends TSchema>(route: RouteDefinition<C, B>): PlatformRoute {
  return Object.freeze(route) as unknown as PlatformRoute
}
