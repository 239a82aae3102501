import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { type Browser, chromium, type Page } from 'playwright-core'
import { build } from 'vite'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type DemoService, startDemoService } from '../../server/test/support/demo-service.ts'
import { requiredProgram } from '../../server/test/support/required-program.ts'
import { type InstalledPackage, installPackage, printedPrograms, runTool } from './support/installed-package.ts'
import { type Site, serveFolder } from './support/site.ts'

const browserProgram = requiredProgram(['chromium', 'chromium-browser', 'google-chrome'], 'apt install chromium')

let installed: InstalledPackage
let service: DemoService
let env: Record<string, string>

beforeAll(async () => {
  ;[installed, service] = await Promise.all([installPackage(), startDemoService()])
  env = { MARQUEE_KEY: await service.createKey(), MARQUEE_URL: `${service.address}/v4` }
})

describe('the packed client in an empty project', () => {
  const use = `
    const marquee = new Marquee({ apiKey: process.env.MARQUEE_KEY, baseUrl: process.env.MARQUEE_URL })
    marquee.shows.get('tt0068646').then(({ title }) => console.log(title))`

  it('works as an ES module', async () => {
    installed.write('use.mjs', `import { Marquee } from 'marquee-client'\n${use}`)
    expect(await installed.run('use.mjs', env)).toBe('The Godfather\n')
  })

  it('works in CommonJS', async () => {
    installed.write('use.cjs', `const { Marquee } = require('marquee-client')\n${use}`)
    expect(await installed.run('use.cjs', env)).toBe('The Godfather\n')
  })

  it('has types that hold for both kinds of modules and all resolutions', async () => {
    const file = '@arethetypeswrong/cli/dist/index.js'
    expect(await runTool(file, [installed.tarball, '--format', 'ascii'])).toContain('No problems found')
  })

  it('is what package managers and bundlers expect', async () => {
    expect(await runTool('publint/src/cli.js', [installed.tarball, '--strict'])).toContain('All good!')
  })
})

describe('the size', () => {
  /** The size of a program as a bundler makes it, minified and gzipped, with its text. */
  async function bundled(program: string): Promise<{ bytes: number; code: string }> {
    installed.write('bundle.js', program)
    const result = await build({
      root: installed.folder,
      configFile: false,
      logLevel: 'silent',
      build: {
        write: false,
        minify: 'esbuild',
        target: 'es2022',
        modulePreload: false,
        rollupOptions: { input: join(installed.folder, 'bundle.js'), preserveEntrySignatures: 'strict' },
      },
    })
    const [{ code }] = (result as unknown as { output: [{ code: string }] }).output
    return { bytes: gzipSync(code).length, code }
  }

  it('of everything is below 8 KB', async () => {
    const { bytes } = await bundled(`export * from 'marquee-client'`)
    expect(bytes).toBeGreaterThan(1000)
    expect(bytes).toBeLessThan(8 * 1024)
  })

  it('of a helper does not include the rest', async () => {
    const { bytes, code } = await bundled(`export { isLeavingSoon } from 'marquee-client'`)
    expect(code).not.toContain('X-API-Key')
    expect(bytes).toBeLessThan(512)
  })
})

describe('what is printed', () => {
  it("the README's first program in TypeScript compiles and runs", async () => {
    installed.write('first.ts', printedPrograms('README.md', 'ts')[0])
    await installed.compile('first.ts')
    const lines = (await installed.run('first.js', env)).trim().split('\n')
    expect(lines[0]).toBe('The Godfather can be watched on')
    expect(lines).toContainEqual(expect.stringMatching(/^ {2}\S.* \((subscription|free|rent|buy|addon.*)\): http/))
    expect(lines).toContainEqual(expect.stringMatching(/^for least on \w/))
    expect(lines.filter((line) => /^\d+ \S/.test(line))).toHaveLength(30)
  })

  it("the README's snippets run, one after the other", async () => {
    const head = `import { Marquee, ServiceError } from 'marquee-client'
      const marquee = new Marquee({ apiKey: process.env.MARQUEE_KEY, baseUrl: process.env.MARQUEE_URL })`
    installed.write('snippets.mjs', [head, ...printedPrograms('README.md', 'js')].join('\n'))
    expect(await installed.run('snippets.mjs', env)).toMatch(/^\d+ \S.*No such show\n$/ms)
  })

  it.each(['../README.md', '../docs/using-the-api.md'])('the first program of %s runs', async (document) => {
    const program = printedPrograms(document, 'js')[0]
      .replace("'<the direct key that was printed>'", 'process.env.MARQUEE_KEY')
      .replace('process.env.KEY', 'process.env.MARQUEE_KEY')
      .replace("'http://127.0.0.1:8080/v4'", 'process.env.MARQUEE_URL')
    installed.write('printed.mjs', program)
    expect((await installed.run('printed.mjs', env)).trim().split('\n').length).toBeGreaterThan(20)
  })

  const example = (name: string, ...args: string[]) =>
    installed.run(join('node_modules', 'marquee-client', 'examples', `${name}.mjs`), env, args)

  it('the example "what\'s new" runs', async () => {
    const lines = (await example('whats-new', 'us', 'netflix', 'prime')).trim().split('\n')
    expect(lines.length).toBeGreaterThan(25)
    for (const line of lines) expect(line).toMatch(/^\d{4}-\d\d-\d\d {2}.+ on (Netflix|Prime Video): http/)
    expect(new Set(lines).size).toBe(lines.length)
  })

  it('the example "leaving soon" runs', async () => {
    const lines = (await example('leaving-soon', 'us')).trim().split('\n')
    for (const line of lines) expect(line).toMatch(/^(\d{4}-\d\d-\d\d|any day now) {2}.+ leaves \w/)
  })

  it('the example "where to watch" runs', async () => {
    expect(await example('where-to-watch', 'us', 'the godfather')).toMatch(/^The Godfather \(1972\)\n {2}\w+: \w/)
    expect(await example('where-to-watch', 'us', 'breaking bad')).toMatch(/\n {2}first episode: http/)
    expect(await example('where-to-watch', 'us', 'no such show at all')).toMatch(/^Nothing is called/)
  })
})

