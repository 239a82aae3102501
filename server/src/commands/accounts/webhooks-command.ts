import type { Command } from 'commander'
import type { DeliveryRecord, WebhookFilter } from '../../accounts/store/account-tables.ts'
import type { WebhookRecord } from '../../accounts/store/push-store.ts'
import { readSettings } from '../../config.ts'
import { ApiError } from '../../http/exchange/errors.ts'
import { resolveWebhookFilter, WEBHOOK_CHANGE_TYPES } from '../../http/platform/push-routes.ts'
import { systemClock } from '../../lib/clock.ts'
import { UserError } from '../../lib/errors.ts'
import { ITEM_TYPES, SHOW_TYPES } from '../../model/show.ts'
import { CHANGE_WINDOW_DAYS } from '../../model/time.ts'
import { SINCE_NOW } from '../../query/changes/changes-search.ts'
import { CatalogQueryEngine } from '../../render/catalog-query-engine.ts'
import { withAccounts } from '../../runtime/open-accounts.ts'
import { openLedger } from '../../runtime/open-ledger.ts'
import { checkWebhookUrl, createSender, sendTestMessage } from '../../webhooks/send-message.ts'
import { type JsonFlag, parseChoice, parseWholeNumber } from '../terminal/flags.ts'
import { formatInstant, printJson, printTable } from '../terminal/output.ts'

interface CreateFlags extends JsonFlag {
  readonly name?: string
  readonly country: string
  readonly changes: string
  readonly items: string
  readonly catalogs?: string
  readonly shows?: string
  readonly genres?: string
  readonly showType?: string
  readonly leadDays: string
  readonly account?: string
}

/** Adds `marquee webhooks`. */
export function addWebhooksCommands(program: Command): void {
  const webhooks = program
    .command('webhooks')
    .description('create, list and delete webhooks, see their deliveries, and deliver again')
  webhooks
    .command('create')
    .description('create a webhook; its secret is printed only once')
    .argument('<url>', 'the https:// address that gets the messages')
    .requiredOption('--country <code>', 'the country whose changes it gets')
    .option('--name <text>', 'what it is for')
    .option('--changes <types>', `a list of ${WEBHOOK_CHANGE_TYPES.join(', ')}`, 'new,removed')
    .option('--items <types>', `a list of ${ITEM_TYPES.join(', ')}`, 'show')
    .option('--catalogs <list>', 'services, as in the parameter catalogs; all by default')
    .option('--shows <ids>', 'only these shows, by any of their ids')
    .option('--genres <ids>', 'only shows that have one of these genres')
    .option('--show-type <type>', 'movie or series')
    .option('--lead-days <days>', 'how many days ahead expiring is sent', '7')
    .option('--account <email>', 'whose it is; by default the operator’s')
    .option('--json', 'print one JSON object with the secret')
    .action(create)
  webhooks
    .command('list')
    .description('list all webhooks')
    .option('--json', 'print a JSON array')
    .action((flags: JsonFlag) =>
      withAccounts(({ webhooks: store }) => {
        const records = store.all().map((webhook) => store.describe(webhook))
        if (flags.json === true) printJson(records)
        else {
          printTable(
            ['id', 'name', 'address', 'country', 'changes', 'created', 'state'],
            records.map(({ id, name, url, filter, createdAt, ...record }) => [
              id,
              name,
              url,
              filter.country,
              filter.changeTypes.join(),
              formatInstant(createdAt),
              describeState(record),
            ]),
          )
        }
      }),
    )
  webhooks
    .command('deliveries')
    .description('show the latest deliveries of a webhook, and the messages that were given up')
    .argument('<id>', 'as `marquee webhooks list` shows it')
    .option('--json', 'print one JSON object')
    .action((id: string, flags: JsonFlag) =>
      withAccounts(({ webhooks: store }) => {
        const { id: known } = store.get(id)
        const [deliveries, deadLetters] = [store.log(known), store.deadLetters(known)]
        if (flags.json === true) {
          printJson({ deliveries, deadLetters })
          return
        }
        printTable(
          ['at', 'message', 'changes', 'attempt', 'outcome', 'ms'],
          deliveries.map((record) => [
            formatInstant(record.at),
            record.id,
            String(record.changes),
            String(record.attempt),
            describeOutcome(record),
            String(record.ms),
          ]),
        )
        if (deadLetters.length > 0) process.stdout.write(`${deadLetters.length} messages were given up\n`)
      }),
    )
  webhooks
    .command('test')
    .description('send a test message to a webhook, now')
    .argument('<id>', 'the id of the webhook')
    .option('--json', 'print one JSON object')
    .action((id: string, flags: JsonFlag) =>
      withAccounts(async ({ webhooks: store }) => {
        const { privateWebhooks } = readSettings(process.env)
        const send = createSender({ allowPrivate: privateWebhooks === 'allow' })
        const result = await sendTestMessage(send, store.get(id), systemClock())
        if (flags.json === true) printJson(result)
        else process.stdout.write(`${describeOutcome(result)}, ${result.ms} ms\n`)
        if (result.status === undefined || result.status >= 300) process.exitCode = 1
      }),
    )
  for (const [verb, paused] of [
    ['pause', true],
    ['resume', false],
  ] as const) {
    webhooks
      .command(verb)
      .description(paused ? 'stop deliveries to a webhook' : 'go on with deliveries where they stopped')
      .argument('<id>', 'the id of the webhook')
      .option('--json', 'print one JSON object')
      .action((id: string, flags: JsonFlag) =>
        withAccounts(async ({ webhooks: store }, context) => {
          printRecord(store.describe(await store.change(id, undefined, { paused }, context)), flags)
        }),
      )
  }
  webhooks
    .command('rotate')
    .description('replace the secret; the old one signs, too, for a day')
    .argument('<id>', 'the id of the webhook')
    .option('--json', 'print one JSON object')
    .action((id: string, flags: JsonFlag) =>
      withAccounts(async ({ webhooks: store }, context) => {
        const { secret } = await store.rotate(id, undefined, context)
        if (flags.json === true) printJson({ id, secret })
        else process.stdout.write(`${secret}\n`)
      }),
    )
  webhooks
    .command('replay')
    .description('deliver messages again that were given up: one, or all')
    .argument('<id>', 'the id of the webhook')
    .option('--message <id>', 'only this message')
    .option('--json', 'print one JSON object')
    .action((id: string, flags: { readonly message?: string } & JsonFlag) =>
      withAccounts(async ({ webhooks: store }) => {
        const replayed = await store.replay(id, undefined, flags.message)
        if (flags.json === true) printJson({ replayed })
        else process.stdout.write(`${replayed} messages will be delivered again\n`)
      }),
    )
  webhooks
    .command('delete')
    .description('delete a webhook with its log')
    .argument('<id>', 'the id of the webhook')
    .option('--json', 'print one JSON object')
    .action((id: string, flags: JsonFlag) =>
      withAccounts(async ({ webhooks: store }, context) => {
        await store.delete(id, undefined, context)
        if (flags.json === true) printJson({ deleted: id })
        else process.stdout.write(`The webhook ${id} is deleted\n`)
      }),
    )
}

