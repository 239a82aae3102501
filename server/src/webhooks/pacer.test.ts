import { expect, it } from 'vitest'
import { Pacer } from './pacer.ts'

/** Lets many loops work for a millisecond each; returns how often others had a turn of the event loop meanwhile. */
async function work(pacer: Pacer, loops: number): Promise<number> {
  let turns = 0
  let isOver = false
  const turn = () => {
    turns++
    if (!isOver) setImmediate(turn)
  }
  setImmediate(turn)
  const tasks = Array.from({ length: loops }, async () => {
    await pacer.waitForTurn()
    for (const startedAt = performance.now(); performance.now() - startedAt < 1; );
  })
  await Promise.all(tasks)
  isOver = true
  return turns
}

it('gives others a turn after each stretch of work, however many wait for theirs', async () => {
  const pacer = new Pacer()
  // A stretch is at most 4 ms.
  expect(await work(pacer, 40)).toBeGreaterThanOrEqual(9)
  pacer.isHurried = true
  expect(await work(pacer, 40)).toBeGreaterThanOrEqual(9)
})
