import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { PACKAGE } from './package-folder.ts'

/** The programs in a language that a document prints, by the document's path from the client's folder. */
export function printedPrograms(document: string, language: 'ts' | 'js' | 'html' | 'sh'): [string, ...string[]] {
  const text = readFileSync(join(PACKAGE, document), 'utf8')
  const found = [...text.matchAll(new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\`$`, 'gms'))].map(([, program]) => program)
  if (found.length === 0) throw new Error(`${document} prints no program in ${language}`)
  return found as [string, ...string[]]
}
