import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { Command } from 'commander'
import { describe, expect, it } from 'vitest'
import { EXIT_CODES } from '../terminal/command-errors.ts'
import { describeCommand } from './command-tree.ts'
import { COMPLETION_SCRIPTS } from './completion-scripts.ts'
import { writeManPage } from './man-page.ts'

/** A program with commands of commands, and descriptions that shells and roff could take for something else. */
function aProgram() {
  const program = new Command('marquee').description('Answers.').version('1').option('--data <folder>', 'the folder')
  program
    .command('import')
    .description("import feeds; it's quick")
    .argument('<feed...>')
    .option('--mapping <file>', 'a $HOME file')
  const keys = program.command('keys').description('manage keys')
  keys.command('create').description('create a key').option('--json', '.print JSON')
  keys.command('list').description('list keys').argument('[name]')
  return describeCommand(program)
}

/** What bash offers at the end of each line. */
function completeInBash(lines: readonly string[]): string[] {
  const calls = lines.map((line) => `complete_line ${line}`)
  const script = `${COMPLETION_SCRIPTS.bash(aProgram())}
complete_line() { COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _marquee; echo "\${COMPREPLY[*]}"; }
${calls.join('\n')}`
  return execFileSync('bash', ['-c', script], { encoding: 'utf8' }).trimEnd().split('\n')
}

describe('completion', () => {
  it('offers commands, commands of commands and flags in bash, and file names after a flag with a value', () => {
    expect(
      completeInBash([
        'marquee ""',
        'marquee keys ""',
        'marquee --data x keys c',
        'marquee import --m',
        'marquee keys create -',
        'marquee import --mapping ""',
        'marquee keys nonsense ""',
      ]),
    ).toEqual(['import keys', 'create list', 'create', '--mapping', '--json --data -h --help', '', 'create list'])
  })

  it('has every command and flag in the scripts of zsh and fish, with what the help says', () => {
    const zsh = COMPLETION_SCRIPTS.zsh(aProgram())
    expect(zsh).toMatch(/^#compdef marquee\n/)
    expect(zsh).toContain(`commands=('create:create a key' 'list:list keys')`)
    expect(zsh).toContain(`'import:import feeds; it'\\''s quick'`)
    const fish = COMPLETION_SCRIPTS.fish(aProgram())
    expect(fish).toContain(`complete -c marquee -n '__marquee_at keys' -f -a create -d 'create a key'`)
    expect(fish).toContain(`complete -c marquee -n '__marquee_at import' -l mapping -r -d 'a $HOME file'`)
  })
})

it('the man page has every command with its operands, flags, settings and exit codes', () => {
  const page = writeManPage(aProgram(), { version: '1 (abc)', settings: '  PORT  TCP port. (8080)' })
  expect(page).toContain('.SS "marquee import <feed...>"\nImport feeds; it\'s quick.\n.TP\n.B \\-\\-mapping <file>\n')
  expect(page).toContain('.SS "marquee keys list [name]"\nList keys.\n')
  // A line that starts with a dot is a request of roff.
  expect(page).toContain('\n\\&.print JSON\n')
  expect(page).toContain('.B PORT\nTCP port. (8080)\n')
  for (const { code } of EXIT_CODES) expect(page).toContain(`\n.B ${code}\n`)
})

it('docs/operating.md has all exit codes, with the same meaning', () => {
  const page = readFileSync(new URL('../../../../docs/operating.md', import.meta.url), 'utf8')
  const rows = [...page.matchAll(/^\| `(\d+)` +\| (.+?) +\|$/gm)].map(([, code, meaning]) => ({
    code: Number(code),
    meaning,
  }))
  expect(rows).toEqual(EXIT_CODES)
})
