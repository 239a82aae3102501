import { statSync } from 'node:fs'
import { type Environment, hasCatalog, openEnvironment } from '../catalog/storage/environment.ts'
import { CommandError } from './output.ts'

/** Opens the catalog of a data directory, for commands that have nothing to do where there is none. */
export function openExisting(dataDir: string): Environment {
  if (statSync(dataDir, { throwIfNoEntry: false })?.isDirectory() === false) {
    throw new CommandError(`MARQUEE_DATA names ${dataDir}, which is no folder`)
  }
  if (!hasCatalog(dataDir)) throw new CommandError(`There is no catalog in ${dataDir}; \`marquee import\` makes one`)
  return openEnvironment(dataDir)
}
