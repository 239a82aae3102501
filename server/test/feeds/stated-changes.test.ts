import { expect, it } from 'vitest'
import { aMovie, aSnapshot, DAY, NOW } from '../support/builders.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { TestService } from '../support/test-service.ts'

it.each([
  ['a season that is missing', { itemType: 'season' }, 'missing_field'],
  ['an episode that is no number', { itemType: 'episode', season: 1, episode: '2' }, 'invalid_field'],
  ['a season of a movie', { itemType: 'season', season: 1, showType: 'movie' }, 'invalid_field'],
  ['a time that is no number', { timestamp: 'yesterday' }, 'invalid_field'],
  ['no time', { timestamp: undefined }, 'missing_field'],
  ['a country of three letters', { country: 'usa' }, 'invalid_field'],
  ['a show id that is none', { showId: 'x' }, 'invalid_field'],
  ['an addon that is none', { streamingOptionType: 'addon', addon: 'a b' }, 'invalid_field'],
  ['an addon where none can be', { addon: 'starz' }, 'invalid_field'],
  ['a service that nobody has stated', { service: 'nobody' }, 'unknown_service'],
])('a change record with %s is refused with a notice', async (_, fields, code) => {
  const service = await TestService.open(temporaryFolder())
  try {
    const change = { changeType: 'new', itemType: 'show', showType: 'series', showId: '1', country: 'us' }
    const stated = { ...change, service: 'netflix', streamingOptionType: 'free', timestamp: NOW - DAY, ...fields }
    const [header, ...records] = aSnapshot(aMovie({ id: '1' }))
    const report = await service.import([{ ...header, statesChanges: true }, ...records, { kind: 'change', ...stated }])
    expect(report.noticeList.map((notice) => notice.code)).toEqual([code])
  } finally {
    await service.close()
  }
})
