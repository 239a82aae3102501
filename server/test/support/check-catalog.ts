import type { Catalog } from '../../src/catalog/catalog.ts'
import { changeListName, compareChanges, StoredChange } from '../../src/catalog/changes/stored-change.ts'
import { showWindows } from '../../src/catalog/changes/windows.ts'
import { splitByCountry } from '../../src/catalog/documents/offers-codec.ts'
import { showTitleKeys } from '../../src/catalog/identity/identity-index.ts'
import { decodeDocSet } from '../../src/catalog/index/doc-set.ts'
import { prefixSpellingKeys, wordSpellingKeys } from '../../src/catalog/index/spelling-index.ts'
import { showTerms, term } from '../../src/catalog/index/terms.ts'
import { showColumns } from '../../src/catalog/show-columns.ts'
import { type ColumnEntry, compareSortKeys, type SortValue } from '../../src/catalog/sorted/column-store.ts'
import { DamagedCatalogError } from '../../src/catalog/storage/environment.ts'
import { topListKey } from '../../src/catalog/storage/meta.ts'
import { maxCountedId, type Show, showItems } from '../../src/model/show.ts'

/**
 * Checks the integrity of a catalog: rebuilds the expected content of every table from the shows and compares. Returns
 * one sentence for each difference.
 */
export function checkCatalog(catalog: Catalog): string[] {
  const problems: string[] = []
  try {
    checkTables(catalog, problems)
  } catch (error) {
    if (!(error instanceof DamagedCatalogError)) throw error
    problems.push(error.message)
  }
  return problems
}

function checkTables(catalog: Catalog, problems: string[]): void {
  const shows = readShows(catalog, problems)
  checkRecords(catalog, shows, problems)
  checkIds(catalog, shows, problems)
  checkTerms(catalog, shows, problems)
  checkColumns(catalog, shows, problems)
  checkWindows(catalog, shows, problems)
  checkChanges(catalog, shows, problems)
  checkDictionary(catalog, problems)
  checkIdentities(catalog, shows, problems)
  checkCounts(catalog, shows, problems)
  checkReferences(catalog, shows, problems)
}

type Shows = ReadonlyMap<number, Show>

/** The identity index finds every living show by its titles and by its records, and has no other record. */
function checkIdentities(catalog: Catalog, shows: Shows, problems: string[]): void {
  if (!catalog.hasIdentityIndex()) return
  const expected = new Map<string, number>()
  for (const [doc, show] of shows) {
    for (const key of showTitleKeys(show)) {
      if (!catalog.identities.findTitles([key]).includes(doc))
        problems.push(`Document ${doc} lacks the title key ${key}`)
    }
    if (show.mergedInto !== undefined) continue
    for (const [source, links] of Object.entries(show.records ?? {})) {
      for (const { key } of links) if (key !== show.id) expected.set(`${source}\n${key}`, doc)
    }
  }
  const { recordKeys } = catalog.environment
  for (const { key, value } of recordKeys?.getRange({}) ?? []) {
    if (expected.get(key) !== value) problems.push(`The record ${JSON.stringify(key)} leads to document ${value}`)
    expected.delete(key)
  }
  for (const key of expected.keys()) problems.push(`The record ${JSON.stringify(key)} leads nowhere`)
}

function readShows(catalog: Catalog, problems: string[]): Shows {
  const shows = new Map<number, Show>()
  for (const doc of catalog.environment.facts.getKeys({})) {
    const show = catalog.show(doc)
    if (show === undefined) problems.push(`Document ${doc} has facts and no texts`)
    else shows.set(doc, show)
    if (show !== undefined && catalog.facts(doc)?.id !== show.id) problems.push(`Document ${doc} has two ids`)
  }
  return shows
}

/** Every document has its records, and there are no other records. */
function checkRecords(catalog: Catalog, shows: Shows, problems: string[]): void {
  const { texts, outlines, offers, seasonOffers } = catalog.environment
  for (const doc of texts.getKeys({})) if (!shows.has(doc)) problems.push(`There are texts of document ${doc} alone`)
  for (const doc of outlines.getKeys({})) {
    if (shows.get(doc)?.seasons === undefined) problems.push(`There is an outline of document ${doc}, which needs none`)
  }
  const expected = new Set<string>()
  for (const [doc, show] of shows) {
    for (const country in show.offers) expected.add(`offers ${doc} ${country}`)
    for (const [{ itemType }, byCountry] of showItems(show)) {
      if (itemType !== 'show') for (const country in byCountry) expected.add(`seasonOffers ${doc} ${country}`)
    }
  }
  const found: string[] = []
  for (const [name, table] of Object.entries({ offers, seasonOffers })) {
    for (const { key, value } of table.getRange({})) {
      for (const [country] of splitByCountry(value)) found.push(`${name} ${key} ${country}`)
    }
  }
  compareSets('record', expected, new Set(found), problems)
}

