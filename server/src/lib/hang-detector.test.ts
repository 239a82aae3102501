import { beforeEach, describe, expect, it } from 'vitest'
import { HangDetector } from './hang-detector.ts'

let now = 0
let detector: HangDetector<string>

beforeEach(() => {
  now = 0
  detector = new HangDetector({ maxSilenceMs: 30_000, maxStartMs: 120_000, checkMs: 1_000, clock: () => now })
})

/** Lets time pass, with checks; `alive` send heartbeats. Returns what is found to hang. */
function pass(seconds: number, ...alive: string[]): string[] {
  return Array.from({ length: seconds }, () => {
    now += 1_000
    for (const id of alive) detector.beat(id)
    return detector.findHung()
  }).flat()
}

describe('HangDetector', () => {
  it('finds a process that falls silent, once', () => {
    detector.beat('one')
    detector.beat('two')
    expect(pass(30, 'two')).toEqual([])
    expect(detector.silenceMs('one')).toBe(30_000)
    expect(pass(1, 'two')).toEqual(['one'])
    expect(pass(100, 'two')).toEqual([])
  })

  it('does not look for a process that has exited or was never started', () => {
    detector.beat('one')
    detector.delete('one')
    expect(detector.silenceMs('one')).toBe(0)
    expect(pass(100)).toEqual([])
  })

  it('finds a process that hangs before its first heartbeat, after a longer time', () => {
    for (const id of ['one', 'two', 'three']) detector.expect(id)
    expect(pass(100)).toEqual([])
    expect(detector.silenceMs('one')).toBe(0)
    detector.beat('two')
    detector.delete('three')
    expect(pass(20, 'two')).toEqual([])
    expect(pass(1, 'two')).toEqual(['one'])
    expect(pass(200, 'two')).toEqual([])
  })

  it('takes nobody for hung after it was suspended itself', () => {
    detector.beat('one')
    now += 3_600_000
    expect(detector.findHung()).toEqual([])
    expect(pass(30, 'one')).toEqual([])
    expect(pass(31)).toEqual(['one'])
  })
})
