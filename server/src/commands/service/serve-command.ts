import type { Command } from 'commander'

/** Adds `marquee serve`. */
export function addServeCommand(program: Command): void {
  program
    .command('serve')
    .description('serve the catalog of the data directory over HTTP')
    .option('--demo', 'make the demo catalog first if there is none, and print keys to try it with')
    .action(async (flags: { demo?: boolean }) => {
      const { serve } = await import('../../main.ts')
      await serve({ demo: flags.demo === true })
    })
}
