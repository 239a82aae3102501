import { expect, it, onTestFinished } from 'vitest'
import { eventually } from '../../../test/support/marquee-process.ts'
import { testSchema } from '../../../test/support/test-store.ts'
import { FollowLoop, type FollowOptions } from './follow-loop.ts'
import { Session } from './session.ts'

/** A poll interval that no test reaches. */
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

it('polls again after a notification, during a poll and after one', async () => {
  let polls = 0
  const { loop, notify } = await aLoop({
    poll: async (session) => {
      if (polls === 0) {
        await notify()
        // The notification arrives with the reply to this statement.
        await session.query('SELECT 1')
      }
      polls++
    },
    onFailure: (error) => {
      throw error
    },
  })
  loop.start()
  await eventually(async () => polls === 2 || undefined)
  await notify()
  await eventually(async () => polls === 3 || undefined)
})

it('polls again after failures with a new session, and reports which failure was the first', async () => {
  const sessions = new Set<Session>()
  const failures: [message: string, first: boolean][] = []
  const { loop } = await aLoop({
    poll: async (session) => {
      sessions.add(session)
      if (sessions.size < 3) throw new Error(`poll ${sessions.size}`)
    },
    onFailure: ({ message }, first) => void failures.push([message, first]),
  })
  loop.start()
  await eventually(async () => sessions.size === 3 || undefined)
  expect(failures).toEqual([
    ['poll 1', true],
    ['poll 2', false],
  ])
  expect([...sessions].map(({ isLost }) => isLost)).toEqual([true, true, false])
})
