import { expect, it } from 'vitest'
import { nodeChaos, VICTIMS } from '../support/node-chaos.ts'
import { seedOffset } from '../support/property-runs.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

/* The short form of scripts/kill-nodes.mjs, which takes a random, printed seed: one kill of each kind. */
it('nodes respond correctly, lose no change and repeat none, whatever is killed', async () => {
  const { imports, answers, problems, digests, changesPerShow } = await nodeChaos({
    folder: temporaryFolder(),
    kills: VICTIMS.length,
    nodes: 2,
    shows: 60,
    seed: 3 + seedOffset,
  })
  expect(problems).toEqual([])
  expect(answers).toBeGreaterThan(100)
  expect(new Set(digests).size).toBe(1)
  expect([...new Set(changesPerShow)]).toEqual([imports - 1])
}, 180_000)
