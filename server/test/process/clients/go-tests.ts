import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { requiredProgram } from '../../support/required-program.ts'

/** Whether tests in Go cannot be run here. */
export const isGoMissing = requiredProgram(['go'], 'on Debian, apt-get install golang-go') === undefined

// Nothing is downloaded.
const SETTINGS = { GOFLAGS: '-mod=mod', GOPROXY: 'off', GOTOOLCHAIN: 'local' }

/** Runs a program in a folder; fails with all that it printed. */
export async function runIn(
  folder: string,
  program: string,
  args: readonly string[],
  env: Record<string, string> = {},
): Promise<string> {
  const options = { cwd: folder, env: { ...process.env, ...SETTINGS, ...env }, maxBuffer: 1 << 26 }
  try {
    return (await promisify(execFile)(program, args, options)).stdout
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string }
    throw new Error(`${program} ${args.join(' ')} failed:\n${stdout}${stderr}`, { cause: error })
  }
}

/** Runs the Go tests of a folder, and returns the names of those that passed and were skipped. */
export async function runGoTests(
  folder: string,
  env: Record<string, string>,
  ...args: string[]
): Promise<{ passed: string[]; skipped: string[] }> {
  const output = await runIn(folder, 'go', ['test', '-count=1', '-v', ...args, './...'], env)
  const named = (result: string) =>
    [...output.matchAll(new RegExp(`^--- ${result}: (\\S+)`, 'gm'))].map(([, name]) => name as string)
  return { passed: named('PASS'), skipped: named('SKIP') }
}