function checkIds(catalog: Catalog, shows: Shows, problems: string[]): void {
  const expected = new Set<string>()
  for (const [doc, { id, imdbId, tmdbId, formerIds = [], mergedInto }] of shows) {
    const ids = mergedInto === undefined ? [id, imdbId, tmdbId, ...formerIds].filter((one) => one !== '') : [`=${id}`]
    for (const one of ids) expected.add(`${one} to ${doc}`)
  }
  const found = new Set([...catalog.environment.ids.getRange({})].map(({ key, value }) => `${key} to ${value}`))
  compareSets('id', expected, found, problems)
}

function checkTerms(catalog: Catalog, shows: Shows, problems: string[]): void {
  const { postings, spellings } = catalog.environment
  const expected = new Map<string, number[]>()
  for (const [doc, show] of shows) {
    for (const name of showTerms(show)) {
      const docs = expected.get(name)
      if (docs === undefined) expected.set(name, [doc])
      else docs.push(doc)
    }
  }
  const words = new Map<string, Set<string>>()
  const wordPrefix = term.titleWord('')
  const edgePrefix = term.titleWordPrefix('')
  let found = 0
  for (const { key, value } of postings.getRange({})) {
    found++
    const docs = [...decodeDocSet(value)].join()
    if (docs !== expected.get(key)?.join()) problems.push(`The term ${key} leads to ${docs}, not ${expected.get(key)}`)
    if (key.startsWith(wordPrefix)) addSpellings(words, key.slice(wordPrefix.length), wordSpellingKeys)
    else if (key.startsWith(edgePrefix)) addSpellings(words, key.slice(edgePrefix.length), prefixSpellingKeys)
  }
  if (found !== expected.size) problems.push(`There are ${found} terms, and there should be ${expected.size}`)
  const forms = new Set([...words].map(([form, all]) => `${form}: ${[...all].sort().join(' ')}`))
  compareSets(
    'spelling',
    forms,
    new Set([...spellings.getRange({})].map(({ key, value }) => `${key}: ${value}`)),
    problems,
  )
}

function addSpellings(words: Map<string, Set<string>>, word: string, keys: (word: string) => Iterable<string>): void {
  for (const key of keys(word)) words.set(key, (words.get(key) ?? new Set()).add(word))
}

function checkColumns(catalog: Catalog, shows: Shows, problems: string[]): void {
  const expected = new Map<string, ColumnEntry[]>()
  for (const [doc, show] of shows) {
    for (const [name, value] of showColumns(show)) {
      const entries = expected.get(name) ?? []
      entries.push({ value, id: Number(show.id), doc })
      expected.set(name, entries)
    }
  }
  const { columnBlocks } = catalog.environment
  const used = new Set<number>()
  for (const name of catalog.columns.names()) {
    const found: ColumnEntry[] = []
    for (const info of catalog.columns.directory(name, catalog.version()).blocks) {
      const { number, count, first, delta } = info
      for (const one of delta === undefined ? [number] : [number, delta.number]) {
        if (used.has(one)) problems.push(`Block ${one} is used twice`)
        used.add(one)
      }
      const { values, ids, docs } = catalog.columns.getBlock(name, info)
      const entries = Array.from(docs, (doc, i) => ({ value: values[i] as SortValue, id: ids[i] as number, doc }))
      if (entries.length !== count) problems.push(`Block ${number} of ${name} holds ${entries.length}, not ${count}`)
      if (entries[0] === undefined || compareSortKeys(entries[0], first) !== 0) {
        problems.push(`Block ${number} of ${name} does not begin as its directory says`)
      }
      found.push(...entries)
    }
    const wanted = (expected.get(name) ?? []).sort(compareSortKeys)
    if (JSON.stringify(found) !== JSON.stringify(wanted)) {
      problems.push(`The column ${name} holds ${found.length} entries that are not the ${wanted.length} in order`)
    }
    expected.delete(name)
  }
  for (const name of expected.keys()) problems.push(`The column ${name} is missing`)
  // Number 0 is the counter.
  const stored = new Set([...columnBlocks.getKeys({})].filter((number) => number !== 0).map(String))
  compareSets('block', new Set([...used].map(String)), stored, problems)
}

function checkWindows(catalog: Catalog, shows: Shows, problems: string[]): void {
  const expected = new Set<string>()
  for (const [doc, show] of shows) {
    for (const change of showWindows(show))
      expected.add(JSON.stringify({ doc, change: StoredChange.fromChange(doc, change).change }))
  }
  const found = new Set<string>()
  for (const { doc, change } of scanAll(catalog, 'windows')) found.add(JSON.stringify({ doc, change }))
  compareSets('window', expected, found, problems)
}

