import { readFileSync } from 'node:fs'

const manifest = new URL('../../../package.json', import.meta.url)

/** Written by the build, from a repository. */
const commitFile = new URL('../../commit.txt', import.meta.url)

/** The version of the program, as its package states it. */
export const PROGRAM_VERSION = (JSON.parse(readFileSync(manifest, 'utf8')) as { version: string }).version

/** The version with the commit that the program was built from, if that is known. */
export function describeVersion(): string {
  const commit = readCommit()
  return commit === '' ? PROGRAM_VERSION : `${PROGRAM_VERSION} (${commit})`
}

function readCommit(): string {
  try {
    return readFileSync(commitFile, 'utf8').trim()
  } catch {
    return ''
  }
}
