import { fileURLToPath } from 'node:url'

/** The package's folder in the repository. */
export const PACKAGE = fileURLToPath(new URL('../..', import.meta.url))
