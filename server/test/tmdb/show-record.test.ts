import { expect, test } from 'vitest'
import { fetchTitle } from '../../src/tmdb/fetched-title.ts'
import { ProviderDirectory } from '../../src/tmdb/provider-directory.ts'
import { showRecord } from '../../src/tmdb/show-record.ts'
import type { TitleKey } from '../../src/tmdb/title-key.ts'
import { aClient, aStandIn } from '../support/tmdb/sync-with.ts'

async function recordOf(key: TitleKey): Promise<string> {
  const standIn = await aStandIn({ movies: 10, series: 10 })
  const languages = ['en', 'de', 'fr', 'sv']
  const title = await fetchTitle(aClient(standIn), key, languages)
  if (title === undefined) throw new Error(`The stand-in has no ${key}`)
  return `${JSON.stringify(showRecord(title, { countries: ['us', 'gb'], languages }, new ProviderDirectory()), null, 2)}\n`
}

test('a movie becomes this record', async () => {
  await expect(await recordOf('movie/3')).toMatchFileSnapshot('golden/movie.json')
})

test('a series becomes this record', async () => {
  await expect(await recordOf('tv/6')).toMatchFileSnapshot('golden/series.json')
})
