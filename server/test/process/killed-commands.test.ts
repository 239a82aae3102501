import { expect, it } from 'vitest'
import { killCommands } from '../support/chaos/kill-commands.ts'
import { seedOffset } from '../support/property-runs.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

// The short form of `npm run chaos -- kill-commands`: each command once.
it('a command that is killed leaves a consistent data folder, and works when it is repeated', async () => {
  const seed = 5 + seedOffset
  const outcomes = await killCommands({ folder: temporaryFolder(), tries: 8, seed })
  const problems = outcomes.flatMap(({ fault, problems }) => problems.map((problem) => `${fault}: ${problem}`))
  expect(problems, `seed ${seed}`).toEqual([])
  expect(outcomes.some(({ missed }) => !missed)).toBe(true)
})
