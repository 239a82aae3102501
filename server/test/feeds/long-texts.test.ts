import { describe, expect, it } from 'vitest'
import { aMovie, anOption, aSeries, aSnapshot, DAY, NOW } from '../support/builders.ts'
import { checkCatalog } from '../support/check-catalog.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { TestService } from '../support/test-service.ts'

type Json = Record<string, unknown>

/** Longer than any key of LMDB may be, the more so as each letter has three bytes. */
const LONG = 'あ'.repeat(3_000)

/** One of each kind of record, with all that is looked up or kept under a name of the feed's. */
const RECORDS: readonly Json[] = [
  { kind: 'genre', id: 'noir', names: { en: 'Noir' } },
  { kind: 'service', id: 'acme', name: 'Acme', addons: [{ id: 'more', name: 'More' }] },
  { kind: 'country', countryCode: 'us', name: 'United States', services: ['acme', 'netflix'] },
  { kind: 'top', country: 'us', service: 'netflix', showType: 'movie', shows: ['1', 'tt0000001'] },
  aMovie({
    id: '1',
    imdbId: 'tt0000001',
    tmdbId: 'movie/1',
    genres: ['noir', { id: 'own', name: 'Own' }],
    originalLanguage: 'en',
    translations: { fr: { title: 'Un', overview: 'Un film.' } },
    popularity: { us: { alltime: 1 } },
    ratings: { other: 50 },
    formerIds: ['17'],
    streamingOptions: {
      us: [
        anOption({ source: 'other', videoLink: 'https://netflix.test/1.mp4' }),
        anOption({ service: 'acme', type: 'addon', addon: 'more' }),
        anOption({ service: { id: 'own', name: 'Own' }, type: 'rent', price: { amount: '2.99', currency: 'USD' } }),
      ],
    },
  }),
  aSeries({ id: '2' }),
  { ...aMovie({ id: '3' }), mergedInto: '1', withdrawn: true },
]

const CHANGE = {
  kind: 'change',
  changeType: 'new',
  itemType: 'show',
  showType: 'movie',
  showId: '1',
  country: 'us',
  service: 'acme',
  streamingOptionType: 'addon',
  addon: 'more',
  timestamp: NOW - DAY,
  link: 'https://acme.test/1',
}

const FEEDS: Record<string, readonly Json[]> = {
  snapshot: [{ kind: 'feed', source: 'long', mode: 'snapshot' }, ...RECORDS],
  delta: [
    { kind: 'feed', source: 'long', mode: 'delta', scope: { countries: ['us'], services: ['acme', 'netflix', 'own'] } },
    ...RECORDS,
    { kind: 'remove', id: '1' },
    { kind: 'remove', imdbId: 'tt0000001' },
  ],
  export: [
    {
      kind: 'feed',
      source: 'long',
      mode: 'delta',
      statesChanges: true,
      attributions: { other: [{ text: 'Other', link: 'https://other.test' }] },
    },
    ...RECORDS,
    CHANGE,
  ],
}

/** A value with each of its texts and each of its keys in turn made long; the texts of images mean nothing. */
function* variants(value: unknown): Generator<unknown> {
  if (typeof value === 'string') yield LONG
  if (typeof value !== 'object' || value === null) return
  for (const [key, inner] of Object.entries(value)) {
    if (key === 'imageSet') continue
    for (const variant of variants(inner)) {
      yield Array.isArray(value) ? value.with(Number(key), variant) : { ...value, [key]: variant }
    }
    if (Array.isArray(value)) continue
    const { [key]: _, ...others } = value as Json
    yield { ...others, [LONG]: inner }
  }
}

/** A feed with the records of another, each once as it is and once with each of its texts and keys made long. */
function withLongTexts([header, ...records]: readonly Json[]): Json[] {
  let id = 1_000
  // A show that was stated already would be passed over, so each is another one.
  const anew = (record: Json) => {
    if (record.kind !== 'show') return record
    id++
    return {
      ...record,
      id: String(id),
      imdbId: `tt${id}`,
      tmdbId: `${record.showType === 'movie' ? 'movie' : 'tv'}/${id}`,
    }
  }
  const all = records.flatMap((record) => {
    const count = [...variants(record)].length
    return [record, ...Array.from({ length: count }, (_, i) => [...variants(anew(record))][i] as Json)]
  })
  return [header as Json, ...all]
}

describe.each(Object.entries(FEEDS))('a %s', (_, feed) => {
  it('with a long text in any field is parsed to its end', async () => {
    const service = await TestService.open(temporaryFolder())
    try {
      await service.import(aSnapshot(aMovie({ id: '1' })))
      const records = withLongTexts(feed)
      expect(records.length).toBeGreaterThan(100)
      await service.import(records, { force: true })
      for (const header of variants(feed[0])) await service.import([header as Json, ...feed.slice(1, 4)])
      expect(checkCatalog(service.ledger.catalog)).toEqual([])
    } finally {
      await service.close()
    }
  })
})

describe('the name of a source', () => {
  it.each([
    ['empty', ''],
    ['longer than 100 characters', 'x'.repeat(101)],
    ['of several lines', 'a\nb'],
  ])('must not be %s', async (_, source) => {
    const service = await TestService.open(temporaryFolder())
    try {
      const [header, ...rest] = aSnapshot(aMovie({ id: '1' }))
      const report = await service.import([{ ...header, source }, ...rest])
      expect(report.refused).toEqual({ reason: 'invalid_header' })
      expect(report.noticeList.map(({ code }) => code)).toEqual(['invalid_field', 'invalid_header'])
      expect(report.noticeList[0]?.message).toContain('a text of 1 to 100 characters without control characters')
    } finally {
      await service.close()
    }
  })

  it('may have 100 characters of any script', async () => {
    const service = await TestService.open(temporaryFolder())
    try {
      const [header, ...rest] = aSnapshot(aMovie({ id: '1' }))
      const source = '𝒳'.repeat(100)
      expect(await service.import([{ ...header, source }, ...rest])).toMatchObject({ source, offers: 1 })
    } finally {
      await service.close()
    }
  })
})
