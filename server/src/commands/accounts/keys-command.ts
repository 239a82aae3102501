import type { Command } from 'commander'
import {
  type CreatedKey,
  DEFAULT_OVERLAP_SECONDS,
  type KeyRecord,
  MAX_OVERLAP_SECONDS,
} from '../../accounts/keys/key-store.ts'
import { KEY_SOURCES } from '../../accounts/store/account-tables.ts'
import { SPAN_SECONDS, USAGE_SPANS } from '../../accounts/store/usage-store.ts'
import { buildUsageReport, type UsageReport } from '../../accounts/usage/usage-report.ts'
import { VISITOR_KEY_ID } from '../../http/request/visitor-token.ts'
import { UserError } from '../../lib/errors.ts'
import { withAccounts } from '../../runtime/open-accounts.ts'
import { type JsonFlag, parseChoice, parseWholeNumber } from '../terminal/flags.ts'
import { formatInstant, printJson, printTable } from '../terminal/output.ts'

/** Adds `marquee keys`. */
export function addKeysCommands(program: Command): void {
  const keys = program.command('keys').description('create, list, change and revoke API keys, and show their usage')
  keys
    .command('create')
    .description('create a key; the secret is printed only once')
    .option('--source <source>', 'direct or marketplace', 'direct')
    .option('--plan <name>', 'the plan of the key', 'free')
    .option('--name <text>', 'what the key is for')
    .option('--origin <origin...>', 'web origins from which browsers may use it')
    .option('--json', 'print one JSON object, whose "key" is the secret')
    .action(async (flags: { source: string; plan: string; name?: string; origin?: string[] } & JsonFlag) => {
      const source = parseChoice('--source', flags.source, KEY_SOURCES)
      const { plan, name, origin: origins } = flags
      const key = { source, plan, ...(name !== undefined && { name }), ...(origins !== undefined && { origins }) }
      await withAccounts(async (accounts, context) => printCreatedKey(await accounts.keys.create(key, context), flags))
    })
  keys
    .command('list')
    .description('list all keys')
    .option('--json', 'print a JSON array')
    .action((flags: JsonFlag) =>
      withAccounts(({ keys, users, usage }) => {
        const records = keys.list().map((record) => ({
          ...record,
          owner: record.accountId === undefined ? undefined : users.get(record.accountId)?.email,
          lastUsedAt: usage.lastUse(record.id)?.at,
        }))
        if (flags.json === true) printJson(records)
        else {
          printTable(
            ['id', 'owner', 'source', 'plan', 'key', 'name', 'created', 'last used', 'state'],
            records.map(({ id, owner, source, plan, hint, name, createdAt, lastUsedAt, ...record }) => [
              id,
              owner ?? record.subscription ?? 'operator',
              source,
              plan,
              hint,
              name,
              formatInstant(createdAt),
              formatInstant(lastUsedAt),
              describeKeyState(record),
            ]),
          )
        }
      }),
    )
  keys
    .command('change')
    .description('rename a key, or change its allowed web origins')
    .argument('<id>', "the key's id, as `marquee keys list` shows it")
    .option('--name <text>', 'what the key is for')
    .option('--origin <origin...>', 'web origins from which browsers may use it')
    .option('--any-origin', 'allow every origin')
    .option('--json', 'print one JSON object')
    .action((id: string, flags: { name?: string; origin?: string[]; anyOrigin?: boolean } & JsonFlag) => {
      const { name, origin, anyOrigin } = flags
      if (origin !== undefined && anyOrigin === true) throw new UserError('Give --origin or --any-origin, not both')
      const origins = anyOrigin === true ? [] : origin
      if (name === undefined && origins === undefined) {
        throw new UserError('Say what to change: --name, --origin or --any-origin')
      }
      return withAccounts(async ({ keys }, context) =>
        printRecord(await keys.change(id, { name, origins }, context), flags, 'changed'),
      )
    })
  keys
    .command('plan')
    .description('move a key to another plan, effective immediately')
    .argument('<id>', "the key's id")
    .argument('<plan>', 'the name of a plan, as `marquee plans` shows it')
    .option('--json', 'print one JSON object')
    .action((id: string, plan: string, flags: JsonFlag) =>
      withAccounts(async ({ keys }, context) =>
        printRecord(await keys.setPlan(id, plan, context), flags, `on the plan ${plan}:`),
      ),
    )
  keys
    .command('rotate')
    .description('give a key a new secret, printed only once; the current secret stays valid for a while')
    .argument('<id>', "the key's id")
    .option('--overlap <seconds>', 'how long the current secret stays valid', String(DEFAULT_OVERLAP_SECONDS))
    .option('--json', 'print one JSON object, whose "key" is the secret')
    .action((id: string, flags: { overlap: string } & JsonFlag) => {
      const overlap = parseWholeNumber('--overlap', flags.overlap, 0, MAX_OVERLAP_SECONDS)
      return withAccounts(async ({ keys }, context) => printCreatedKey(await keys.rotate(id, overlap, context), flags))
    })
  keys
    .command('revoke')
    .description('revoke a key permanently')
    .argument('<id>', "the key's id")
    .option('--json', 'print one JSON object')
    .action((id: string, flags: JsonFlag) =>
      withAccounts(async ({ keys }, context) => printRecord(await keys.revoke(id, context), flags, 'revoked')),
    )
  keys
    .command('usage')
    .description('show the requests of one key, or of all keys')
    .argument('[id]', "the key's id")
    .option('--by <span>', 'hour or day', 'day')
    .option('--last <n>', 'how many hours or days', '31')
    .option('--json', 'print one JSON object')
    .action((id: string | undefined, flags: { by: string; last: string } & JsonFlag) => {
      const span = parseChoice('--by', flags.by, USAGE_SPANS)
      const last = parseWholeNumber('--last', flags.last, 1, span === 'day' ? 400 : 840)
      return withAccounts(({ keys, usage }, { now }) => {
        if (id !== undefined) keys.require(id)
        const keyIds = id === undefined ? [...keys.list().map((record) => record.id), VISITOR_KEY_ID] : [id]
        const to = now + 1
        const report = buildUsageReport(usage, { keyIds, span, from: to - last * SPAN_SECONDS[span], to })
        if (flags.json === true) printJson(report)
        else printUsage(report)
      })
    })
}

