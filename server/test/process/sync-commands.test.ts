import { join } from 'node:path'
import { expect, test } from 'vitest'
import { marquee } from '../support/marquee-process.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { TvmazeStandIn } from '../support/tvmaze/tvmaze-stand-in.ts'
import { WATCHMODE_KEY, WatchmodeStandIn } from '../support/watchmode/watchmode-stand-in.ts'

const now = () => Math.floor(Date.now() / 1000)

test('the commands sync a catalog with Watchmode, and its series with TVmaze', async () => {
  const watchmode = await new WatchmodeStandIn({ titles: 6, now }).listen()
  const tvmaze = await new TvmazeStandIn({ shows: 4, now }).listen()
  const env = {
    MARQUEE_DATA: join(temporaryFolder(), 'data'),
    WATCHMODE_API: watchmode.address,
    WATCHMODE_KEY,
    TVMAZE_API: tvmaze.address,
  }
  const limited = await marquee(
    ['sync', 'watchmode', '--countries', 'us', '--rate', '500', '--max-requests', '5', '--json'],
    env,
  )
  expect(limited.code).toBe(1)
  expect(JSON.parse(limited.stdout)).toMatchObject({ fetched: 3, paused: { reason: expect.stringContaining('5') } })
  const rest = await marquee(['sync', 'watchmode', '--countries', 'us', '--rate', '500', '--json'], env)
  expect(JSON.parse(rest.stdout)).toMatchObject({ source: 'watchmode', resumed: true, fetched: 3 })
  expect(rest.code).toBe(0)
  const created = await marquee(['sync', 'tvmaze', '--create', '--countries', 'us', '--rate', '500'], env)
  expect(created.stdout).toContain('tvmaze is up to date: 4 titles')
  expect(created.code).toBe(0)
})
