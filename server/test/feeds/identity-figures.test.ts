import { expect, it } from 'vitest'
import { makeLabelledLists } from '../support/identity/labelled-lists.ts'
import { measureIdentity } from '../support/identity/measure-identity.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

it('records of five lists are joined if they are about one work, and else left apart', {
  timeout: 60_000,
}, async () => {
  const { truePairs, recall, wrong } = await measureIdentity(
    makeLabelledLists({ works: 600, seed: 7 }),
    temporaryFolder(),
  )
  expect(truePairs).toBeGreaterThan(1_000)
  // `npm run evaluate:identity` prints the figures of a larger set, and the pairs that are missed.
  expect(recall).toBeGreaterThanOrEqual(0.96)
  expect(wrong / truePairs).toBeLessThanOrEqual(1 / 1_000)
})
