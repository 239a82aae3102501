import type { ChangeWithShow } from 'marquee-client'
import { expect, it } from 'vitest'
import { groupByLink, groupByShow } from './show-changes.ts'

function change(showId: string, service: string, season?: number, episode?: number): ChangeWithShow {
  const place = { service: { id: service }, streamingOptionType: 'subscription' }
  return { showId, show: { id: showId }, ...place, season, episode } as unknown as ChangeWithShow
}

it('groups the episodes of a series, and names each service once', () => {
  const groups = groupByShow([
    change('a', 'netflix', 2, 3),
    change('a', 'netflix', 2, 1),
    change('b', 'prime'),
    change('a', 'netflix', 2, 2),
    change('a', 'hulu', 2, 2),
    change('a', 'netflix', 2, 8),
    change('a', 'netflix', 1, 1),
    change('a', 'netflix', 3),
  ])
  expect(
    groups.map(({ show, seasons, places }) => [show.id, seasons, places.map(({ service }) => service.id)]),
  ).toEqual([
    [
      'a',
      [
        { season: 1, episodes: [{ from: 1, to: 1 }] },
        {
          season: 2,
          episodes: [
            { from: 1, to: 3 },
            { from: 8, to: 8 },
          ],
        },
        { season: 3, episodes: [] },
      ],
      ['netflix', 'hulu'],
    ],
    ['b', [], ['prime']],
  ])
})

it('groups what one link leads to, and keeps links apart', () => {
  const place = (service: string, streamingOptionType: string, link: string) =>
    ({ service: { id: service }, streamingOptionType, link }) as ChangeWithShow
  const groups = groupByLink([
    place('apple', 'buy', 'https://a.example/1'),
    place('prime', 'buy', 'https://p.example/1'),
    place('apple', 'rent', 'https://a.example/1'),
    place('prime', 'rent', 'https://p.example/2'),
  ])
  expect(groups.map((group) => group.map((one) => `${one.service.id} ${one.streamingOptionType}`))).toEqual([
    ['apple buy', 'apple rent'],
    ['prime buy'],
    ['prime rent'],
  ])
})
