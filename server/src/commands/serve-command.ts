import type { Command } from 'commander'
import { serve } from '../main.ts'

/** Adds `marquee serve`. */
export function addServeCommand(program: Command): void {
  program
    .command('serve')
    .description('serve the catalog of the data directory over HTTP')
    .option('--demo', 'make the demo catalog first if there is none, and print keys to try it with')
    .action((flags: { demo?: boolean }) => serve({ demo: flags.demo === true }))
}
