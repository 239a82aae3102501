import { execFile } from 'node:child_process'
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { atEndOfFile } from '../../../server/test/support/end-of-file.ts'
import { temporaryFolder } from '../../../server/test/support/temporary-folder.ts'

const run = promisify(execFile)

/** The package's folder in the repository. */
export const PACKAGE = fileURLToPath(new URL('../..', import.meta.url))
const ROOT = join(PACKAGE, '..')

/** The client as people get it: packed, and installed into a project that holds nothing else. */
export interface InstalledPackage {
  readonly folder: string
  readonly tarball: string
  /** Writes a file of the project. */
  write(file: string, text: string): void
  /** Runs a file of the project in Node, and returns what it printed. */
  run(file: string, env?: Record<string, string>, args?: readonly string[]): Promise<string>
  /** Compiles a TypeScript file of the project, strictly. */
  compile(file: string): Promise<void>
}

/** Packs what is built, and installs it. The folder goes with the tests of the file. */
export async function installPackage(): Promise<InstalledPackage> {
  const folder = temporaryFolder(atEndOfFile)
  const packed = join(folder, 'packed')
  const project = join(folder, 'project')
  for (const path of [packed, project]) mkdirSync(path)
  // Without its scripts: others are reading what is built just now.
  await run('npm', ['pack', '--ignore-scripts', '--pack-destination', packed], { cwd: PACKAGE })
  const tarball = join(packed, readdirSync(packed)[0] as string)
  writeFileSync(join(project, 'package.json'), '{ "private": true, "type": "module" }\n')
  await run('npm', ['install', '--offline', '--no-audit', '--no-fund', tarball], { cwd: project })
  const write = (file: string, text: string) => {
    mkdirSync(dirname(join(project, file)), { recursive: true })
    writeFileSync(join(project, file), text)
  }
  return {
    folder: project,
    tarball,
    write,
    async run(file, env = {}, args = []) {
      const options = { cwd: project, env: { ...process.env, ...env } }
      return (await run(process.execPath, [file, ...args], options)).stdout
    },
    async compile(file) {
      const config = {
        compilerOptions: {
          strict: true,
          exactOptionalPropertyTypes: true,
          module: 'NodeNext',
          target: 'ES2022',
          types: ['node'],
          typeRoots: [join(ROOT, 'node_modules', '@types')],
        },
        files: [file],
      }
      write('tsconfig.json', JSON.stringify(config))
      const compiler = join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc')
      const { stdout } = await run(process.execPath, [compiler], { cwd: project }).catch((error) => error)
      if (stdout !== '') throw new Error(stdout)
    },
  }
}

/** Runs a program of a package that is installed for the tests. */
export async function runTool(file: string, args: readonly string[]): Promise<string> {
  const { stdout } = await run(process.execPath, [join(ROOT, 'node_modules', file), ...args], { cwd: PACKAGE }).catch(
    (error: { stdout: string; stderr: string }) => {
      throw new Error(`${file} found something:\n${error.stdout}\n${error.stderr}`)
    },
  )
  return stdout
}
