/*
 * Sources of every format with a part of another structure: a value of another type, deep nesting, thousands of parts,
 * repeated names, names that every object of JavaScript has. The seeds are fixed; for a long run with random, printed ones
 * set MARQUEE_TEST_SEED=random and MARQUEE_TEST_RUNS=50 (support/property-runs.ts).
 */
import { cpSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, it } from 'vitest'
import { UserError } from '../../src/lib/errors.ts'
import { checkCatalog } from '../support/check-catalog.ts'
import { importSource, nativeFeed } from '../support/import-source.ts'
import { ODD_VALUES, pathsIn, replaceAt, seededNumbers } from '../support/odd-structures.ts'
import { runFactor, seedOffset } from '../support/property-runs.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { TestService } from '../support/test-service.ts'

type Random = (below: number) => number
type Damage = (text: string, random: Random) => string

const VARIANTS = 16 * runFactor

/** Names that objects have without being given them. */
const NAMES = ['__proto__', 'constructor', 'toString', 'hasOwnProperty']

const draw = <T>(list: readonly T[], random: Random) => list[random(list.length)] as T

/** Another value at one member of a JSON text; every third time the member is there twice. */
const damageJson: Damage = (text, random) => {
  const document = JSON.parse(text) as object
  const path = draw(pathsIn(document).slice(1), random)
  const value = draw(ODD_VALUES, random)
  const name = path.at(-1) as string
  const isRepeated = Number.isNaN(Number(name)) && random(3) === 0
  return replaceAt(document, path, isRepeated ? `${value},${JSON.stringify(name)}:${draw(ODD_VALUES, random)}` : value)
}

/** What is put behind an opening tag, or in place of it, by the name of its element. */
const XML_DAMAGES: readonly ((tag: string, name: string, random: Random) => string)[] = [
  (tag) => tag + '<a>'.repeat(5_000) + '</a>'.repeat(5_000),
  (tag, name) => tag + `<${name}/>`.repeat(2_000),
  (tag) => tag + 'x'.repeat(200_000),
  (tag) => `${tag}<![CDATA[\u0001<b>]]>&#0;&amp;&nothing;`,
  (tag, _name, random) => `${tag}<${draw(NAMES, random)}>7</${draw(NAMES, random)}>`,
  (tag, _name, random) => tag.replace(/\/?>$/, (end) => ` ${draw(NAMES, random)}="x"${end}`),
  (tag) => tag.replace(/\/?>$/, (end) => ` a="1" a="2"${end}`),
  (_tag, _name, random) => `<${draw(NAMES, random)}>`,
  () => '',
]

const damageXml: Damage = (text, random) => {
  const tags = [...text.matchAll(/<([A-Za-z][\w:.-]*)[^>]*>/g)]
  const { 0: tag, 1: name = '', index = 0 } = draw(tags, random)
  const damaged = text.slice(0, index) + draw(XML_DAMAGES, random)(tag, name, random) + text.slice(index + tag.length)
  if (random(8) > 0) return damaged
  const entities = Array.from({ length: 20 }, (_, i) => `<!ENTITY e${i + 1} "${`&e${i};`.repeat(10)}">`).join('')
  return damaged.replace(/^(<\?xml[^>]*\?>)?/, `$1<!DOCTYPE a [<!ENTITY e0 "x">${entities}]>`).replace('>7<', '>&e20;<')
}

/** Another content of a cell, or another number of cells, in a line of a table. */
const damageTable =
  (separator: string): Damage =>
  (text, random) => {
    const lines = text.split('\n')
    // The first line has the names of the columns, and is damaged more often than the others.
    const at = random(4) === 0 ? 0 : random(lines.length)
    const cells = (lines[at] as string).split(separator)
    const cell = random(cells.length)
    const kind = random(6)
    if (kind === 0) cells.push(...Array.from({ length: 3_000 }, () => 'more'))
    else if (kind === 1) cells.length = cell
    else if (kind === 2) cells.splice(cell, 0, cells[cell] as string)
    else cells[cell] = draw([...NAMES, ...ODD_VALUES, '"', 'x'.repeat(200_000), "['a', ['b', {", '\u0000'], random)
    lines[at] = cells.join(separator)
    return lines.join('\n')
  }

const fixturePath = (name: string) => fileURLToPath(new URL(name, import.meta.url))
const mapping = JSON.stringify({
  source: 'acme',
  columns: {
    title: 'title',
    type: { field: 'showType', values: { SHOW: 'series', MOVIE: 'movie' } },
    release_year: 'year',
    imdb_id: 'imdbId',
  },
  key: 'id',
  linkTemplate: 'https://acme.test/{id}',
  defaults: { service: 'acme', type: 'free', country: 'us' },
  reference: [{ kind: 'service', id: 'acme', name: 'Acme' }],
})

/** A source of each format: the file or folder, the file in it to damage, and how. */
const SOURCES: readonly {
  format: string
  path: string
  files?: readonly string[]
  options?: Record<string, string | true>
  damage: Damage
}[] = [
  { format: 'media-actions', path: 'media-actions/feed.json', options: { countries: 'us,de' }, damage: damageJson },
  {
    format: 'tv-search-feed',
    path: 'tv-search-feed/page-2.json',
    options: { service: 'acme', linkTemplate: 'https://acme.test/{id}' },
    damage: damageJson,
  },
  { format: 'wikidata', path: 'wikidata/results.json', damage: damageJson },
  {
    format: 'amazon-cdf',
    path: 'amazon-cdf/catalog.xml',
    options: { linkTemplate: 'https://lantern.test/watch/{launchId}' },
    damage: damageXml,
  },
  {
    format: 'apple-umc',
    path: 'apple-umc',
    files: ['catalog.xml', 'availability-us.xml'],
    options: { service: 'lantern', serviceName: 'Lantern' },
    damage: damageXml,
  },
  { format: 'csv', path: 'csv/titles.csv', options: { mapping }, damage: damageTable(',') },
  {
    format: 'imdb',
    path: 'imdb',
    files: ['title.basics.tsv', 'title.episode.tsv', 'title.akas.tsv'],
    options: { create: true },
    damage: damageTable('\t'),
  },
]

describe('a part of another structure', () => {
  it.each(SOURCES)('never ends an import of $format with an exception', async (source) => {
    const { format, path: name, files, options = {}, damage } = source
    const service = await TestService.open(temporaryFolder(afterAll))
    const random = seededNumbers(7 + seedOffset)
    const folder = temporaryFolder(afterAll)
    const path = join(folder, 'source')
    cpSync(fixturePath(name), path, { recursive: true })
    const isFolder = statSync(path).isDirectory()
    let read = 0
    for (let variant = 0; variant < VARIANTS; variant++) {
      const file = isFolder ? join(path, draw(files ?? [], random)) : path
      const original = readFileSync(file, 'utf8')
      writeFileSync(file, damage(original, random))
      try {
        if (variant % 4 > 0) await nativeFeed(service, { format, path, options })
        else await importSource(service, { format, path, options }, { force: true })
        read++
      } catch (error) {
        // A source that cannot be read at all is refused with a sentence for the person who runs the import.
        if (!(error instanceof UserError)) throw new Error(`variant ${variant}: ${(error as Error).stack}`)
      }
      writeFileSync(file, original)
    }
    expect(read).toBeGreaterThan(VARIANTS / 3)
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined()
    expect(checkCatalog(service.ledger.catalog)).toEqual([])
    await service.close()
  })
})
