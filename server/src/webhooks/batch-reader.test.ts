import { describe, expect, it } from 'vitest'
import { Pacer } from './batch-reader.ts'

/** Lets many loops work for a millisecond each; returns in how many turns of the event loop they did. */
async function countTurns(pacer: Pacer, loops: number): Promise<number> {
  let turn = 0
  let isOver = false
  const onTurn = () => {
    turn++
    if (!isOver) setImmediate(onTurn)
  }
  setImmediate(onTurn)
  const turns = new Set<number>()
  const tasks = Array.from({ length: loops }, async () => {
    await pacer.waitForTurn()
    turns.add(turn)
    for (const startedAt = performance.now(); performance.now() - startedAt < 1; );
  })
  await Promise.all(tasks)
  isOver = true
  return turns.size
}

describe('Pacer', () => {
  it('gives each who waits a turn of the event loop, in a hurry or not', async () => {
    const pacer = new Pacer()
    expect(await countTurns(pacer, 20)).toBe(20)
    pacer.isHurried = true
    expect(await countTurns(pacer, 20)).toBe(20)
  })
})
