import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { PACKAGE } from './installed-package.ts'

/** The first program in a language that the client's README prints. */
export function readmeProgram(language: 'ts' | 'html'): string {
  const readme = readFileSync(join(PACKAGE, 'README.md'), 'utf8')
  const program = new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\`$`, 'ms').exec(readme)?.[1]
  if (program === undefined) throw new Error(`The README prints no program in ${language}`)
  return program
}
