import type { Show } from '../../model/show.ts'
import { type FoldedTitle, foldTitle, toSkeleton } from './folded-title.ts'

/** Skeletons shorter than this are shared by too many titles; the letters themselves are the key then. */
const MIN_SKELETON = 4
/** Subtitles shorter than this are too common to look a show up by. */
const MIN_TAIL = 8
const MIN_MAIN = 3

/**
 * The keys under which shows of similar titles are found: hashes of the skeletons of the title, its main title, its
 * subtitle and the title without a brand. Two titles that may mean the same work share a key; most that share one do not
 * mean the same, so whoever looks up compares the titles themselves.
 */
export function titleKeys(titles: Iterable<string>): Set<number> {
  const keys = new Set<number>()
  for (const title of titles) for (const key of foldedKeys(foldTitle(title))) keys.add(key)
  return keys
}

/** The keys of cached titles: an import needs those of a title several times. */
const keysByTitle = new WeakMap<readonly FoldedTitle[], ReadonlySet<number>>()

function foldedKeys(title: readonly FoldedTitle[]): ReadonlySet<number> {
  const known = keysByTitle.get(title)
  if (known !== undefined) return known
  const keys = new Set<number>()
  for (const folded of title) addKeys(folded, keys)
  keysByTitle.set(title, keys)
  return keys
}

/** What has titles: a show, or a record of one. */
export interface Titled {
  readonly title: string
  readonly originalTitle?: string
  readonly translations?: Readonly<Record<string, { readonly title: string }>>
  /** Alternative titles. */
  readonly aliases?: readonly string[]
}

/** All titles of a show or a record: its own, the original one, translated and alternative ones. */
export function allTitles({ title, originalTitle, translations = {}, aliases = [] }: Titled): Set<string> {
  const titles = new Set([title, ...aliases])
  if (originalTitle !== undefined) titles.add(originalTitle)
  for (const language in translations) titles.add((translations[language] as { title: string }).title)
  return titles
}

/** The title keys of a show; a deleted one has none. */
export function showTitleKeys(show: Show): Set<number> {
  return show.deleted === true ? new Set() : titleKeys(allTitles(show))
}

function addKeys({ full, main, tail, brandless, yearless }: FoldedTitle, keys: Set<number>): void {
  if (full !== '') keys.add(toKey(full))
  if (main.length >= MIN_MAIN) keys.add(toKey(main))
  if (tail.length >= MIN_TAIL) keys.add(toKey(tail))
  if (brandless !== '') keys.add(toKey(brandless))
  if (yearless !== '') keys.add(toKey(yearless))
}

function toKey(text: string): number {
  const skeleton = toSkeleton(text)
  return hashText(skeleton.length >= MIN_SKELETON ? skeleton : `=${text}`)
}

/** FNV-1a over UTF-16 code units: 32 bits, as keys of LMDB. */
export function hashText(text: string): number {
  let hash = 0x811c9dc5
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193)
  return hash >>> 0
}
