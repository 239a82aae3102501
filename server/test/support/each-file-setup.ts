import { afterAll } from 'vitest'
import { runFileCleanups } from './file-cleanup.ts'

// Vitest runs this setup file for every test file, even if files of one process share their modules.
afterAll(runFileCleanups)
