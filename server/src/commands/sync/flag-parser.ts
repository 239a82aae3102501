import { readFileSync } from 'node:fs'
import { type ProviderMapping, parseProviderMapping } from '../../connectors/providers/provider-mapping.ts'
import { UserError } from '../../lib/user-error.ts'
import { isCountryCode, normalizeCountryCode } from '../../model/country.ts'
import { isLanguageCode } from '../../model/language.ts'
import { isServiceId } from '../../model/service.ts'
import { parseWholeNumber } from '../terminal/flags.ts'

/** Parses the flags of a sync; one error names everything that is wrong with them. */
export class FlagParser {
  private readonly problems: string[] = []

  /** A comma-separated list of country codes, in lower case. */
  countries(text: string): string[] {
    return this.codes('countries', text, isCountryCode, 'us,gb')
  }

  /** A comma-separated list of language codes. */
  languages(text: string): string[] {
    return this.codes('languages', text, isLanguageCode, 'en,de')
  }

  wholeNumber(flag: string, text: string, min: number, max: number): number {
    try {
      return parseWholeNumber(`--${flag}`, text, min, max)
    } catch (error) {
      this.add((error as UserError).message)
      return min
    }
  }

  /** The name of a source that is also that of a folder. */
  source(text: string): string {
    if (!isServiceId(text)) this.add(`--source is "${text}"; it must be letters, digits, "-" and "_"`)
    return text
  }

  /** A list of words, each one of a few. */
  words<T extends string>(flag: string, text: string, choices: readonly T[]): T[] {
    const words = text.split(',').map((word) => word.trim())
    const unknown = words.find((word) => !choices.includes(word as T))
    if (unknown !== undefined) this.add(`--${flag} has "${unknown}"; it takes ${choices.join(', ')}`)
    return words as T[]
  }

  /** The mapping of providers in a file. */
  providers(path: string | undefined): ProviderMapping {
    if (path === undefined) return new Map()
    try {
      return parseProviderMapping(JSON.parse(readFileSync(path, 'utf8')))
    } catch (error) {
      this.add(`--providers: ${path} cannot be used: ${(error as Error).message}`)
      return new Map()
    }
  }

  add(problem: string): void {
    this.problems.push(problem)
  }

  /** Throws if there was any problem. */
  assertValid(): void {
    if (this.problems.length > 0) throw new UserError(this.problems.join('\n'))
  }

  private codes(flag: string, text: string, isCode: (code: string) => boolean, example: string): string[] {
    const codes = [...new Set(text.split(',').map((code) => normalizeCountryCode(code.trim())))]
    if (!codes.every(isCode)) this.add(`--${flag} is "${text}"; it must be codes such as ${example}`)
    return codes
  }
}
