import type { Catalog } from '../../catalog/catalog.ts'
import { titleVariants } from '../../catalog/index/analyzer.ts'
import { term } from '../../catalog/index/terms.ts'
import type { Show } from '../../model/show.ts'
import type { NoticeCode } from '../notice.ts'
import type { ShowRecord } from '../parse/feed-record.ts'

/** Which show a statement is about. */
export interface Identity {
  /** The show as known, or undefined where the statement brings a new one. */
  readonly known: Show | undefined
  /** The id that the show has, or that the statement wishes for it and that is free. */
  readonly id: string | undefined
  /** Another known show that turns out to be the same one. */
  readonly absorbed?: Show
  readonly notices: readonly { readonly code: NoticeCode; readonly message: string }[]
}

/** Where shows are looked up: the catalog, and the shows of the batch that is being made. */
export interface ShowIndex {
  findById(id: string): Show | undefined
  /** The own id of the show that has an id: cheaper than the show. */
  findOwnId(id: string): string | undefined
  findByTitle(title: string, year: number, showType: Show['showType']): Show[]
}

/**
 * Recognises a show by its IMDb, TMDB or own id, else by title, year and type if exactly one fits. An own id alone
 * does not make two shows one if their IMDb or TMDB ids differ.
 */
export function identify(statement: ShowRecord, index: ShowIndex): Identity {
  const { id, imdbId, tmdbId, title, year, showType } = statement
  const notices: Identity['notices'][number][] = []
  const byImdb = imdbId === '' ? undefined : index.findById(imdbId)
  const byTmdb = tmdbId === '' ? undefined : index.findById(tmdbId)
  if (byImdb !== undefined && byTmdb !== undefined && byImdb.id !== byTmdb.id) {
    // Two records of one show have met: the older id survives, unless the two contradict each other elsewhere.
    const [known, absorbed] = Number(byImdb.id) < Number(byTmdb.id) ? [byImdb, byTmdb] : [byTmdb, byImdb]
    if (!hasConflictingIds(known, statement) && !hasConflictingIds(absorbed, statement)) {
      notices.push({ code: 'shows_merged', message: `Show ${absorbed.id} turns out to be show ${known.id}` })
      return { known, id: known.id, absorbed, notices }
    }
    const message = `${imdbId} is show ${byImdb.id}, but ${tmdbId} is show ${byTmdb.id}`
    notices.push({ code: 'ids_disagree', message })
  }
  // The IMDb id decides: a TMDB id alone does not make two shows with different IMDb ids one.
  const contradicted = byImdb === undefined && byTmdb !== undefined && hasConflictingIds(byTmdb, statement)
  if (contradicted) {
    const message = `${tmdbId} is show ${byTmdb.id}, which is ${byTmdb.imdbId || byTmdb.showType} and not ${imdbId || showType}`
    notices.push({ code: 'ids_disagree', message })
  }
  const known = byImdb ?? (contradicted ? undefined : byTmdb)
  if (known !== undefined) return { known, id: known.id, notices }

  const byId = id === undefined ? undefined : index.findById(id)
  if (byId !== undefined && !hasConflictingIds(byId, statement)) return { known: byId, id: byId.id, notices }
  if (byId !== undefined) {
    notices.push({ code: 'id_taken', message: `The id ${id} belongs to "${byId.title}"` })
  }
  if (year !== undefined) {
    const fitting = index.findByTitle(title, year, showType).filter((show) => !hasConflictingIds(show, statement))
    if (fitting.length === 1) return { known: fitting[0] as Show, id: (fitting[0] as Show).id, notices }
    if (fitting.length > 1) {
      const ids = fitting.map((show) => show.id).join(', ')
      notices.push({ code: 'ambiguous_show', message: `"${title}" (${year}) may be any of the shows ${ids}` })
    }
  }
  return { known: undefined, id: byId === undefined ? id : undefined, notices }
}

/** Whether both name an IMDb id, or both a TMDB id, and the two are not the same. */
function hasConflictingIds(show: Show, statement: ShowRecord): boolean {
  const differ = (a: string, b: string) => a !== '' && b !== '' && a !== b
  return (
    show.showType !== statement.showType ||
    differ(show.imdbId, statement.imdbId) ||
    differ(show.tmdbId, statement.tmdbId)
  )
}

/** Looks shows up in a catalog. */
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
      const pending = catalog.uncommittedTerms?.docsWithTitle(form) ?? []
      if (stored.size + pending.length === 0) return []
      // Small facts first: a common title leads to many shows, of which few are of the year and type.
      return [...new Set([...stored.toArray(), ...pending])]
        .filter((doc) => {
          const facts = catalog.facts(doc)
          return facts?.year === year && facts.showType === showType
        })
        .flatMap((doc) => show(doc) ?? [])
        .filter((one) => one.deleted !== true && (one.title === title || one.originalTitle === title))
    },
  }
}

/** The same index, asked only once whose an id is: good as long as nothing changes in it. */
export function cacheOwnIds(index: ShowIndex): ShowIndex {
  const owners = new Map<string, string | undefined>()
  return {
    findById: (id) => index.findById(id),
    findOwnId: (id) => {
      if (owners.has(id)) return owners.get(id)
      const owner = index.findOwnId(id)
      owners.set(id, owner)
      return owner
    },
    findByTitle: (title, year, showType) => index.findByTitle(title, year, showType),
  }
}
