import { EXIT_CODES } from '../terminal/command-errors.ts'
import { type CommandDescription, type FlagDescription, listCommands } from './command-tree.ts'

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
    `.TH MARQUEE 1 "" ${quote(`marquee ${version}`)} "User Commands"`,
    '.SH NAME',
    `marquee \\- ${escapeText(program.description.replace(/\.$/, ''))}`,
    '.SH SYNOPSIS',
    '.B marquee',
    '.I COMMAND',
    '[\\fIFLAGS\\fR]',
    '.SH COMMANDS',
    'Commands with commands of their own are listed after them.',
    ...commands.flatMap(({ words, command }) => [
      `.SS ${quote(`marquee ${words.join(' ')}${command.operands === '' ? '' : ` ${command.operands}`}`)}`,
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

function quote(text: string): string {
  return `"${escapeText(text).replaceAll('"', '\\(dq')}"`
}
