import type { Command } from 'commander'
import { MAX_LIMIT, mayExport } from '../../accounts/keys/plan-store.ts'
import { type Plan, QUOTA_PERIODS } from '../../accounts/store/account-tables.ts'
import { UserError } from '../../lib/errors.ts'
import { withAccounts } from '../../runtime/open-accounts.ts'
import { type JsonFlag, parseChoice, parseWholeNumber } from '../terminal/flags.ts'
import { printJson, printTable } from '../terminal/output.ts'

const COLUMNS = ['plan', 'requests', 'per second', 'exports']

interface PlanFlags {
  readonly requests?: string
  readonly per?: string
  readonly rate?: string
  readonly exports?: boolean
  readonly hidden?: boolean
}

/** Adds `marquee plans`. */
export function addPlansCommands(program: Command): void {
  const plans = program
    .command('plans')
    .description('list, add and change the plans of keys and accounts')
    .option('--json', 'print a JSON array')
    .action((flags: JsonFlag) =>
      withAccounts(({ plans }) => {
        if (flags.json === true) printJson(plans.list())
        else printTable(COLUMNS, plans.list().map(planCells))
      }),
    )
  plans
    .command('set')
    .description('add a plan, or change one for everybody on it; a limit that is not given is unlimited')
    .argument('<name>', 'the name of the plan')
    .option('--requests <n>', 'quota: requests per period')
    .option('--per <period>', 'period of the quota: month or day (default: month)')
    .option('--rate <n>', 'rate: requests per second')
    .option('--exports', 'include exports of the catalog (default: only without a quota)')
    .option('--no-exports', 'include no exports')
    .option('--hidden', 'offer the plan to nobody any more; those who are on it stay on it')
    .option('--json', 'print one JSON object')
    .action((name: string, flags: PlanFlags, command: Command) => {
      const per = parseChoice('--per', flags.per ?? 'month', QUOTA_PERIODS)
      const { requests, rate } = flags
      if (flags.per !== undefined && requests === undefined) {
        throw new UserError('--per is the period of --requests; give --requests too')
      }
      const plan: Plan = {
        name,
        ...(requests !== undefined && {
          quota: { requests: parseWholeNumber('--requests', requests, 0, MAX_LIMIT), per },
        }),
        ...(rate !== undefined && { rate: parseWholeNumber('--rate', rate, 1, MAX_LIMIT) }),
        ...(flags.exports !== undefined && { exports: flags.exports }),
        ...(flags.hidden === true && { hidden: true }),
      }
      return withAccounts(async ({ plans }, context) => {
        await plans.set(plan, context)
        if (wantsJson(command)) printJson(plan)
        else printTable(COLUMNS, [planCells(plan)])
      })
    })
  plans
    .command('remove')
    .description('remove a plan that nobody is on; a built-in plan gets its default limits back')
    .argument('<name>', 'the name of the plan')
    .option('--json', 'print one JSON object')
    .action((name: string, _flags: object, command: Command) =>
      withAccounts(async ({ plans }, context) => {
        await plans.delete(name, context)
        if (wantsJson(command)) printJson({ removed: name })
        else process.stdout.write(`removed ${name}\n`)
      }),
    )
}

/** Commander gives --json to `marquee plans`, which has the flag too, and not to the subcommand. */
function wantsJson(command: Command): boolean {
  return command.optsWithGlobals<JsonFlag>().json === true
}

function planCells(plan: Plan): string[] {
  const { name, quota, rate } = plan
  return [
    plan.hidden === true ? `${name} (hidden)` : name,
    quota === undefined ? 'unlimited' : `${quota.requests.toLocaleString('en-US')} a ${quota.per}`,
    rate === undefined ? 'unlimited' : rate.toLocaleString('en-US'),
    mayExport(plan) ? 'yes' : 'no',
  ]
}
