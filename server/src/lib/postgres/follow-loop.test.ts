import { expect, it, onTestFinished } from 'vitest'
import { eventually } from '../../../test/support/marquee-process.ts'
import { testSchema } from '../../../test/support/test-store.ts'
import { FollowLoop, type FollowOptions } from './follow-loop.ts'
import { Session } from './session.ts'

/** So rarely is anything looked at without being told of, that no test waits for it. */
const NEVER_MS = 3_600_000

async function aLoop(options: Pick<FollowOptions, 'poll' | 'onFailure'>) {
  const url = await testSchema()
  const other = await Session.open(url, { purpose: 'test' })
  const channel = new URL(url).searchParams.get('options')?.split('=').at(-1) as string
  const loop = new FollowLoop(url, { ...options, purpose: 'test', channel, pollIntervalMs: NEVER_MS })
  onTestFinished(async () => {
    await loop.stop()
    await other.close()
  })
  return { loop, notify: () => other.query(`NOTIFY ${channel}`) }
}

it('looks again at what is told of while it looks, and after it has looked', async () => {
  let looks = 0
  const { loop, notify } = await aLoop({
    poll: async (session) => {
      if (looks === 0) {
        await notify()
        // What was told has come with the answer to this.
        await session.query('SELECT 1')
      }
      looks++
    },
    onFailure: (error) => {
      throw error
    },
  })
  loop.start()
  await eventually(async () => looks === 2 || undefined)
  await notify()
  await eventually(async () => looks === 3 || undefined)
})

it('looks again after failures, with a session of its own, and tells the first from those after it', async () => {
  const sessions = new Set<Session>()
  const failures: [message: string, first: boolean][] = []
  const { loop } = await aLoop({
    poll: async (session) => {
      sessions.add(session)
      if (sessions.size < 3) throw new Error(`look ${sessions.size}`)
    },
    onFailure: ({ message }, first) => void failures.push([message, first]),
  })
  loop.start()
  await eventually(async () => sessions.size === 3 || undefined)
  expect(failures).toEqual([
    ['look 1', true],
    ['look 2', false],
  ])
  expect([...sessions].map(({ isLost }) => isLost)).toEqual([true, true, false])
})
