import { describe, expect, it } from 'vitest'
import type { OpenFeed } from '../../connectors/connector.ts'
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
  it('reports the position of the imported shows, not of the lines that were read ahead', async () => {
    const progress = new FeedProgress(aFeed())
    expect(progress.fraction(0)).toBe(0)
    for (const _ of ['checked', 'imported']) {
      for await (const _line of progress.lines());
      expect([0, 1, 2, 5, 8, 10].map((shows) => progress.fraction(shows))).toEqual([0, 0, 0.2, 0.4, 0.8, 0.8])
    }
  })
})
