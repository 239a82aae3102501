import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { temporaryFolder } from '../../../test/support/temporary-folder.ts'
import { trySource } from './source-state.ts'
import { parseSources } from './sources-file.ts'

const folder = temporaryFolder(afterAll)

/** The outcome of trying a source. */
async function attempt(entry: object, env: Record<string, string> = {}) {
  const [source] = parseSources(JSON.stringify([{ name: 'a', every: '1 day', ...entry }]), join(folder, 'sources.json'))
  const { isReady, detail } = await trySource(source as NonNullable<typeof source>, { env, allowPrivate: false })
  return [isReady, detail]
}

describe('trySource', () => {
  test('a file or a folder must be there', async () => {
    writeFileSync(join(folder, 'feed.ndjson'), '')
    expect(await attempt({ from: 'feed.ndjson' })).toEqual([true, 'the file is there'])
    expect(await attempt({ from: '.', format: 'imdb' })).toEqual([true, 'the folder is there'])
    expect(await attempt({ from: 'absent.ndjson' })).toEqual([false, 'it does not exist'])
  })

  test('an address must be allowed, and the message names the setting', async () => {
    const [isReady, detail] = await attempt({ from: 'https://127.0.0.1/feed' })
    expect(isReady).toBe(false)
    expect(detail).toContain('MARQUEE_PRIVATE_SOURCES')
    expect((await attempt({ from: 'http://acme.example/feed' }))[1]).toContain('MARQUEE_PRIVATE_SOURCES=allow')
  })

  test('variables of headers and the key of an API must be set', async () => {
    const headers = { Authorization: 'Bearer $ACME_TOKEN' }
    const [, detail] = await attempt({ from: 'https://acme.example/feed', headers })
    expect(detail).toBe('The headers need the variable ACME_TOKEN, which is not set')
    const tmdb = { sync: 'tmdb', countries: ['us'] }
    expect(await attempt(tmdb)).toEqual([false, 'TMDB_TOKEN is not set; it holds the key of the API'])
    expect(await attempt(tmdb, { TMDB_TOKEN: 'x' })).toEqual([true, 'its key is set'])
    expect(await attempt({ sync: 'tvmaze' })).toEqual([true, 'it needs no key'])
  })
})
