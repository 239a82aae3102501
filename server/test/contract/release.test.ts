import { execFile } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))
const readManifest = (folder: string) => JSON.parse(readFileSync(join(ROOT, folder, 'package.json'), 'utf8'))

/** Runs the script; it always prints what it would do, and writes nothing. */
function dryRun(version: string): Promise<{ code: number; output: string }> {
  return new Promise((resolve) => {
    const args = [join(ROOT, 'scripts/release.mjs'), version, '--dry-run', '--date', '2030-01-02']
    execFile(process.execPath, args, { encoding: 'utf8' }, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : Number(error.code), output: stdout + stderr }),
    )
  })
}

it('a release sets the version wherever it stands, and its notes are the changelog since the last one', async () => {
  const { code, output } = await dryRun('99.0.0')
  expect({ code, output }).toMatchObject({ code: 0 })
  expect(output).toContain(`${readManifest('.').version} to 99.0.0, 2030-01-02; 10 files would change:`)
  const [, unreleased = ''] = readFileSync(join(ROOT, 'CHANGELOG.md'), 'utf8').split('## Unreleased\n')
  expect(output).toContain(`# Marquee 99.0.0\n\n${unreleased.split(/^## /m)[0]?.trim()}`)
})

it.each([
  ['0.0.1', /0\.0\.1 does not follow/],
  ['one', /"one" is not a version such as 1\.2\.0/],
])('%s is refused as a version', async (version, message) => {
  const { code, output } = await dryRun(version)
  expect(code).toBe(1)
  expect(output).toMatch(message)
})

it('the packages have one version, and the server holds what it reads while it runs', () => {
  const { version } = readManifest('.')
  expect(['client', 'server', 'web'].map((folder) => readManifest(folder).version)).toEqual([version, version, version])
  const { files, man, dependencies } = readManifest('server')
  expect(files).toEqual(expect.arrayContaining(['assets', 'bin', 'clients', 'dist', 'man']))
  expect(man).toEqual(['man/marquee.1'])
  expect(dependencies).toMatchObject({ 'marquee-client': version, 'marquee-web': version })
  expect(existsSync(join(ROOT, 'server/assets/fonts'))).toBe(true)
})
