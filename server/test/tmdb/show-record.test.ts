import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { ProviderDirectory } from '../../src/connectors/providers/provider-directory.ts'
import { buildShowRecord } from '../../src/connectors/tmdb/show-record.ts'
import { fetchTitle, type TitleKey } from '../../src/connectors/tmdb/tmdb-client.ts'
import { aClient, aStandIn } from '../support/tmdb/sync-with.ts'

async function fetchRecord(key: TitleKey): Promise<unknown> {
  const standIn = await aStandIn({ movies: 20, series: 20 })
  const languages = ['en', 'de', 'fr', 'sv']
  const title = await fetchTitle(aClient(standIn), key, languages)
  if (title === undefined) throw new Error(`The stand-in has no ${key}`)
  const record = buildShowRecord(title, { countries: ['us', 'gb'], languages }, new ProviderDirectory())
  return JSON.parse(JSON.stringify(record))
}

const golden = (name: string): unknown =>
  JSON.parse(readFileSync(new URL(`./golden/${name}.json`, import.meta.url), 'utf8'))

test('a movie becomes this record', async () => {
  expect(await fetchRecord('movie/3')).toEqual(golden('movie'))
})

test('a series becomes this record', async () => {
  expect(await fetchRecord('tv/17')).toEqual(golden('series'))
})
