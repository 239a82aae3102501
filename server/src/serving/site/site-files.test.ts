import sax from 'sax'
import { expect, it } from 'vitest'
import { rasterize } from '../../demo/artwork/rasterize.ts'
import type { Site } from '../../http/site/page.ts'
import type { QueryEngine } from '../../render/query-engine.ts'
import { createIcons, createShareCards, drawShareCard } from './share-card.ts'
import { createCrawlerFiles, MANIFEST_SITE } from './site-files.ts'

const SHOWS = 100_000
const ORIGIN = 'https://marquee.test'

/** A catalog in which every tenth document is deleted or merged. */
const CATALOG: Parameters<typeof createCrawlerFiles>[0] = {
  nextDoc: () => SHOWS,
  facts: (doc) =>
    ({
      id: String(doc),
      originalTitle: doc % 3 === 0 ? `Tom & <Jerry> ${doc}` : '東京',
      deleted: doc % 20 === 0,
      mergedInto: doc % 20 === 10 ? '1' : undefined,
    }) as ReturnType<Parameters<typeof createCrawlerFiles>[0]['facts']>,
}

async function read(sites: readonly Site[], path: string): Promise<{ contentType: string; body: string } | undefined> {
  const site = sites.find(({ prefix, isExact }) => (isExact ? prefix === path : path.startsWith(prefix))) as Site
  const found = await site.serve(path.slice(site.prefix.length), ORIGIN)
  return found && { ...found, body: String(found.body) }
}

/** The addresses of a sitemap; an XML parser that forgives nothing reads it. */
function addresses(xml: string): string[] {
  const parser = sax.parser(true, { trim: true })
  const found: string[] = []
  let isAddress = false
  parser.onopentag = ({ name }) => {
    isAddress = name === 'loc'
  }
  parser.ontext = (text) => {
    if (isAddress) found.push(text)
  }
  parser.onerror = (error) => {
    throw error
  }
  parser.write(xml).close()
  return found
}

it('lists every show of a catalog of 100,000 once, in files that are small enough', async () => {
  const sites = createCrawlerFiles(CATALOG)
  expect((await read(sites, '/robots.txt'))?.body).toContain(`Sitemap: ${ORIGIN}/sitemap.xml\n`)
  const files = addresses((await read(sites, '/sitemap.xml'))?.body ?? '')
  const shows = new Set<string>()
  for (const file of files) {
    const { body = '', contentType } = (await read(sites, file.slice(ORIGIN.length))) ?? {}
    expect(contentType).toBe('application/xml; charset=utf-8')
    expect(body.length).toBeLessThan(50 * 1024 * 1024)
    const listed = addresses(body)
    expect(listed.length).toBeLessThanOrEqual(50_000)
    expect(listed.filter((address) => new URL(address).href !== address)).toEqual([])
    for (const address of listed) shows.add(/\/show\/(\d+)\//.exec(address)?.[1] ?? address)
  }
  expect([...shows].filter((id) => /^\d+$/.test(id))).toHaveLength(SHOWS * 0.9)
  expect(await read(sites, '/sitemaps/shows-10.xml')).toBeUndefined()
  expect(await read(sites, '/sitemaps/other.xml')).toBeUndefined()
})

/** Renders in this thread: the one of the service is a built file. */
const images = { cached: () => undefined, render: async (svg: string) => rasterize(svg) }

const SHOW = {
  title: '<b>Tom & Jerry</b>',
  showType: 'series' as const,
  firstAirYear: 1940,
  lastAirYear: 1958,
  streamingOptions: { us: [{ service: { id: 'a', name: 'A & B', themeColorCode: '"/><script>' } }] },
}

it('draws cards and icons as PNG, with nothing of a feed as markup', async () => {
  const svg = drawShareCard(SHOW, 'us')
  expect(svg).toContain('1940–1958')
  expect(svg).not.toMatch(/<b>|<script/)
  const engine = {
    names: () => ({ hasCountry: (country: string) => country === 'us' }),
    execute: ({ id }: { id: string }) =>
      id === '7' ? { body: { bytes: Buffer.from(JSON.stringify(SHOW)) }, validUntil: Infinity } : undefined,
  } as unknown as QueryEngine
  const cards = createShareCards(engine, images, () => 0)
  const png = await cards.serve('us/en/7.png', ORIGIN)
  expect(png?.contentType).toBe('image/png')
  // Width and height of the image, which the page states beside its address.
  const bytes = Buffer.from((png?.body ?? '') as Buffer)
  expect([16, 20].map((at) => bytes.readUInt32BE(at))).toEqual([1200, 630])
  for (const path of ['us/en/8.png', 'gb/en/7.png', 'us/xx/7.png', 'us/en/7', '../7.png'])
    expect(await cards.serve(path, ORIGIN)).toBeUndefined()
  expect((await cards.serve('marquee.png', ORIGIN))?.contentType).toBe('image/png')

  const { icons } = JSON.parse(String((await MANIFEST_SITE.serve('', ORIGIN))?.body)) as { icons: { src: string }[] }
  const sites = createIcons(images)
  for (const { src } of icons) expect((await read(sites, src))?.contentType).toBe('image/png')
  expect(await read(sites, '/icons/9999.png')).toBeUndefined()
})

it('has a favicon where browsers look for one that no page names', async () => {
  const [, favicon] = createIcons(images) as [Site, Site]
  expect(favicon.prefix).toBe('/favicon.ico')
  const { contentType, body } = (await favicon.serve('', ORIGIN)) as { contentType: string; body: Buffer }
  expect(contentType).toBe('image/vnd.microsoft.icon')
  // The type of the file, and how many images it has.
  expect([0, 2, 4].map((at) => body.readUInt16LE(at))).toEqual([0, 1, 2])
  for (const [i, size] of [32, 48].entries()) {
    const entry = body.subarray(6 + 16 * i, 22 + 16 * i)
    const png = body.subarray(entry.readUInt32LE(12)).subarray(0, entry.readUInt32LE(8))
    expect(png.subarray(1, 4).toString()).toBe('PNG')
    expect([entry[0], entry[1], png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([size, size, size, size])
  }
})
