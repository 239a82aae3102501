import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'

/*
 * Part of the build: writes the commit that is built into server/dist, for `marquee --version`. It is MARQUEE_COMMIT where
 * there is no repository, as in an image, or nothing.
 */
writeFileSync(new URL('../server/dist/commit.txt', import.meta.url), `${process.env.MARQUEE_COMMIT || findCommit()}\n`)

function findCommit() {
  try {
    const options = { cwd: new URL('..', import.meta.url), encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }
    return execFileSync('git', ['describe', '--always', '--dirty', '--exclude=*'], options).trim()
  } catch {
    return ''
  }
}
