import { Argument, type Command } from 'commander'
import { describeSettings } from '../../config.ts'
import { describeVersion } from '../../lib/process-info.ts'
import { EXIT_CODES } from './command-exit.ts'

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

/** What the man page says beside the commands. */
export interface ManPageFacts {
  readonly version: string
  /** The settings, one a line: its name, two spaces or more, its description. */
  readonly settings: string
}

/** The man page of the program (roff, section 1), from the same descriptions as its help. */
export function writeManPage(program: CommandDescription, { version, settings }: ManPageFacts): string {
  const [, ...commands] = listCommands(program)
  const settingLines = settings.split('\n').map((line) => /^\s*(\S+)\s+(.*)$/.exec(line) ?? [])
  return [
    `.TH MARQUEE 1 "" ${quoteArgument(`marquee ${version}`)} "User Commands"`,
    '.SH NAME',
    `marquee \\- ${escapeText(program.description.replace(/\.$/, ''))}`,
    '.SH SYNOPSIS',
    '.B marquee',
    '.I COMMAND',
    '[\\fIFLAGS\\fR]',
    '.SH COMMANDS',
    'Commands with commands of their own are listed after them.',
    ...commands.flatMap(({ words, command }) => [
      `.SS ${quoteArgument(`marquee ${words.join(' ')}${command.operands === '' ? '' : ` ${command.operands}`}`)}`,
      escapeText(toSentence(command.description)),
      ...command.flags.flatMap(writeFlag),
    ]),
    '.SH FLAGS OF ALL COMMANDS',
    ...program.flags.flatMap(writeFlag),
    '.SH EXIT STATUS',
    ...EXIT_CODES.flatMap(({ code, meaning }) => ['.TP', `.B ${code}`, escapeText(meaning)]),
    '.SH ENVIRONMENT',
    'Settings are environment variables, or lines of a file .env in the current folder.',
    ...settingLines.flatMap(([, name = '', text = '']) => (name === '' ? [] : ['.TP', `.B ${name}`, escapeText(text)])),
    '.SH FILES',
    '.TP',
    '.I data',
    'the catalog and the accounts, unless MARQUEE_DATA or \\-\\-data names another folder',
    '.TP',
    '.I data/sources.json',
    'the scheduled sources',
    '',
  ].join('\n')
}

function writeFlag({ usage, description }: FlagDescription): string[] {
  return ['.TP', `.B ${escapeText(usage)}`, escapeText(description)]
}

function toSentence(text: string): string {
  const start = text.slice(0, 1).toUpperCase() + text.slice(1)
  return start.endsWith('.') ? start : `${start}.`
}

