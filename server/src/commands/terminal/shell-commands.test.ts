import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Command } from 'commander'
import { describe, expect, it, onTestFinished } from 'vitest'
import { requiredProgram } from '../../../test/support/required-program.ts'
import { EXIT_CODES } from './command-exit.ts'
import { COMPLETION_SCRIPTS, describeCommand, writeManPage } from './shell-commands.ts'

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

const zsh = requiredProgram(['zsh'], 'on Debian, apt-get install zsh')
const fish = requiredProgram(['fish'], 'on Debian, apt-get install fish')

/** What zsh offers: the script's function is called with the words of each line, and what it would show is printed. */
function completeInZsh(program: string, lines: readonly string[]): string[] {
  const calls = lines.map((line) => `complete_line ${line}`)
  const script = `
compdef() { :; }
_files() { echo files; }
_describe() { print -r -- \${(P)@[-1]%%:*}; }
${COMPLETION_SCRIPTS.zsh(aProgram())}
complete_line() { local -a words=("$@"); local CURRENT=$#; _marquee; }
${calls.join('\n')}`
  return execFileSync(program, ['-f', '-c', script], { encoding: 'utf8' }).trimEnd().split('\n')
}

/** What fish offers, with anything that it complains about. */
function completeInFish(program: string, lines: readonly string[]): string[] {
  const calls = lines.map(
    (line) => `complete -C ${JSON.stringify(line)} | string replace -r '\\t.*' '' | string join ' '`,
  )
  const script = `begin\n${COMPLETION_SCRIPTS.fish(aProgram())}\n${calls.join('\n')}\nend 2>&1`
  const home = mkdtempSync(join(tmpdir(), 'marquee-fish-'))
  onTestFinished(() => rmSync(home, { recursive: true }))
  const env = { ...process.env, HOME: home, XDG_CONFIG_HOME: home, XDG_DATA_HOME: home }
  return execFileSync(program, ['-c', script], { encoding: 'utf8', env, cwd: home }).trimEnd().split('\n')
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

  it.skipIf(zsh === undefined)('does so in zsh', () => {
    const lines = [
      'marquee ""',
      'marquee keys ""',
      'marquee keys create -',
      'marquee import --mapping ""',
      'marquee keys list ""',
    ]
    expect(completeInZsh(zsh as string, lines)).toEqual([
      'import keys',
      'create list',
      '--json --data -h --help',
      'files',
      'files',
    ])
  })

  it.skipIf(fish === undefined)('does so in fish', () => {
    const lines = [
      'marquee ',
      'marquee keys ',
      'marquee --data x keys c',
      'marquee import --m',
      'marquee keys create --',
    ]
    expect(completeInFish(fish as string, lines)).toEqual([
      'import keys',
      'create list',
      'create',
      '--mapping',
      '--data --help --json',
    ])
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
