import { execFile } from 'node:child_process'
import { cpSync, createWriteStream, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { createGzip, gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { checkCatalog } from '../support/check-catalog.ts'
import { importSource, type SourceInput } from '../support/import-source.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { TestService } from '../support/test-service.ts'

const fixturePath = (name: string) => fileURLToPath(new URL(name, import.meta.url))
const template = { service: 'acme', linkTemplate: 'https://acme.test/{id}' }

/** A feed of each JSON format with offers, and the name of its list. */
const FORMATS = [
  {
    format: 'media-actions',
    feed: fixturePath('media-actions/feed.json'),
    list: 'dataFeedElement',
    options: { countries: 'us' },
  },
  { format: 'tv-search-feed', feed: fixturePath('tv-search-feed/page-2.json'), list: 'assets', options: template },
] as const

/** Ways to damage a feed. */
const FAULTS: Record<string, (feed: Buffer, list: string) => Buffer> = {
  'that is truncated': (feed) => feed.subarray(0, feed.length / 2),
  'whose gzip data is truncated': (feed) => {
    const zipped = gzipSync(feed)
    return zipped.subarray(0, zipped.length / 2)
  },
  'that is an error page': () => Buffer.from('<!doctype html><title>502 Bad Gateway</title>'),
  'that is empty': () => Buffer.alloc(0),
  'with an element that is no JSON': (_, list) => Buffer.from(`{"${list}":[nonsense]}`),
  'with an element that is no object': (_, list) => Buffer.from(`{"${list}":["element", 7, null]}`),
  'without its list': () => Buffer.from('{"version":"1","elements":[]}'),
  'with invalid UTF-8': (_, list) =>
    Buffer.concat([Buffer.from(`{"${list}":[{"@id":"`), Buffer.from([0xc3, 0x28]), Buffer.from('"}]}')]),
  'with an episode of a missing series': (_, list) =>
    Buffer.from(
      JSON.stringify({
        [list]: [
          {
            '@type': 'TVEpisode',
            '@id': 'https://www.acme.test/x/1',
            partOfSeries: { '@id': 'https://www.acme.test/x' },
            id: 'x1',
            type: 'episode',
            episodeNumber: 1,
            episodeInfo: { seriesId: 'x', episodeNumber: 1 },
          },
        ],
      }),
    ),
}

async function withFeed(source: SourceInput, test: (service: TestService) => Promise<void>): Promise<void> {
  const service = await TestService.open(temporaryFolder())
  try {
    await importSource(service, source)
    await test(service)
    expect(checkCatalog(service.ledger.catalog)).toEqual([])
  } finally {
    await service.close()
  }
}

describe.each(FORMATS)('a $format feed', ({ format, feed, list, options }) => {
  it.each(Object.keys(FAULTS))('%s removes nothing', (fault) =>
    withFeed({ format, path: feed, options }, async (service) => {
      const { offers } = service.ledger.catalog.counts()
      expect(offers).toBeGreaterThan(0)
      const path = join(temporaryFolder(), 'feed.json')
      writeFileSync(path, FAULTS[fault]?.(readFileSync(feed), list) as Buffer)
      const report = await importSource(
        service,
        { format, path, options: { ...options, service: 'acme' } },
        { force: true },
      )
      expect(report).toMatchObject({ complete: false, changes: { removed: 0 } })
      expect(service.ledger.catalog.counts().offers).toBe(offers)
    }),
  )

  it('that would remove more than a fifth of its offers is refused', () =>
    withFeed({ format, path: feed, options }, async (service) => {
      const path = join(temporaryFolder(), 'feed.json')
      writeFileSync(path, `{"${list}":[]}`)
      const report = await importSource(service, { format, path, options: { ...options, service: 'acme' } })
      expect(report.refused).toMatchObject({ reason: 'too_many_removals' })
    }))
})

describe('a csv feed', () => {
  const table = `title,kind,year,country,link\n${Array.from({ length: 200 }, (_, i) => `Movie ${i},movie,${1900 + (i % 100)},us,https://acme.test/${i}\n`).join('')}`
  const mapping = {
    source: 'acme',
    columns: { title: 'title', kind: 'showType', year: 'year', country: 'country', link: 'link' },
    defaults: { service: 'acme', type: 'free' },
    reference: [{ kind: 'service', id: 'acme', name: 'Acme' }],
  }

  it('whose gzip data is truncated removes nothing', async () => {
    const folder = temporaryFolder()
    const [whole, damaged, options] = [join(folder, 'whole.csv'), join(folder, 'damaged.csv'), join(folder, 'map.json')]
    writeFileSync(options, JSON.stringify(mapping))
    writeFileSync(whole, table)
    writeFileSync(damaged, FAULTS['whose gzip data is truncated']?.(Buffer.from(table), '') as Buffer)
    await withFeed({ format: 'csv', path: whole, options: { mapping: options } }, async (service) => {
      const source = { format: 'csv', path: damaged, options: { mapping: options } }
      const report = await importSource(service, source, { force: true })
      expect(report).toMatchObject({ complete: false, changes: { removed: 0 } })
      expect(report.noticeList.map(({ code }) => code)).toContain('truncated_feed')
      expect(service.ledger.catalog.counts().offers).toBe(200)
    })
  })
})

const run = promisify(execFile)

/** Reads a source in a child process; returns the counts and the peak memory. */
async function drainInChild(format: string, path: string, options: object, flags: readonly string[] = []) {
  const child = fixturePath('../support/read-source-child.mjs')
  const { stdout } = await run(process.execPath, [
    ...flags,
    child,
    format,
    path,
    JSON.stringify(options),
    temporaryFolder(),
  ])
  return JSON.parse(stdout) as { records: number; problems: object; megabytes: number }
}

/** Writes a gzipped file with 300 MB between two texts. A gzip file may have many members, so a megabyte is compressed once. */
function writeHuge(path: string, before: string, after: string): void {
  const megabyte = gzipSync(Buffer.alloc(1 << 20, 'x'))
  writeFileSync(path, Buffer.concat([gzipSync(before), ...Array(300).fill(megabyte), gzipSync(after)]))
}

describe('a line of 300 MB', () => {
  const HEADINGS = 'country_iso2\tweek\tcategory\tweekly_rank\tshow_title\n'
  const BASICS = 'tconst\ttitleType\tprimaryTitle\toriginalTitle\tisAdult\tstartYear\tendYear\truntimeMinutes\tgenres\n'
  const MOVIE = 'tt0113277\tmovie\tHeat\tHeat\t0\t1995\t\\N\t170\tCrime\n'

  const APPLE_ITEM = '<umcCatalog><item contentType="movie" contentId="M1">'

  it.each([
    ['media-actions', 'feed.json.gz', '{"dataFeedElement":[{"name":"', '"}]}', { service: 'acme' }],
    ['tv-search-feed', 'feed.json.gz', '{"assets":[{"name":"', '"}]}', template],
    ['top-10', 'table.tsv.gz', HEADINGS, '\n', {}],
    ['imdb', 'title.basics.tsv.gz', BASICS, `\n${MOVIE}`, { create: true }],
    ['wikidata', 'results.json.gz', '{"results":{"bindings":[{"item":"', '"}]}}', {}],
    ['apple-umc', 'catalog.xml.gz', `${APPLE_ITEM}<title>`, '</title></item></umcCatalog>', { service: 'acme' }],
    ['amazon-cdf', 'feed.xml.gz', '<Catalog><Works><Movie><ID>', '</ID></Movie></Works></Catalog>', template],
  ])('is skipped by %s in bounded memory', async (format, name, before, after, options) => {
    const folder = temporaryFolder()
    const path = join(folder, name)
    writeHuge(path, before, after)
    if (format === 'apple-umc') {
      cpSync(fixturePath('apple-umc/availability-us.xml'), join(folder, 'availability-us.xml'))
    }
    const { problems, megabytes } = await drainInChild(
      format,
      ['imdb', 'apple-umc'].includes(format) ? folder : path,
      options,
    )
    expect(problems).toEqual({ line_too_long: 1 })
    expect(megabytes).toBeLessThan(250)
  })
})

it('a table is read in a heap that does not hold its texts', async () => {
  const path = join(temporaryFolder(), 'table.csv.gz')
  const [count, overview] = [10_000, 'x'.repeat(5_000)]
  const rows = function* () {
    yield 'id,title,kind,overview,country,link\n'
    for (let i = 0; i < count; i++) yield `${i},Title ${i},movie,${overview},us,https://acme.test/${i}\n`
  }
  await pipeline(Readable.from(rows()), createGzip({ level: 1 }), createWriteStream(path))
  const mapping = {
    key: 'id',
    columns: { title: 'title', kind: 'showType', overview: 'overview', country: 'country', link: 'link' },
    defaults: { service: 'acme', type: 'free' },
  }
  const options = { mapping: JSON.stringify(mapping) }
  // The texts have 50 MB; a heap that is too small ends the process.
  const { records, problems } = await drainInChild('csv', path, options, ['--max-old-space-size=48'])
  expect({ records, problems }).toEqual({ records: count + 1, problems: {} })
})
