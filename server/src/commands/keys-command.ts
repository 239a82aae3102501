import { join } from 'node:path'
import type { Command } from 'commander'
import { KEY_SOURCES, type KeySource } from '../accounts/api-key.ts'
import { type KeyStore, openKeyStore } from '../accounts/key-store.ts'
import { PLANS, type PlanName, planNamed } from '../accounts/plan.ts'
import { readSettings } from '../config.ts'
import { systemClock } from '../model/clock.ts'
import { CommandError, printJson, printTable } from './output.ts'

/** Adds `marquee keys` and `marquee plans`. */
export function addKeysCommands(program: Command): void {
  const keys = program.command('keys').description('make, list and revoke API keys')
  keys
    .command('create')
    .description('make a key; the secret is shown this once')
    .option('--source <source>', 'direct or marketplace', 'direct')
    .option('--plan <name>', 'the plan that the key is on', 'free')
    .option('--name <text>', 'what the key is for', '')
    .option('--origin <origin...>', 'web origins from which browsers may use it')
    .option('--json', 'print one JSON object, whose "key" is the secret')
    .action(async (flags: { source: string; plan: string; name: string; origin?: string[]; json?: boolean }) => {
      const source = oneOf('--source', flags.source, KEY_SOURCES) as KeySource
      const plan = oneOf(
        '--plan',
        flags.plan,
        PLANS.map(({ name }) => name),
      ) as PlanName
      await withKeys((store) => {
        const made = store.create(
          { source, plan, name: flags.name, ...(flags.origin !== undefined && { origins: flags.origin }) },
          systemClock(),
        )
        if (flags.json === true) printJson({ key: made.key, ...made.record })
        else process.stdout.write(`${made.key}\n`)
      })
    })
  keys
    .command('list')
    .description('list all keys')
    .option('--json', 'print a JSON array')
    .action((flags: { json?: boolean }) =>
      withKeys((store) => {
        const records = store.list()
        if (flags.json === true) printJson(records)
        else {
          printTable(
            ['id', 'source', 'plan', 'key', 'name', 'made', 'state'],
            records.map(({ id, source, plan, hint, name, createdAt, revokedAt }) => [
              id,
              source,
              plan,
              hint,
              name,
              new Date(createdAt * 1000).toISOString().slice(0, 10),
              revokedAt === undefined ? 'active' : 'revoked',
            ]),
          )
        }
      }),
    )
  keys
    .command('revoke')
    .description('end a key for good')
    .argument('<id>', "the key's id, as `marquee keys list` shows it")
    .option('--json', 'print one JSON object')
    .action((id: string, flags: { json?: boolean }) =>
      withKeys((store) => {
        const record = store.revoke(id, systemClock())
        if (record === undefined) throw new CommandError(`No key has the id ${id}; \`marquee keys list\` shows all`)
        if (flags.json === true) printJson(record)
        else process.stdout.write(`revoked ${record.hint}\n`)
      }),
    )
  program
    .command('plans')
    .description('list the plans that keys can be on')
    .option('--json', 'print a JSON array')
    .action((flags: { json?: boolean }) => {
      if (flags.json === true) printJson(PLANS)
      else {
        printTable(
          ['plan', 'requests', 'a second'],
          PLANS.map(({ name }) => planNamed(name)).map(({ name, quota, rate }) => [
            name,
            quota === undefined ? 'unlimited' : `${quota.requests.toLocaleString('en-US')} a ${quota.per}`,
            rate === undefined ? 'unlimited' : String(rate),
          ]),
        )
      }
    })
}

async function withKeys(use: (store: KeyStore) => void): Promise<void> {
  const { dataDir, keyPrefix } = readSettings(process.env)
  const store = openKeyStore(join(dataDir, 'accounts'), { keyPrefix })
  try {
    use(store)
  } finally {
    await store.close()
  }
}

function oneOf(flag: string, value: string, allowed: readonly string[]): string {
  if (allowed.includes(value)) return value
  throw new CommandError(`${flag} is "${value}"; it must be one of ${allowed.join(', ')}`)
}
