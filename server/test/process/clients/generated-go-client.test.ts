import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it, onTestFinished } from 'vitest'
import { API_ERRORS } from '../../../src/http/exchange/errors.ts'
import { aMovie, aSnapshot } from '../../support/builders.ts'
import { provokedErrors } from '../../support/provoked-errors.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { TestService } from '../../support/test-service.ts'
import { isGoMissing, runGoTests, runIn } from './go-tests.ts'
import { startOriginalService } from './original-service.ts'

/*
 * The published Go client is generated from the public OpenAPI document, and decodes strictly: a member that is missing,
 * null or unknown is an error, and so is an unknown value of an enumeration. The program in `generated-go` makes the same
 * requests, with the same models.
 */
const folder = fileURLToPath(new URL('./generated-go', import.meta.url))

describe.skipIf(isGoMissing)('a generated Go client that decodes strictly', () => {
  it('reads all endpoints with keys of both sources, and every error', async () => {
    expect(await runIn(folder, 'gofmt', ['-l', '.'])).toBe('')
    const service = await startOriginalService()
    const { passed, skipped } = await runGoTests(folder, {
      MARQUEE_TEST_ADDRESS: service.address,
      MARQUEE_TEST_DIRECT_KEY: service.keys.direct,
      MARQUEE_TEST_MARKETPLACE_KEY: service.keys.marketplace,
      MARQUEE_TEST_ERRORS: await writeErrors(),
    })
    await service.stop()
    expect(skipped).toEqual([])
    expect(passed.sort()).toEqual([
      'TestChanges',
      'TestCountriesAndGenres',
      'TestErrorTable',
      'TestErrorsOfRequests',
      'TestSearchByFilters',
      'TestSearchByTitle',
      'TestShow',
      'TestTopShows',
    ])
  })
})

/** Writes the response to a request for every code of the table into a file. */
async function writeErrors(): Promise<string> {
  const folder = temporaryFolder(onTestFinished)
  const service = await TestService.open(join(folder, 'service'))
  const empty = await TestService.open(join(folder, 'empty'))
  try {
    await service.import(aSnapshot(...Array.from({ length: 21 }, (_, i) => aMovie({ id: String(1 + i) }))))
    await service.app.listen({ port: 0, host: '127.0.0.1' })
    const provoked = provokedErrors(service, empty)
    const failures = []
    for (const code of Object.keys(API_ERRORS) as (keyof typeof API_ERRORS)[]) {
      const { headers, text } = await provoked[code]({})
      failures.push({ Code: code, ContentType: headers['content-type'], Body: text })
    }
    const file = join(folder, 'errors.json')
    writeFileSync(file, JSON.stringify(failures))
    return file
  } finally {
    await service.close()
    await empty.close()
  }
}
