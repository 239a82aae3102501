import { ownEntry } from '../lib/objects.ts'
import { type Connector, ConnectorError, type GivenOptions } from './connector.ts'

/** The flag by which an option is given on the command line, with what stands for its value. */
export function flagOf(name: string, value?: string): string {
  const flag = `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`
  return value === undefined ? flag : `${flag} <${value}>`
}

/** Refuses options that a connector does not have, cannot do without, or cannot use, all in one message. */
export function checkOptions({ name: format, options }: Connector, given: GivenOptions): void {
  const problems: string[] = []
  for (const [name, value] of Object.entries(given)) {
    const option = ownEntry(options, name)
    if (option === undefined) {
      problems.push(`The format ${format} has no option ${flagOf(name)}`)
    } else if ((option.value === undefined) !== (value === true) || value === '') {
      problems.push(
        `${flagOf(name)} needs ${option.value === undefined ? 'no value' : `a value: ${option.description}`}`,
      )
    } else if (value !== true) {
      const needed = option.refuse?.(value)
      if (needed !== undefined) problems.push(`${flagOf(name)} is "${value}"; it must be ${needed}`)
    }
  }
  for (const [name, { value, description, required }] of Object.entries(options)) {
    if (required === true && given[name] === undefined) {
      problems.push(`The format ${format} needs ${flagOf(name, value)}: ${description}`)
    }
  }
  if (problems.length > 0) throw new ConnectorError(problems.join('\n'))
}
