import type { Season } from 'marquee-client'
import { expect, it } from 'vitest'
import { joinSeasons, seasonAvailability } from './season-grid.tsx'

const option = (id: string) => ({ service: { id, name: id } })

function aSeason(title: string, ofSeason: string[], ofEpisodes: string[][]): Season {
  const options = (ids: string[]) => (ids.length === 0 ? {} : { us: ids.map(option) })
  const episodes = ofEpisodes.map((ids) => ({
    itemType: 'episode',
    title: '',
    airYear: 2000,
    streamingOptions: options(ids),
  }))
  return { itemType: 'season', title, streamingOptions: options(ofSeason), episodes } as unknown as Season
}

it('tells whole seasons, parts of them, and none', () => {
  const seasons = [aSeason('1', ['a', 'b'], [['a', 'b'], ['a']]), aSeason('2', ['b'], [['b'], ['b']])]
  const { services, rows } = seasonAvailability(seasons, 'us')
  expect(services.map(({ id }) => id)).toEqual(['a', 'b'])
  expect(rows.map(({ shares }) => shares)).toEqual([
    [
      { episodes: 2, of: 2 },
      { episodes: 1, of: 2 },
    ],
    [
      { episodes: 0, of: 2 },
      { episodes: 2, of: 2 },
    ],
  ])
})

it('counts a season without episodes as whole where a service has it', () => {
  const { rows } = seasonAvailability([aSeason('1', ['a'], []), aSeason('2', ['a'], [[], []])], 'us')
  expect(rows.map(({ shares }) => shares[0])).toEqual([
    { episodes: 1, of: 1 },
    { episodes: 2, of: 2 },
  ])
})

it('knows nothing of other countries', () => {
  expect(seasonAvailability([aSeason('1', ['a'], [['a']])], 'gb').services).toEqual([])
})

it('joins the seasons of a long series that the same services have', () => {
  const whole = Array.from({ length: 9 }, (_, at) =>
    aSeason(String(at + 1), ['a', 'b'], [['a', 'b'], ['a', 'b'], ['a']]),
  )
  const longer = aSeason('10', ['a', 'b'], [['a', 'b'], ['a', 'b'], ['a', 'b'], ['a']])
  const { rows } = seasonAvailability([...whole, longer, aSeason('11', ['a'], [['a']])], 'us')
  const names = joinSeasons(rows).map(({ season, last }) => [season.title, last.title])
  expect(names).toEqual([
    ['1', '9'],
    ['10', '10'],
    ['11', '11'],
  ])
  expect(joinSeasons(rows.slice(0, 8))).toHaveLength(8)
})