/** Text of a line: backslashes, dashes, and a dot or quote at the start have a meaning in roff. */
function escapeText(text: string): string {
  return text
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replace(/\s*\n\s*/g, ' ')
    .replace(/^([.'])/, '\\&$1')
}

function quoteArgument(text: string): string {
  return `"${escapeText(text).replaceAll('"', '\\(dq')}"`
}

/** The shells for which there is a script, and what writes it. */
export const COMPLETION_SCRIPTS = { bash: writeBash, zsh: writeZsh, fish: writeFish } as const

/**
 * bash: one function with a table of commands. The words before the cursor select the command; then its commands or flags are
 * offered. Where nothing fits, bash completes file names.
 */
function writeBash(program: CommandDescription): string {
  const all = listCommands(program)
  const global = program.flags
  const paths = all.filter(({ words }) => words.length > 0).map(({ words }) => quote(` ${words.join(' ')}`))
  const cases = all.map(({ words, command }) => {
    const flags = allFlags(command, global)
    const values = flags.filter(({ takesValue }) => takesValue).flatMap(({ names }) => names)
    return `    ${quote(words.length === 0 ? '' : ` ${words.join(' ')}`)})
      commands=${quote(command.commands.map(({ name }) => name).join(' '))}
      flags=${quote(flags.flatMap(({ names }) => names).join(' '))}
      values=${quote(` ${values.join(' ')} `)} ;;`
  })
  return `# Completion of marquee for bash: marquee completion bash > /etc/bash_completion.d/marquee
_marquee() {
  local current=\${COMP_WORDS[COMP_CWORD]} previous=\${COMP_WORDS[COMP_CWORD-1]}
  local path='' commands='' flags='' values='' i
  for ((i = 1; i < COMP_CWORD; i++)); do
    case "$path \${COMP_WORDS[i]}" in
      ${paths.join('|')}) path="$path \${COMP_WORDS[i]}" ;;
    esac
  done
  case "$path" in
${cases.join('\n')}
  esac
  COMPREPLY=()
  # After a flag that takes a value, file names are offered.
  if [[ "$values" == *" $previous "* ]]; then return; fi
  if [[ "$current" == -* ]]; then
    COMPREPLY=($(compgen -W "$flags" -- "$current"))
  else
    COMPREPLY=($(compgen -W "$commands" -- "$current"))
  fi
}
complete -o default -F _marquee marquee
`
}

/** zsh: the same table, with descriptions. */
function writeZsh(program: CommandDescription): string {
  const all = listCommands(program)
  const paths = all.filter(({ words }) => words.length > 0).map(({ words }) => quote(` ${words.join(' ')}`))
  const describe = (name: string, description: string) => quote(`${name.replaceAll(':', '\\:')}:${description}`)
  const cases = all.map(({ words, command }) => {
    const flags = allFlags(command, program.flags)
    const commands = command.commands.map(({ name, description }) => describe(name, description))
    const flagLines = flags.flatMap(({ names, description }) => names.map((name) => describe(name, description)))
    const values = flags.filter(({ takesValue }) => takesValue).flatMap(({ names }) => names)
    return `    ${quote(words.length === 0 ? '' : ` ${words.join(' ')}`)})
      commands=(${commands.join(' ')})
      flags=(${flagLines.join(' ')})
      values=(${values.join(' ')}) ;;`
  })
  return `#compdef marquee
# Completion of marquee for zsh: marquee completion zsh > "\${fpath[1]}/_marquee"
_marquee() {
  local path_='' i
  local -a commands flags values
  for ((i = 2; i < CURRENT; i++)); do
    case "$path_ \${words[i]}" in
      ${paths.join('|')}) path_="$path_ \${words[i]}" ;;
    esac
  done
  case "$path_" in
${cases.join('\n')}
  esac
  if (( \${values[(Ie)\${words[CURRENT-1]}]} )); then
    _files
  elif [[ "\${words[CURRENT]}" == -* ]]; then
    _describe -o flag flags
  elif (( \${#commands} )); then
    _describe command commands
  else
    _files
  fi
}
# Read as a file of fpath, it is the function; read by \`source\`, it registers itself.
if [[ "\${funcstack[1]}" == _marquee ]]; then _marquee "$@"; else compdef _marquee marquee; fi
`
}

/** fish: one line for each command and flag, with the condition under which it is offered. */
function writeFish(program: CommandDescription): string {
  const lines = listCommands(program).flatMap(({ words, command }) => {
    const condition = quote(`__marquee_at ${words.join(' ')}`.trim())
    return [
      ...command.commands.map(
        ({ name, description }) => `complete -c marquee -n ${condition} -f -a ${name} -d ${quote(description)}`,
      ),
      ...allFlags(command, program.flags).map((flag) => `complete -c marquee -n ${condition} ${fishFlag(flag)}`),
    ]
  })
  return `# Completion of marquee for fish: marquee completion fish > ~/.config/fish/completions/marquee.fish
# True if the command that is being typed is the given one. Flags and their values are not part of it.
function __marquee_at
  set -l asked
  for word in $argv
    set asked "$asked $word"
  end
  set -l typed
  for word in (commandline -opc)[2..]
    if contains -- "$typed $word" ${listCommands(program).map(toFishPath).join(' ')}
      set typed "$typed $word"
    end
  end
  test "$typed" = "$asked"
end
${lines.join('\n')}
`
}

function toFishPath({ words }: NamedCommand): string {
  return quote(` ${words.join(' ')}`)
}

function fishFlag({ names, takesValue, description }: FlagDescription): string {
  const parts = names.map((name) => (name.startsWith('--') ? `-l ${name.slice(2)}` : `-s ${name.slice(1)}`))
  return [...parts, ...(takesValue ? ['-r'] : []), `-d ${quote(description)}`].join(' ')
}

/** The flags of a command, those of the program, and that for help. */
function allFlags({ flags }: CommandDescription, global: readonly FlagDescription[]): FlagDescription[] {
  const inherited = global.filter((flag) => !flags.includes(flag) && !flag.names.includes('--version'))
  const help = { usage: '-h, --help', names: ['-h', '--help'], takesValue: false, description: 'show the help' }
  return [...flags, ...inherited, help]
}

function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}

/** A flag of a command as its help describes it. */
export interface FlagDescription {
  /** As the help prints it: `-V, --version` or `--port <number>`. */
  readonly usage: string
  /** All its names: `-V`, `--version`. */
  readonly names: readonly string[]
  readonly takesValue: boolean
  readonly description: string
}

/** A command with its flags and its own commands, from which completions and the man page are written. */
export interface CommandDescription {
  readonly name: string
  readonly description: string
  /** The arguments as the help prints them: `<feeds...>`. */
  readonly operands: string
  readonly flags: readonly FlagDescription[]
  readonly commands: readonly CommandDescription[]
}

/** Describes a program by what its own help knows. The help of all commands has `--help`, which is not repeated here. */
export function describeCommand(command: Command): CommandDescription {
  return {
    name: command.name(),
    description: command.description(),
    operands: command.registeredArguments
      .map((argument) => {
        const name = `${argument.name()}${argument.variadic ? '...' : ''}`
        return argument.required ? `<${name}>` : `[${name}]`
      })
      .join(' '),
    flags: command.options
      .filter(({ hidden }) => !hidden)
      .map((option) => ({
        usage: option.flags,
        names: [option.short, option.long].filter((name) => name !== undefined),
        takesValue: option.required || option.optional,
        description: option.description,
      })),
    commands: command.commands.map(describeCommand),
  }
}

/** A command with the words that call it: `keys create`; empty for the program itself. */
export interface NamedCommand {
  readonly words: readonly string[]
  readonly command: CommandDescription
}

/** A command and all below it, in the order of the help. */
export function listCommands(command: CommandDescription, words: readonly string[] = []): NamedCommand[] {
  return [{ words, command }, ...command.commands.flatMap((inner) => listCommands(inner, [...words, inner.name]))]
}
