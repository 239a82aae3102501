import { Argument, type Command } from 'commander'
import { describeSettings } from '../../config.ts'
import { describeVersion } from '../../lib/process/program-version.ts'
import { describeCommand } from './command-tree.ts'
import { COMPLETION_SCRIPTS } from './completion-scripts.ts'
import { writeManPage } from './man-page.ts'

/** Adds `marquee completion` and `marquee man`. Both describe the whole program: all other commands must be added, too. */
export function addShellCommands(program: Command): void {
  program
    .command('completion')
    .description('print a script that completes commands and flags in a shell')
    .addArgument(new Argument('<shell>', 'the shell').choices(Object.keys(COMPLETION_SCRIPTS)))
    .action((shell: keyof typeof COMPLETION_SCRIPTS) => {
      process.stdout.write(COMPLETION_SCRIPTS[shell](describeCommand(program)))
    })
  program
    .command('man')
    .description('print the man page (roff): `marquee man | man -l -`')
    .action(() => {
      const facts = { version: describeVersion(), settings: describeSettings() }
      process.stdout.write(writeManPage(describeCommand(program), facts))
    })
}
