import type { OutputLanguage } from '../model/language.ts'
import type { Granularity } from '../model/show.ts'
import type { ShowShape } from '../query/queries.ts'
import type { ReferenceRenderer } from './reference-renderer.ts'
import type { OptionFields } from './shape-object.ts'

/** What a show is rendered for. */
export interface RenderOptions {
  /** Only the offers of these countries; undefined for all countries. */
  readonly countries: readonly string[] | undefined
  readonly language: OutputLanguage
  readonly granularity: Granularity
  readonly now: number
  readonly reference: ReferenceRenderer
  /** Which members are answered, if not the ordinary ones. */
  readonly shape?: ShowShape
  /** The members of options that are printed, if not all of them. */
  readonly optionFields?: OptionFields
  /** Whether nothing of the show but its options is printed. */
  readonly isOptionsOnly?: boolean
}