async function create(url: string, flags: CreateFlags): Promise<void> {
  const settings = readSettings(process.env)
  try {
    checkWebhookUrl(url, settings.privateWebhooks === 'allow')
  } catch (error) {
    throw new UserError((error as Error).message)
  }
  const ledger = await openLedger(settings, 'check')
  try {
    const engine = new CatalogQueryEngine(ledger.catalog)
    if (engine.version() === 0) throw new UserError('The catalog is empty; import a feed first')
    const filter = parseFilter(flags, engine)
    const since = engine.resolveStreamToken(SINCE_NOW)
    await withAccounts(async ({ webhooks, admin }, context) => {
      const accountId = flags.account === undefined ? undefined : admin.export(flags.account).account.id
      const given = { accountId, name: flags.name ?? new URL(url).hostname, url, filter, since }
      const created = await webhooks.create(given, context)
      if (flags.json === true) printJson({ webhook: webhooks.describe(created), secret: created.secret })
      else
        process.stdout.write(`The webhook ${created.id} was created. Its secret, shown only now:\n${created.secret}\n`)
    })
  } finally {
    await ledger.close()
  }
}

/** The filter that the flags describe. Errors of the catalog's ids are sentences for people already. */
function parseFilter(flags: CreateFlags, engine: CatalogQueryEngine): WebhookFilter {
  try {
    return resolveWebhookFilter(
      {
        country: flags.country,
        changeTypes: splitList(flags.changes).map((text) => parseChoice('--changes', text, WEBHOOK_CHANGE_TYPES)),
        itemTypes: splitList(flags.items).map((text) => parseChoice('--items', text, ITEM_TYPES)),
        catalogs: splitList(flags.catalogs),
        shows: splitList(flags.shows),
        genres: splitList(flags.genres),
        ...(flags.showType !== undefined && { showType: parseChoice('--show-type', flags.showType, SHOW_TYPES) }),
        leadDays: parseWholeNumber('--lead-days', flags.leadDays, 1, CHANGE_WINDOW_DAYS),
      },
      engine,
    )
  } catch (error) {
    throw error instanceof ApiError ? new UserError(error.message) : error
  }
}

function splitList(text = ''): string[] {
  return text.split(',').flatMap((part) => part.trim() || [])
}

function printRecord(record: WebhookRecord, flags: JsonFlag): void {
  if (flags.json === true) printJson(record)
  else process.stdout.write(`The webhook ${record.id} is ${describeState(record)}\n`)
}

function describeState({
  paused,
  failingSince,
  deadLetters,
}: Pick<WebhookRecord, 'paused' | 'failingSince' | 'deadLetters'>) {
  const given = deadLetters === 0 ? '' : `, ${deadLetters} given up`
  if (paused !== undefined)
    return `${paused.reason === 'failing' ? 'paused: it failed for five days' : 'paused'}${given}`
  return failingSince === undefined ? `active${given}` : `failing since ${formatInstant(failingSince)}${given}`
}

function describeOutcome({ status, error }: Pick<DeliveryRecord, 'status' | 'error'>): string {
  return error ?? `status ${status}`
}
