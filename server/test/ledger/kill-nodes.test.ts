import { expect, it } from 'vitest'
import { killNodes, VICTIMS } from '../support/kill-nodes.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

/* The short form of scripts/kill-nodes.mjs: one kill of each kind. */
it('nodes lose nothing, repeat no change and answer correctly, whatever is killed', async () => {
  const { imports, responses, problems, digests, changesPerShow } = await killNodes({
    folder: temporaryFolder(),
    kills: VICTIMS.length,
    nodes: 2,
    shows: 60,
    seed: 3,
  })
  expect(problems).toEqual([])
  expect(responses).toBeGreaterThan(100)
  expect(new Set(digests).size).toBe(1)
  expect([...new Set(changesPerShow)]).toEqual([imports - 1])
}, 180_000)
