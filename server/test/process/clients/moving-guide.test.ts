import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runNode } from '../../support/marquee-process.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { type OriginalService, startOriginalService } from './original-service.ts'

/* The examples of "Moving from the public service", run as they are printed, with the package that npm has. */
const fromRoot = (path: string) => fileURLToPath(new URL(`../../../../${path}`, import.meta.url))
const guide =
  readFileSync(fromRoot('docs/using-the-api.md'), 'utf8').split('## Moving from the public service')[1] ?? ''
const examples = (language: string) =>
  [...guide.matchAll(new RegExp(`^\`\`\`${language}\\n(.+?)^\`\`\`$`, 'gms'))].map(([, code]) => code as string)

describe('the guide "Moving from the public service"', () => {
  const folder = temporaryFolder(afterAll)
  let service: OriginalService

  beforeAll(async () => {
    service = await startOriginalService()
    mkdirSync(join(folder, 'node_modules'))
    symlinkSync(fromRoot('node_modules/streaming-availability'), join(folder, 'node_modules/streaming-availability'))
  })

  it('has an example for the npm client, its API classes, the Go client and plain HTTP', () => {
    expect(examples('js')).toEqual([
      expect.stringContaining('new Client('),
      expect.stringContaining('new ShowsApi(configuration)'),
    ])
    expect(examples('go')).toEqual([expect.stringContaining('NewAPIClientFromApiKey')])
    expect(examples('sh')).toEqual([expect.stringContaining('X-RapidAPI-Host')])
  })

  it.each(examples('js'))('runs with the published package: %s', async (code) => {
    const file = join(folder, 'example.mjs')
    writeFileSync(file, code)
    const { stdout, stderr } = await runNode([file], { KEY: service.keys.direct, MARQUEE_URL: service.address })
    expect([stderr, stdout]).toEqual(['', 'The Godfather\n'])
  })

  it.each(examples('sh'))('gets a show by plain HTTP: %s', async (command) => {
    // A machine may lack curl: its headers and its URL are enough.
    const text = command.replace('$MARKETPLACE_KEY', service.keys.marketplace).replace('$MARQUEE_URL', service.address)
    const headers = [...text.matchAll(/-H ["'](.+?): (.+?)["']/g)].map(([, name, value]) => [name, value])
    const url = /"(http.+?)"/.exec(text)?.[1] ?? ''
    const response = await fetch(url, { headers: Object.fromEntries(headers) })
    expect(await response.json()).toMatchObject({ title: 'The Godfather' })
  })
})
