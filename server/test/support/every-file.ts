import { afterAll } from 'vitest'
import { endFile } from './end-of-file.ts'

// Vitest runs this for every test file, also where files of one process share their modules.
afterAll(endFile)