function checkChanges(catalog: Catalog, shows: Shows, problems: string[]): void {
  let previous: StoredChange | undefined
  for (const stored of changesIn(catalog)) {
    const { doc, change } = stored
    const show = shows.get(doc)
    if (show === undefined)
      problems.push(`A change of show ${change.showId} leads to document ${doc}, which is not there`)
    else if (show.id !== change.showId) problems.push(`A change of show ${change.showId} leads to show ${show.id}`)
    if (
      previous !== undefined &&
      changeListName(previous.list) === changeListName(change) &&
      compareChanges(previous, stored) >= 0
    ) {
      problems.push(`A change of show ${change.showId} stands in the wrong place`)
    }
    previous = stored
  }
}

/** All past changes of a catalog. */
export function changesIn(catalog: Catalog): StoredChange[] {
  return scanAll(catalog, 'changes')
}

function scanAll(catalog: Catalog, log: 'changes' | 'windows'): StoredChange[] {
  const version = catalog.version()
  return catalog[log].listIds().flatMap((range) => [...catalog[log].scanAscending(range, version)])
}

function checkDictionary(catalog: Catalog, problems: string[]): void {
  const { dictionaryNumbers, dictionaryTexts } = catalog.environment
  let count = 0
  for (const { key, value } of dictionaryTexts.getRange({})) {
    if (key !== count) problems.push(`The dictionary lacks number ${count}`)
    if (catalog.dictionary.find(value) !== key) problems.push(`The dictionary does not find number ${key} by its text`)
    count++
  }
  const numbers = [...dictionaryNumbers.getKeys({})].filter((key) => !key.startsWith('@')).length
  if (numbers !== (count === 0 ? 0 : count + 1))
    problems.push(`The dictionary has ${count} texts and ${numbers} numbers`)
}

function checkCounts(catalog: Catalog, shows: Shows, problems: string[]): void {
  const offersBySource = new Map<string, number>()
  let offers = 0
  for (const show of shows.values()) {
    for (const [, byCountry] of showItems(show)) {
      for (const list of Object.values(byCountry)) {
        for (const { source } of list) {
          offers++
          offersBySource.set(source, (offersBySource.get(source) ?? 0) + 1)
        }
      }
    }
  }
  const counts = {
    shows: [...shows.values()].filter(({ deleted }) => deleted !== true).length,
    offers,
    offersBySource: Object.fromEntries([...offersBySource].sort(([a], [b]) => (a < b ? -1 : 1))),
  }
  const stored = catalog.counts()
  if (JSON.stringify(stored) !== JSON.stringify(counts)) {
    problems.push(`The counts are ${JSON.stringify(stored)}, and should be ${JSON.stringify(counts)}`)
  }
  const highest = [...shows.values()].reduce((most, { id }) => maxCountedId(most, id), 0)
  if (catalog.highestId() < highest) problems.push(`The highest id is ${highest}, not ${catalog.highestId()}`)
  const nextDoc = (catalog.environment.meta.get('nextDoc') as number | undefined) ?? 0
  if (nextDoc !== shows.size) problems.push(`There are ${shows.size} documents, and the next one would be ${nextDoc}`)
}

/** Services, addons, genres, countries and shows that are referred to exist. */
function checkReferences(catalog: Catalog, shows: Shows, problems: string[]): void {
  const { services, genres, countries } = catalog.reference()
  for (const show of shows.values()) {
    for (const genre of show.genres) if (genres[genre] === undefined) problems.push(`The genre ${genre} is not known`)
    for (const [, byCountry] of showItems(show)) {
      for (const [country, offers] of Object.entries(byCountry)) {
        if (offers.length === 0) problems.push(`Show ${show.id} has an empty list of offers in ${country}`)
        if (countries[country] === undefined) problems.push(`The country ${country} is not known`)
        for (const { service, addon } of offers) {
          const there = services[service]?.countries[country]
          if (there === undefined) problems.push(`The service ${service} is not known in ${country}`)
          if (addon !== undefined && !there?.addons.some(({ id }) => id === addon)) {
            problems.push(`The addon ${addon} of ${service} is not known in ${country}`)
          }
        }
      }
    }
  }
  for (const { shows, ...list } of catalog.topLists()) {
    for (const id of shows) {
      if (catalog.findDoc(id) === undefined)
        problems.push(`The top list ${topListKey(list)} names show ${id}, which is not there`)
    }
  }
}

function compareSets(
  what: string,
  expected: ReadonlySet<string>,
  found: ReadonlySet<string>,
  problems: string[],
): void {
  for (const one of expected) if (!found.has(one)) problems.push(`The ${what} ${one} is missing`)
  for (const one of found) if (!expected.has(one)) problems.push(`The ${what} ${one} should not be there`)
}
