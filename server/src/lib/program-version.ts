import { readFileSync } from 'node:fs'

const manifest = new URL('../../package.json', import.meta.url)

/** The version of the program, as its package states it. */
export const PROGRAM_VERSION = (JSON.parse(readFileSync(manifest, 'utf8')) as { version: string }).version
