import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, rmdirSync, rmSync, writeFileSync } from 'node:fs'

/*
 * The end of the server's build: deletes what earlier builds made from sources that are gone, writes the commit that is built into
 * server/dist, for `marquee --version`, and then the man page into server/man, for the package. The commit is MARQUEE_COMMIT where
 * there is no repository, as in an image, or nothing.
 */
const root = new URL('..', import.meta.url)
deleteOrphans(new URL('server/dist/', root), new URL('server/src/', root))
writeFileSync(new URL('server/dist/commit.txt', root), `${process.env.MARQUEE_COMMIT || findCommit()}\n`)
mkdirSync(new URL('server/man', root), { recursive: true })
writeFileSync(new URL('server/man/marquee.1', root), run(process.execPath, ['server/bin/marquee.js', 'man']))

/** Deletes the modules of a built folder that have no source, and folders that are empty then. */
function deleteOrphans(built, source) {
  for (const entry of readdirSync(built, { withFileTypes: true })) {
    const { name } = entry
    if (entry.isDirectory()) deleteOrphans(new URL(`${name}/`, built), new URL(`${name}/`, source))
    else if (/\.js(\.map)?$/.test(name) && !existsSync(new URL(name.replace(/\.js(\.map)?$/, '.ts'), source)))
      rmSync(new URL(name, built))
  }
  if (readdirSync(built).length === 0) rmdirSync(built)
}

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
