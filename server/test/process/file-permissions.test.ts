import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { aMovie, aSnapshot } from '../support/builders.ts'
import { feedBytes } from '../support/feed.ts'
import { marquee } from '../support/marquee-process.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

/** The modes of all files and folders below a path, without repeats. */
function modesBelow(path: string): string[] {
  const stats = statSync(path)
  const below = stats.isDirectory() ? readdirSync(path).flatMap((name) => modesBelow(join(path, name))) : []
  const kind = stats.isDirectory() ? 'folder' : 'file'
  return [...new Set([...below, `${kind} ${(stats.mode & 0o777).toString(8)}`])].sort()
}

test('data and backups are private whatever the umask, exports follow it, and doctor lists what is open', async () => {
  const umask = process.umask(0o000)
  onTestFinished(() => void process.umask(umask))
  const folder = temporaryFolder()
  const [data, backup, exported] = ['data', 'backup', 'feed.ndjson'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ]
  const env = { MARQUEE_DATA: data }
  await marquee(['import', '-'], env, feedBytes(aSnapshot(aMovie({ id: '1' }))))
  await marquee(['keys', 'create'], env)
  await marquee(['backup', backup], env)
  await marquee(['export', '--out', exported], env)
  expect(modesBelow(data)).toEqual(['file 600', 'folder 700'])
  expect(modesBelow(backup)).toEqual(['file 600', 'folder 700'])
  expect(modesBelow(exported)).toEqual(['file 666'])

  const openFiles = async () => {
    const { findings } = JSON.parse((await marquee(['doctor', '--json'], env)).stdout)
    return findings.find(({ check }: { check: string }) => check === 'open_files')
  }
  expect(await openFiles()).toMatchObject({ count: 0 })
  const file = join(data, 'accounts', 'data.mdb')
  chmodSync(file, 0o644)
  expect(await openFiles()).toEqual({
    check: 'open_files',
    count: 1,
    examples: [{ subject: file, details: ['mode 0644'], command: `chmod -R go-rwx ${data}` }],
  })
})

const PROGRAM = fileURLToPath(new URL('../../bin/marquee.js', import.meta.url))

/** Mounts a folder on itself so that it can only be read, for the commands that follow. */
const MOUNT = 'mount --bind "$MARQUEE_DATA" "$MARQUEE_DATA" && mount -o remount,ro,bind "$MARQUEE_DATA"'

test('a catalog on a file system that can only be read is shown, exported and verified', async ({ skip }) => {
  const data = join(temporaryFolder(), 'data')
  const env = { ...process.env, MARQUEE_DATA: data }
  mkdirSync(data)
  // The mount is seen by these commands only, and is gone with them.
  if (spawnSync('unshare', ['-m', 'sh', '-c', MOUNT], { env }).status !== 0) {
    skip('no read-only mount can be made here: it needs Linux and root')
  }
  await marquee(['import', '-'], { MARQUEE_DATA: data }, feedBytes(aSnapshot(aMovie({ id: '1' }))))
  const commands = ['status --json', 'export', 'verify --json'].map((args) => `"$0" "$1" ${args}`)
  const script = [MOUNT, '! touch "$MARQUEE_DATA/file" 2> /dev/null', ...commands].join(' && ')
  const args = ['-m', 'sh', '-c', script, process.execPath, PROGRAM]
  const { status, stdout, stderr } = spawnSync('unshare', args, { env, encoding: 'utf8' })
  expect([status, stderr.includes('marquee:')], stdout + stderr).toEqual([0, false])
  const lines = stdout.trim().split('\n')
  expect(JSON.parse(lines[0] as string)).toMatchObject({ version: 1, shows: 1 })
  expect(lines.some((line) => line.includes('"kind":"show"'))).toBe(true)
  expect(lines.at(-1)).toMatch(/^\{.*"documents":1\b/)
})
