import { describe, expect, it } from 'vitest'
import { ExportPacer } from './catalog-export.ts'

/** An event loop in which each turn takes the given milliseconds; the last of them for ever. */
function aLoop(...turns: number[]) {
  const loop = {
    time: 0,
    turns: 0,
    now: () => loop.time,
    nextTurn: async () => {
      loop.time += turns[Math.min(loop.turns++, turns.length - 1)] as number
    },
  }
  return loop
}

describe('the pace of exports', () => {
  it('is full where nobody else has work', async () => {
    const loop = aLoop(0.01)
    const pacer = new ExportPacer(loop)
    expect(await pacer.rest(2)).toBeCloseTo(0.01)
    expect(loop.turns).toBe(1)
  })

  it('leaves others their share while they have work', async () => {
    const loop = aLoop(0.5)
    const pacer = new ExportPacer(loop)
    const rested = await pacer.rest(2)
    expect(2 / (2 + rested)).toBeLessThanOrEqual(0.4)
    expect(2 / (2 + rested)).toBeGreaterThan(0.35)
  })

  it('ends the rest as soon as the others are done', async () => {
    const loop = aLoop(0.5, 0.5, 0.01)
    expect(await new ExportPacer(loop).rest(2)).toBeCloseTo(1.01)
  })

  it('is that of all exports together', async () => {
    const loop = aLoop(0.5)
    const pacer = new ExportPacer(loop)
    pacer.count = 4
    // Each of the four works for one of ten parts.
    expect(await pacer.rest(1)).toBeCloseTo(9, 0)
  })
})
