import { describe, expect, it } from 'vitest'
import type { OpenFeed } from '../../connectors/framework/connector.ts'
import { FeedProgress } from './import-command.ts'

/** A feed of ten lines that is read two lines at a time. */
function aFeed(): OpenFeed {
  let read = 0
  return {
    lines: async function* () {
      for (read = 0; read < 10; read++) yield { line: read + 1, text: '{}' }
    },
    progress: () => (Math.floor(read / 2) * 2) / 10,
    dispose: async () => {},
  }
}

describe('FeedProgress', () => {
  it('tells how far the shows have come that were taken, though all lines were read before', async () => {
    const progress = new FeedProgress(aFeed())
    expect(progress.part(0)).toBe(0)
    for (const _ of ['checked', 'imported']) {
      for await (const _line of progress.lines());
      expect([0, 1, 2, 5, 8, 10].map((shows) => progress.part(shows))).toEqual([0, 0, 0.2, 0.4, 0.8, 0.8])
    }
  })
})
