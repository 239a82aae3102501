import { expect, it } from 'vitest'
import { nodeChaos, VICTIMS } from '../support/node-chaos.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

/* The short form of scripts/kill-nodes.mjs: one kill of each kind. */
it('nodes answer rightly, lose nothing and tell nothing twice, whatever is killed', async () => {
  const { imports, answers, problems, digests, changesPerShow } = await nodeChaos({
    folder: temporaryFolder(),
    kills: VICTIMS.length,
    nodes: 2,
    shows: 60,
    seed: 3,
  })
  expect(problems).toEqual([])
  expect(answers).toBeGreaterThan(100)
  expect(new Set(digests).size).toBe(1)
  expect([...new Set(changesPerShow)]).toEqual([imports - 1])
}, 180_000)
