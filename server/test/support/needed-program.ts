import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'

/**
 * Whether a program that tests need is installed. Where it is not, a line says what to install and the tests are to be
 * skipped, unless nothing may be skipped (`MARQUEE_REQUIRE_ALL=1`): then it is an error.
 */
export function hasProgram(program: string, debianPackage: string): boolean {
  const folders = (process.env.PATH ?? '').split(delimiter)
  if (folders.some((folder) => isExecutable(join(folder, program)))) return true
  const advice = `"${program}" is missing; on Debian the package ${debianPackage} has it`
  if (process.env.MARQUEE_REQUIRE_ALL === '1') throw new Error(advice)
  console.warn(`Tests are skipped: ${advice}.`)
  return false
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}
