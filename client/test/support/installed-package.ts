import { execFile } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { onFileFinished } from '../../../server/test/support/file-cleanup.ts'
import { temporaryFolder } from '../../../server/test/support/temporary-folder.ts'

const run = promisify(execFile)

/** The folder of the package in the repository. */
const PACKAGE = fileURLToPath(new URL('../..', import.meta.url))
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

/** Packs what is built, and installs it, with the lines that the README prints. The folder goes with the file's tests. */
export async function installPackage(): Promise<InstalledPackage> {
  const folder = temporaryFolder(onFileFinished)
  const lines = printedPrograms('README.md', 'sh').find((text) => text.includes('npm install'))
  if (lines === undefined) throw new Error('The README does not say how the client is installed')
  // Without the scripts of the package: others are reading what is built just now. Nothing may come from elsewhere.
  const settings = { npm_config_ignore_scripts: 'true', npm_config_offline: 'true', npm_config_audit: 'false' }
  await run('sh', ['-e', '-c', lines], { cwd: folder, env: { ...process.env, ...settings, MARQUEE_CLONE: ROOT } })
  const project = join(folder, 'first-program')
  const tarball = join(project, readdirSync(project).find((name) => name.endsWith('.tgz')) as string)
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

/** The programs in a language that a document prints, by the document's path from the client's folder. */
export function printedPrograms(document: string, language: 'ts' | 'js' | 'html' | 'sh'): [string, ...string[]] {
  const text = readFileSync(join(PACKAGE, document), 'utf8')
  const found = [...text.matchAll(new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\`$`, 'gms'))].map(([, program]) => program)
  if (found.length === 0) throw new Error(`${document} prints no program in ${language}`)
  return found as [string, ...string[]]
}