/** A page that hands the client over to the test. */
const PROBE = `<!doctype html><script type="module">
  import * as client from './node_modules/marquee-client/dist/esm/index.js'
  window.client = client
</script>`

describe.skipIf(browserProgram === undefined)('in a browser', () => {
  let site: Site
  let key: string
  let browser: Browser

  beforeAll(async () => {
    site = await serveFolder(installed.folder)
    key = await service.createKey('--origin', site.origin)
    browser = await chromium.launch({ executablePath: browserProgram as string, args: ['--no-sandbox'] })
  })

  afterAll(async () => {
    await browser?.close()
    site?.close()
  })

  /** Opens the README's page, with this key and the address of the running service put in. */
  async function openPage(apiKey: string): Promise<Page> {
    const page = printedPrograms('README.md', 'html')[0]
      .replace('mq-key-…', apiKey)
      .replace('http://127.0.0.1:8080', service.address)
    installed.write('page.html', page)
    const opened = await browser.newPage()
    opened.on('pageerror', (error) => expect.fail(String(error)))
    await opened.goto(`${site.origin}/page.html`)
    return opened
  }

  async function search(page: Page, title: string): Promise<string> {
    await page.fill('input', title)
    await page.click('button')
    await page.waitForFunction(() => document.querySelector('ul')?.textContent !== '')
    return (await page.textContent('ul')) as string
  }

  it("runs the README's page against the service, from another origin, with a key that is limited to it", async () => {
    const page = await openPage(key)
    expect(await search(page, 'the godfather')).toMatch(/The Godfather: \w+/)
    await page.close()
  })

  it('tells the page what the service says of a key of another origin', async () => {
    const page = await openPage(await service.createKey('--origin', 'https://elsewhere.example'))
    expect(await search(page, 'the godfather')).toContain('may not be used from')
    await page.close()
  })

  it('reads quota, error details and tags across origins, walks pages, caches and cancels', async () => {
    installed.write('probe.html', PROBE)
    const page = await browser.newPage()
    await page.goto(`${site.origin}/probe.html`)
    await page.waitForFunction('window.client')
    const seen = await page.evaluate(
      async ({ apiKey, baseUrl }) => {
        const { Marquee } = (globalThis as unknown as { client: typeof import('../src/index.ts') }).client
        const cache = new Map()
        const marquee = new Marquee({ apiKey, baseUrl, cache })
        const shows = await marquee.shows.filter({ country: 'us' }, { maxPages: 2 }).all()
        const used = marquee.quota?.used
        await marquee.shows.filter({ country: 'us' }, { maxPages: 2 }).all()
        const error = await marquee.shows.get('tt9999999').catch((reason) => reason)
        // The site is not a service, which is seen only if the address was taken as the page's own.
        const relative = await new Marquee({ baseUrl: '/v4', retries: 0 }).genres.list().catch((reason) => reason)
        const controller = new AbortController()
        const call = marquee.genres.list({}, { signal: controller.signal }).catch((reason) => reason)
        controller.abort()
        return {
          shows: shows.length,
          cached: cache.size,
          costOfUnchanged: (marquee.quota?.used as number) - (used as number) - 1,
          error: { ...error },
          relative: { name: relative.name, status: relative.status },
          cancelled: (await call).name,
        }
      },
      { apiKey: key, baseUrl: `${service.address}/v4` },
    )
    expect(seen).toMatchObject({
      shows: 40,
      cached: 2,
      costOfUnchanged: 0,
      error: { status: 404, code: 'not_found', requestId: expect.stringMatching(/./) },
      relative: { name: 'ContractError', status: 404 },
      cancelled: 'AbortError',
    })
    await page.close()
  })
})
