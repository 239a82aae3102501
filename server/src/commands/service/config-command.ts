import type { Command } from 'commander'
import { describeUnknownSettings, listSettings, readSettings } from '../../config.ts'
import type { JsonFlag } from '../terminal/flags.ts'
import { printJson, printTable } from '../terminal/output.ts'

/** Adds `marquee config`. */
export function addConfigCommand(program: Command): void {
  program
    .command('config')
    .description('print every setting with its value and where that comes from; secrets are masked')
    .option('--json', 'print a JSON array')
    .action((flags: JsonFlag) => {
      const settings = listSettings(process.env)
      if (flags.json === true) printJson(settings)
      else {
        printTable(
          ['setting', 'value', 'source'],
          settings.map(({ name, value, source }) => [name, value === '' ? '(none)' : value, source]),
        )
      }
      for (const line of describeUnknownSettings(process.env)) process.stderr.write(`${line}\n`)
      // Fails, after the list, with every value that is invalid.
      readSettings(process.env)
    })
}
