import type { Command } from 'commander'

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
