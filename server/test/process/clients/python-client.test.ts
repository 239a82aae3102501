import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { devNull } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type DemoService, startDemoService } from '../../support/demo-service.ts'
import { requiredProgram } from '../../support/required-program.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

/*
 * The Python client has tests of its own, in Python. Here they are run, with a service for those that need one, and the
 * package is taken from that service.
 */
const python = requiredProgram(['python3'], 'on Debian, apt-get install python3')
const source = fileURLToPath(new URL('../../../../python', import.meta.url))

describe.skipIf(python === undefined)('the Python client', () => {
  const folder = temporaryFolder(afterAll)
  let service: DemoService
  let env: Record<string, string>

  beforeAll(async () => {
    service = await startDemoService()
    const [key, marketplaceKey] = await Promise.all([service.createKey(), service.createKey('--source', 'marketplace')])
    env = {
      MARQUEE_URL: `${service.address}/v4`,
      MARQUEE_KEY: key,
      MARQUEE_TEST_ADDRESS: service.address,
      MARQUEE_TEST_KEY: key,
      MARQUEE_TEST_MARKETPLACE_KEY: marketplaceKey,
    }
  })

  /** Runs Python; fails with all that it printed. */
  async function run(args: readonly string[], cwd: string, more: Record<string, string> = {}) {
    const settings = {
      PYTHONDONTWRITEBYTECODE: '1',
      // Nothing of this machine's settings: packages come from the service alone.
      PIP_CONFIG_FILE: devNull,
      PIP_EXTRA_INDEX_URL: '',
      PIP_DISABLE_PIP_VERSION_CHECK: '1',
      PIP_NO_CACHE_DIR: '1',
      NO_PROXY: '127.0.0.1',
      no_proxy: '127.0.0.1',
    }
    try {
      return await promisify(execFile)(python as string, args, {
        cwd,
        env: { ...process.env, ...settings, ...env, ...more },
        maxBuffer: 1 << 26,
      })
    } catch (error) {
      const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string }
      throw new Error(`python3 ${args.join(' ')} failed:\n${stdout}${stderr}`, { cause: error })
    }
  }

  /** The packages that a page of the service links to, by their names, with the digests of the links. */
  async function listPackages(path: string): Promise<Map<string, string>> {
    const page = await fetch(service.address + path)
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8')
    const links = (await page.text()).matchAll(/href="\/clients\/([^"#/]+)#sha256=([0-9a-f]{64})"/g)
    return new Map(Array.from(links, ([, name, digest]) => [name as string, digest as string]))
  }

  it('passes its tests, none of them skipped', async () => {
    const { stderr } = await run(['-m', 'unittest'], source)
    expect(stderr).toMatch(/^Ran \d{2,} tests/m)
    expect(stderr).toMatch(/^OK$/m)
  })

  it('comes from the service, and runs the programs of its README and its examples', async () => {
    const listed = await listPackages('/clients/')
    expect([...listed.keys()]).toEqual([
      expect.stringMatching(/^marquee_client-[\d.]+-py3-none-any\.whl$/),
      expect.stringMatching(/^marquee_client-[\d.]+\.tar\.gz$/),
    ])
    expect(await listPackages('/clients')).toEqual(listed)
    expect(await listPackages('/clients/marquee-client/')).toEqual(listed)
    for (const [name, digest] of listed) {
      const bytes = Buffer.from(await (await fetch(`${service.address}/clients/${name}`)).arrayBuffer())
      expect(createHash('sha256').update(bytes).digest('hex')).toBe(digest)
      writeFileSync(join(folder, name), bytes)
    }
    expect((await fetch(`${service.address}/clients/other`)).status).toBe(404)

    // A wheel of Python alone can be imported as it is.
    const wheel = join(folder, [...listed.keys()][0] as string)
    const readme = readFileSync(join(source, 'README.md'), 'utf8')
    const programs = Array.from(readme.matchAll(/^```python\n(.*?)^```$/gms), ([, text]) => text as string)
    const printed = await Promise.all(programs.map((text) => run(['-c', text], folder, { PYTHONPATH: wheel })))
    expect(printed.map(({ stdout }) => stdout)).toEqual([
      expect.stringContaining('The Godfather can be watched on\n'),
      expect.stringMatching(/^\d+ genres, \d+ countries\n.+/),
      expect.stringMatching(/^404 not_found /),
    ])
    const examples = readdirSync(join(source, 'examples')).filter((name) => name.endsWith('.py'))
    expect(examples).toHaveLength(2)
    for (const name of examples) {
      const { stderr } = await run([join(source, 'examples', name)], folder, { PYTHONPATH: wheel })
      expect(stderr).toBe('')
    }
  })

  it('is installed by pip from the service, where there is pip', async (context) => {
    const hasPip = await run(['-m', 'pip', '--version'], folder).then(
      () => true,
      () => false,
    )
    if (!hasPip && process.env.MARQUEE_REQUIRE_ALL !== '1')
      return context.skip('Debian has pip in a package of its own, python3-pip')
    const target = join(folder, 'installed')
    const index = `${service.address}/clients/`
    await run(['-m', 'pip', 'install', '-q', '--index-url', index, '--target', target, 'marquee-client'], folder)
    const program = 'import marquee_client; print(marquee_client.__file__)'
    const { stdout } = await run(['-c', program], folder, { PYTHONPATH: target })
    expect(stdout).toContain(target)
  })
})
