import type { Locale } from '../model/language.ts'
import { longLanguageCode } from './language-codes.ts'
import { longRegionCode } from './region-codes.ts'

/** The locale of a language tag such as `en`, `pt-BR`, `es-419` or `zh-Hant-TW`; scripts have no place in one. */
export function localeOf(tag: string): Locale | undefined {
  const [first = '', ...rest] = tag.trim().split(/[-_]/)
  const language = longLanguageCode(first)
  if (language === undefined) return undefined
  const region = rest.map(longRegionCode).find((code) => code !== undefined)
  return region === undefined ? { language } : { language, region }
}