function printCreatedKey({ key, record }: CreatedKey, { json }: JsonFlag): void {
  if (json === true) printJson({ key, ...record })
  else {
    // Only the secret goes to standard output, so that a script can capture it.
    process.stdout.write(`${key}\n`)
    process.stderr.write(`The id of the key is ${record.id}; its secret is shown only now.\n`)
  }
}

function printRecord(record: KeyRecord, { json }: JsonFlag, done: string): void {
  if (json === true) printJson(record)
  else process.stdout.write(`${done} ${record.hint}\n`)
}

function describeKeyState({ revokedAt, previous }: Pick<KeyRecord, 'revokedAt' | 'previous'>): string {
  if (revokedAt !== undefined) return 'revoked'
  return previous === undefined ? 'active' : `active; ${previous.hint} until ${formatInstant(previous.endsAt)}`
}

function printUsage({ requests, spans, endpoints, failures }: UsageReport): void {
  if (requests === 0) {
    process.stdout.write('No requests in this time.\n')
    return
  }
  printTable(
    ['from', 'requests', 'by status'],
    spans
      .filter((span) => span.requests > 0)
      .map((span) => [formatInstant(span.start), span.requests, formatStatuses(span.statuses)]),
  )
  process.stdout.write('\n')
  printTable(
    ['endpoint', 'requests', 'p50 ms', 'p95 ms', 'p99 ms', 'by status'],
    endpoints.map(({ endpoint, requests: count, latency: { p50, p95, p99 }, statuses }) => [
      endpoint,
      count,
      String(p50),
      String(p95),
      String(p99),
      formatStatuses(statuses),
    ]),
  )
  if (failures.length === 0) return
  process.stdout.write('\n')
  printTable(
    ['latest errors', 'endpoint', 'status', 'code'],
    failures.slice(0, 10).map(({ at, endpoint, status, code }) => [formatInstant(at), endpoint, String(status), code]),
  )
}

function formatStatuses(statuses: Readonly<Record<string, number>>): string {
  return Object.entries(statuses)
    .map(([status, count]) => `${status}: ${count}`)
    .join(', ')
}
