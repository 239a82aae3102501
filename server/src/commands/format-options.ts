import type { Command } from 'commander'
import type { GivenOptions } from '../connectors/framework/connector.ts'
import { optionFlag } from '../connectors/framework/options.ts'
import { CONNECTORS } from '../connectors/framework/registry.ts'

/** The names of all options that any format has. */
const names = new Set(CONNECTORS.flatMap(({ options }) => Object.keys(options)))

/** Adds the options of every format; which of them a format takes is said by `describeFormats`. */
export function addFormatOptions(command: Command): Command {
  for (const name of names) {
    const having = CONNECTORS.filter(({ options }) => name in options)
    const [option] = having.flatMap(({ options }) => options[name] ?? [])
    const formats = having.map((connector) => connector.name).join(', ')
    command.option(optionFlag(name, option?.value), `${formats}: ${option?.description}`)
  }
  return command
}

/** The formats and the options that each takes, as a help text. */
export function describeFormats(): string {
  const width = Math.max(...CONNECTORS.map(({ name }) => name.length))
  const lines = CONNECTORS.map(({ name, summary, options }) => {
    const flags = Object.entries(options).map(([option, { value, required }]) =>
      required === true ? optionFlag(option, value) : `[${optionFlag(option, value)}]`,
    )
    return `  ${name.padEnd(width)}  ${summary}${flags.length === 0 ? '' : `; ${flags.join(' ')}`}`
  })
  return `\nFormats:\n${lines.join('\n')}`
}

/** Those of a command's flags that are options of formats. */
export function optionsOf(flags: object): GivenOptions {
  return Object.fromEntries(Object.entries(flags).filter(([name]) => names.has(name)))
}

/** The format that is meant: a mapping alone says that the feed is a table. */
export function formatOf(format: string | undefined, options: GivenOptions): string {
  return format ?? ('mapping' in options ? 'csv' : 'native')
}
