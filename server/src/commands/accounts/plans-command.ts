import type { Command } from 'commander'
import { type Plan, QUOTA_PERIODS, type QuotaPeriod } from '../../accounts/plans/plan.ts'
import { withAccounts } from '../../runtime/open-stores.ts'
import { CommandError, parseChoice, parseWholeNumber, printJson, printTable } from '../terminal/output.ts'

const MAX_LIMIT = 1_000_000_000_000

/** Adds `marquee plans`. */
export function addPlansCommands(program: Command): void {
  const plans = program
    .command('plans')
    .description('list, alter and add the plans that keys and accounts can be on')
    .option('--json', 'print a JSON array')
    .action((flags: { json?: boolean }) =>
      withAccounts(({ plans }) => {
        if (flags.json === true) printJson(plans.list())
        else printTable(['plan', 'requests', 'a second'], plans.list().map(planCells))
      }),
    )
  plans
    .command('set')
    .description('add a plan, or alter one for all who are on it; what is not said is without limit')
    .argument('<name>', 'the name of the plan')
    .option('--requests <n>', 'requests that are granted')
    .option('--per <period>', 'month or day (default: month)')
    .option('--rate <n>', 'requests a second')
    .option('--json', 'print one JSON object')
    .action((name: string, flags: { requests?: string; per?: string; rate?: string }, command: Command) => {
      const per = parseChoice('--per', flags.per ?? 'month', QUOTA_PERIODS) as QuotaPeriod
      const { requests, rate } = flags
      if (flags.per !== undefined && requests === undefined) {
        throw new CommandError('--per says in which time --requests are granted; give --requests too')
      }
      const plan: Plan = {
        name,
        ...(requests !== undefined && {
          quota: { requests: parseWholeNumber('--requests', requests, 0, MAX_LIMIT), per },
        }),
        ...(rate !== undefined && { rate: parseWholeNumber('--rate', rate, 1, MAX_LIMIT) }),
      }
      return withAccounts(async ({ plans }, act) => {
        await plans.set(plan, act)
        if (wantsJson(command)) printJson(plan)
        else printTable(['plan', 'requests', 'a second'], [planCells(plan)])
      })
    })
  plans
    .command('remove')
    .description('take away a plan that nobody is on; a standard one becomes what it was')
    .argument('<name>', 'the name of the plan')
    .option('--json', 'print one JSON object')
    .action((name: string, _flags: object, command: Command) =>
      withAccounts(async ({ plans }, act) => {
        await plans.delete(name, act)
        if (wantsJson(command)) printJson({ removed: name })
        else process.stdout.write(`removed ${name}\n`)
      }),
    )
}

/** `marquee plans` takes --json too, and with it the flag of the commands below. */
function wantsJson(command: Command): boolean {
  return command.optsWithGlobals<{ json?: boolean }>().json === true
}

function planCells({ name, quota, rate }: Plan): string[] {
  return [
    name,
    quota === undefined ? 'unlimited' : `${quota.requests.toLocaleString('en-US')} a ${quota.per}`,
    rate === undefined ? 'unlimited' : rate.toLocaleString('en-US'),
  ]
}
