import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { PACKAGE } from './installed-package.ts'

/** The first program in a language that a document prints, by the document's path from the client's folder. */
export function printedProgram(document: string, language: 'ts' | 'js' | 'html'): string {
  const text = readFileSync(join(PACKAGE, document), 'utf8')
  const program = new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\`$`, 'ms').exec(text)?.[1]
  if (program === undefined) throw new Error(`${document} prints no program in ${language}`)
  return program
}
