import { expect, it } from 'vitest'
import { killNodes, VICTIMS } from '../support/chaos/kill-nodes.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

/* The short form of `npm run chaos -- kill-nodes`: one kill of each kind. */
it('nodes lose nothing, repeat no change and answer correctly, whatever is killed', async () => {
  const folder = temporaryFolder()
  const outcomes = await killNodes({ folder, tries: VICTIMS.length, nodes: 2, shows: 60, seed: 3 })
  expect(outcomes.map(({ kind }) => kind)).toEqual([...VICTIMS])
  expect(outcomes.flatMap(({ problems }) => problems)).toEqual([])
})
