import type { Catalog } from '../../catalog/catalog.ts'
import { titleVariants } from '../../catalog/index/analyzer.ts'
import { term } from '../../catalog/index/terms.ts'
import type { Show } from '../../model/show.ts'
import type { NoticeCode } from '../notice.ts'
import type { ShowRecord } from '../parse/feed-record.ts'

/** The result of identification: which show a record is about. */
export interface Identity {
  /** The known show; undefined if the record is about a new one. */
  readonly known: Show | undefined
  /** The id of the known show, or the record's id if that is free. */
  readonly id: string | undefined
  /** A second known show that the record proves to be the same one. */
  readonly duplicate?: Show
  readonly notices: readonly { readonly code: NoticeCode; readonly message: string }[]
}

/** A lookup of shows: in the catalog, or in an overlay over it. */
export interface ShowIndex {
  findById(id: string): Show | undefined
  /** The own id of the show that an id leads to; cheaper than `findById`. */
  findOwnId(id: string): string | undefined
  findByTitle(title: string, year: number, showType: Show['showType']): Show[]
}

/**
 * Finds the show of a record by IMDb, TMDB or own id, else by title, year and type if exactly one matches. A show whose
 * IMDb or TMDB id differs from the record's is never a match by own id or title.
 */
export function identify(record: ShowRecord, index: ShowIndex): Identity {
  const { id, imdbId, tmdbId, title, year, showType } = record
  const notices: Identity['notices'][number][] = []
  const byImdb = imdbId === '' ? undefined : index.findById(imdbId)
  const byTmdb = tmdbId === '' ? undefined : index.findById(tmdbId)
  if (byImdb !== undefined && byTmdb !== undefined && byImdb.id !== byTmdb.id) {
    // The two known shows are duplicates, and the one with the older id stays, unless other ids contradict that.
    const [known, duplicate] = Number(byImdb.id) < Number(byTmdb.id) ? [byImdb, byTmdb] : [byTmdb, byImdb]
    if (!hasConflictingIds(known, record) && !hasConflictingIds(duplicate, record)) {
      notices.push({ code: 'shows_merged', message: `Show ${duplicate.id} turns out to be show ${known.id}` })
      return { known, id: known.id, duplicate, notices }
    }
    const message = `${imdbId} is show ${byImdb.id}, but ${tmdbId} is show ${byTmdb.id}`
    notices.push({ code: 'ids_disagree', message })
  }
  // The IMDb id decides: an equal TMDB id does not match shows with different IMDb ids.
  const isContradicted = byImdb === undefined && byTmdb !== undefined && hasConflictingIds(byTmdb, record)
  if (isContradicted) {
    const message = `${tmdbId} is show ${byTmdb.id}, which is ${byTmdb.imdbId || byTmdb.showType} and not ${imdbId || showType}`
    notices.push({ code: 'ids_disagree', message })
  }
  const known = byImdb ?? (isContradicted ? undefined : byTmdb)
  if (known !== undefined) return { known, id: known.id, notices }

  const byId = id === undefined ? undefined : index.findById(id)
  if (byId !== undefined && !hasConflictingIds(byId, record)) return { known: byId, id: byId.id, notices }
  if (byId !== undefined) {
    notices.push({ code: 'id_taken', message: `The id ${id} belongs to "${byId.title}"` })
  }
  if (year !== undefined) {
    const matches = index.findByTitle(title, year, showType).filter((show) => !hasConflictingIds(show, record))
    if (matches.length === 1) return { known: matches[0] as Show, id: (matches[0] as Show).id, notices }
    if (matches.length > 1) {
      const ids = matches.map((show) => show.id).join(', ')
      notices.push({ code: 'ambiguous_show', message: `"${title}" (${year}) may be any of the shows ${ids}` })
    }
  }
  return { known: undefined, id: byId === undefined ? id : undefined, notices }
}

/** Whether the types differ, or both have an IMDb or TMDB id and the two differ. */
function hasConflictingIds(show: Show, record: ShowRecord): boolean {
  const differ = (a: string, b: string) => a !== '' && b !== '' && a !== b
  return show.showType !== record.showType || differ(show.imdbId, record.imdbId) || differ(show.tmdbId, record.tmdbId)
}

/** A lookup in the catalog, uncommitted shows of the running transaction included. */
export function createCatalogIndex(catalog: Catalog): ShowIndex {
  const show = (doc: number | undefined) => (doc === undefined ? undefined : catalog.show(doc))
  return {
    findById: (id) => show(catalog.findDoc(id)),
    findOwnId: (id) => {
      const doc = catalog.findDoc(id)
      return doc === undefined ? undefined : catalog.facts(doc)?.id
    },
    findByTitle: (title, year, showType) => {
      const version = catalog.version()
      const [form] = titleVariants(title)
      if (form === undefined) return []
      const stored = catalog.docsWithTerm(term.titleEqual(form), version)
      const uncommitted = catalog.uncommittedTerms?.docsWithTitle(form) ?? []
      if (stored.size + uncommitted.length === 0) return []
      // Facts are smaller than shows: a common title has many shows, but few of the same year and type.
      return [...new Set([...stored.toArray(), ...uncommitted])]
        .filter((doc) => {
          const facts = catalog.facts(doc)
          return facts?.year === year && facts.showType === showType
        })
        .flatMap((doc) => show(doc) ?? [])
        .filter((one) => one.deleted !== true && (one.title === title || one.originalTitle === title))
    },
  }
}

/** The same index with a cache of own ids; valid as long as the index does not change. */
export function cacheOwnIds(index: ShowIndex): ShowIndex {
  const ownIds = new Map<string, string | undefined>()
  return {
    findById: (id) => index.findById(id),
    findOwnId: (id) => {
      if (ownIds.has(id)) return ownIds.get(id)
      const ownId = index.findOwnId(id)
      ownIds.set(id, ownId)
      return ownId
    },
    findByTitle: (title, year, showType) => index.findByTitle(title, year, showType),
  }
}
