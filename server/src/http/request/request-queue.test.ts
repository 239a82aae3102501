import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { ResolvedKey } from '../../accounts/keys/key-store.ts'
import type { ApiRequest } from '../exchange/exchange.ts'
import { keyHeaders } from '../exchange/headers.ts'
import { createKeyCheck } from './authenticate.ts'
import { FairQueue } from './request-queue.ts'

/** A request of a client network, with a key or without. */
const aRequest = (network: string, key?: string) => ({ headers: { network, key } }) as unknown as ApiRequest

const queue = new FairQueue({
  hasKey: ({ headers }) => headers.key !== undefined,
  network: ({ headers }) => String(headers.network),
})

/** The requests that were started, in order, each with the function that ends it. */
let started: { name: string; release: () => void }[]

const admit = (network: string, name: string) =>
  queue.admit(aRequest(network), (release) => started.push({ name, release }))
const names = () => started.map(({ name }) => name)

beforeEach(() => {
  started = []
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setImmediate', 'performance'] })
})
afterEach(() => {
  vi.runAllTimers()
  vi.useRealTimers()
})

describe('FairQueue', () => {
  test('a few requests of a network run at a time, and those of others do not wait for them', () => {
    for (const name of ['a1', 'a2', 'a3', 'a4']) admit('a', name)
    admit('b', 'b1')
    expect(names()).toEqual(['a1', 'a2', 'b1'])
    started[0]?.release()
    // Not in the same turn of the event loop.
    expect(names()).toEqual(['a1', 'a2', 'b1'])
    vi.runOnlyPendingTimers()
    expect(names().slice(0, 4)).toEqual(['a1', 'a2', 'b1', 'a3'])
    for (const { release } of started) release()
  })

  test('while many wait, one runs at a time, and rests seven times as long as it took', () => {
    for (let i = 1; i <= 12; i++) admit('a', String(i))
    vi.advanceTimersByTime(10)
    started[0]?.release()
    vi.advanceTimersByTime(100)
    // The second still runs.
    expect(names()).toEqual(['1', '2'])
    started[1]?.release()
    vi.advanceTimersByTime(199)
    expect(names()).toEqual(['1', '2'])
    vi.advanceTimersByTime(1)
    expect(names()).toEqual(['1', '2', '3'])
    vi.advanceTimersByTime(10)
    started[2]?.release()
    vi.advanceTimersByTime(69)
    expect(names()).toEqual(['1', '2', '3'])
    vi.advanceTimersByTime(2)
    expect(names()).toEqual(['1', '2', '3', '4'])
    for (let i = 0; i < started.length; i++) {
      started[i]?.release()
      vi.advanceTimersByTime(201)
    }
    expect(names()).toHaveLength(12)
  })

  test('while few wait, a slot is free in the next turn', () => {
    for (const name of ['1', '2', '3']) admit('a', name)
    vi.advanceTimersByTime(50)
    started[0]?.release()
    vi.advanceTimersByTime(1)
    expect(names()).toEqual(['1', '2', '3'])
    for (const { release } of started) release()
  })

  test('a request that waits for something holds up its network for a quarter of a second', () => {
    for (const name of ['1', '2', '3']) admit('a', name)
    vi.advanceTimersByTime(249)
    expect(names()).toEqual(['1', '2'])
    vi.advanceTimersByTime(2)
    expect(names()).toEqual(['1', '2', '3'])
  })

  test('a slot is freed once, however often it is released', () => {
    for (const name of ['1', '2', '3', '4']) admit('a', name)
    for (let i = 0; i < 3; i++) started[0]?.release()
    vi.advanceTimersByTime(1)
    expect(names()).toEqual(['1', '2', '3'])
  })

  test('a request with a key is exempt', () => {
    expect(queue.isExempt(aRequest('a', 'k'))).toBe(true)
    expect(queue.isExempt(aRequest('a'))).toBe(false)
  })

  test.each([
    ['a key that is known', { id: 'k' }, true],
    ['a key that has ended', { id: 'k', ended: 'revoked' }, false],
    ['a key that is not known', undefined, false],
    ['a key that cannot be looked up', new Error('away'), false],
  ])('%s', (_, found, isKnown) => {
    const find = () => {
      if (found instanceof Error) throw found
      return found as ResolvedKey | undefined
    }
    const hasKey = createKeyCheck(keyHeaders('Market'), { find }, () => 0)
    for (const name of ['x-api-key', 'x-market-api-key'])
      expect(hasKey({ headers: { [name]: 'secret' } } as unknown as ApiRequest)).toBe(isKnown)
    expect(hasKey({ headers: {} } as ApiRequest)).toBe(false)
  })
})
