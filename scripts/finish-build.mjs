import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'

/*
 * The end of the server's build: writes the commit that is built into server/dist, for `marquee --version`, and then the man page
 * into server/man, for the package. The commit is MARQUEE_COMMIT where there is no repository, as in an image, or nothing.
 */
const root = new URL('..', import.meta.url)
writeFileSync(new URL('server/dist/commit.txt', root), `${process.env.MARQUEE_COMMIT || findCommit()}\n`)
mkdirSync(new URL('server/man', root), { recursive: true })
writeFileSync(new URL('server/man/marquee.1', root), run(process.execPath, ['server/bin/marquee.js', 'man']))

function findCommit() {
  try {
    return run('git', ['describe', '--always', '--dirty', '--exclude=*']).trim()
  } catch {
    return ''
  }
}

function run(program, args) {
  return execFileSync(program, args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
}
