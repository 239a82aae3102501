import { describe, expect, it } from 'vitest'
import { aDelta, aMovie, anOption, aSnapshot, DAY, NOW } from '../../support/builders.ts'
import { aRunningService } from '../running-service.ts'

/* One test for each sentence about places. Their law over random histories is in server/test/feeds/place-laws.test.ts. */

const HOUR = 3_600

/** A service with one movie of these options, and its changes of a type as `[service.type, time since the start]`. */
async function withOptions(...options: object[]) {
  const movie = (given: object[]) => aMovie({ id: '1', streamingOptions: given.length === 0 ? {} : { us: given } })
  const service = await aRunningService(aSnapshot(movie(options)))
  const changes = async (type: string) => {
    const dates = type === 'expiring' || type === 'upcoming' ? '&include_unknown_dates=true' : ''
    const { body } = await service.get(`/changes?country=us&change_type=${type}&item_type=show${dates}`)
    return body.changes.map((change: { streamingOptionType: string; timestamp?: number }) => [
      change.streamingOptionType,
      change.timestamp === undefined ? 'unknown' : change.timestamp - NOW,
    ])
  }
  const state = (given: object[]) => service.import(aDelta(movie(given)))
  return { service, changes, state }
}

describe('places', () => {
  it('a place becomes live: new; it stops being live: removed', async () => {
    const { service, changes, state } = await withOptions(anOption())
    expect(await changes('new')).toEqual([['subscription', 0]])
    await service.advance(HOUR)
    await state([])
    expect(await changes('removed')).toEqual([['subscription', HOUR]])
  })

  it('a place is an item, country, service, type and addon: another type is another place', async () => {
    const { service, changes, state } = await withOptions(anOption())
    await service.advance(HOUR)
    await state([anOption(), anOption({ type: 'free' })])
    expect(await changes('new')).toEqual([
      ['subscription', 0],
      ['free', HOUR],
    ])
    expect(await changes('updated')).toEqual([])
  })

  it('it stays live and what it offers is altered: updated', async () => {
    const { service, changes, state } = await withOptions(anOption(), anOption({ quality: 'uhd' }))
    await service.advance(HOUR)
    await state([anOption()])
    expect(await changes('updated')).toEqual([['subscription', HOUR]])
    expect(await changes('removed')).toEqual([])
  })

  it('upcoming is told of places that are not live, at the earliest announced start', async () => {
    const { service, changes } = await withOptions(
      anOption({ startsOn: NOW + 2 * DAY }),
      anOption({ startsOn: NOW + DAY, quality: 'uhd' }),
      anOption({ startsOn: 'unknown', quality: 'sd' }),
    )
    expect(await changes('upcoming')).toEqual([['subscription', DAY]])
    await service.advance(DAY)
    expect(await changes('upcoming')).toEqual([])
    expect(await changes('new')).toEqual([['subscription', DAY]])
  })

  it('expiring is told of live places all of whose options end, at the last end', async () => {
    const { changes } = await withOptions(
      anOption({ expiresOn: NOW + DAY }),
      anOption({ expiresOn: NOW + 3 * DAY, quality: 'uhd' }),
    )
    expect(await changes('expiring')).toEqual([['subscription', 3 * DAY]])
  })

  it('a live place one of whose options does not end is not expiring', async () => {
    const { service, changes } = await withOptions(anOption({ expiresOn: NOW + DAY }), anOption({ quality: 'uhd' }))
    expect(await changes('expiring')).toEqual([])
    await service.advance(DAY)
    expect(await changes('removed')).toEqual([])
    expect(await changes('updated')).toEqual([['subscription', DAY]])
  })

  it('a live place that ends imminently without a date is expiring without a timestamp', async () => {
    const { changes } = await withOptions(anOption({ expiresSoon: true }))
    expect(await changes('expiring')).toEqual([['subscription', 'unknown']])
  })

  it('a window is applied within a second: the change has the instant of the window', async () => {
    const { service, changes } = await withOptions(anOption({ expiresOn: NOW + DAY }))
    await service.advance(DAY + 1)
    expect(await changes('removed')).toEqual([['subscription', DAY]])
  })

  it('an identical option that a second source states changes nothing, also when it withdraws it', async () => {
    const { service, changes } = await withOptions(anOption())
    await service.advance(HOUR)
    const movie = aMovie({ id: '1', streamingOptions: { us: [anOption()] } })
    const other = (...records: object[]) => [{ kind: 'feed', source: 'other', mode: 'snapshot' }, ...records]
    expect((await service.import(other(movie))).changes).toEqual({ new: 0, updated: 0, removed: 0 })
    await service.import(other(aMovie({ id: '9' })), { force: true })
    for (const type of ['updated', 'removed']) expect(await changes(type)).toEqual([])
    expect(await changes('new')).toContainEqual(['subscription', 0])
  })
})
