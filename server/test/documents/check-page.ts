import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type Block, parseBlocks, parseCommands } from './blocks.ts'
import { compareOutput } from './compare-output.ts'
import { LANGUAGE_CHECKS } from './language-checks.ts'
import type { PageShell, ShellResult } from './page-shell.ts'
import type { PageWorld } from './page-world.ts'

/** What became of a block. */
export interface BlockResult {
  readonly block: Block
  readonly outcome: 'run' | 'compared' | 'parsed' | 'skipped' | 'failed'
  /** Why it was skipped, or what failed. */
  readonly detail: string
}

/** Checks the blocks of a page in order, in one shell. A failed block does not end the page. */
export async function checkPage(
  page: string,
  markdown: string,
  world: PageWorld,
  shell: PageShell,
): Promise<BlockResult[]> {
  const results: BlockResult[] = []
  let last: ShellResult | undefined
  for (const block of parseBlocks(page, markdown)) {
    const run = { outcome: 'run', detail: '' } as const
    try {
      const { notes } = block
      if (notes.before !== undefined) await succeed(shell, world.toLocal(notes.before))
      if (notes.skip !== undefined) {
        if (notes.skip === '') throw new Error('a block that is skipped needs a reason')
        results.push({ block, outcome: 'skipped', detail: notes.skip })
        last = undefined
        continue
      }
      if (notes['output-of'] !== undefined) last = await shell.run(world.toLocal(notes['output-of']))
      const isOutput =
        notes['output-of'] !== undefined || notes.output !== undefined || (block.followsBlock && last !== undefined)
      if (isConsole(block)) {
        const outcome = await checkConsole(block, world, shell)
        results.push({ block, ...run, outcome })
        last = undefined
      } else if (block.language === 'sh') {
        last = await runShell(block, world, shell)
        results.push({ block, ...run })
      } else if (isOutput && ['', 'json'].includes(block.language)) {
        const problem = compareResult(block, last as ShellResult, world)
        if (problem !== undefined) throw new Error(problem)
        results.push({ block, ...run, outcome: 'compared' })
        last = undefined
      } else {
        if (notes.file !== undefined) writeInto(world.folder, notes.file, world.toLocal(block.text))
        const check = LANGUAGE_CHECKS[block.language]
        if (check === undefined) throw new Error('nothing says how this block is checked')
        last = await check(block, world, shell)
        results.push({ block, ...run, outcome: last === undefined ? 'parsed' : 'run' })
      }
    } catch (error) {
      results.push({ block, outcome: 'failed', detail: (error as Error).message })
      last = undefined
    }
  }
  return results
}

function isConsole({ language, text }: Block): boolean {
  return language === 'console' || (language === '' && text.startsWith('$ '))
}

async function runShell({ text, notes }: Block, world: PageWorld, shell: PageShell): Promise<ShellResult | undefined> {
  const local = world.toLocal(text)
  if (notes.serves !== undefined) {
    const output = await shell.start(local, (output) => /"address":"|serves the demo catalog at/.test(output))
    world.useKeys(output)
    return undefined
  }
  if (notes.until !== undefined) {
    const stdout = await shell.start(local, (output) => output.includes(notes.until as string))
    return { status: 0, stdout, stderr: '' }
  }
  const result = await shell.run(local)
  assertStatus(result, notes.exit)
  return result
}

/** Runs the commands of a console block one by one, and compares each output that the page shows. */
async function checkConsole(block: Block, world: PageWorld, shell: PageShell): Promise<'run' | 'compared'> {
  let outcome: 'run' | 'compared' = 'run'
  for (const { command, output } of parseCommands(block.text)) {
    const isEndless = block.notes.until !== undefined
    const result = isEndless
      ? {
          status: 0,
          stderr: '',
          stdout: await shell.start(
            world.toLocal(command),
            (text) => compareOutput(output, world.toShown(text), words(block)) === undefined,
          ),
        }
      : await shell.run(world.toLocal(command))
    if (!isEndless) assertStatus(result, block.notes.exit)
    if (output === '') continue
    const problem = compareResult({ ...block, text: output }, result, world)
    if (problem !== undefined) throw new Error(`$ ${command}\n${problem}`)
    outcome = 'compared'
  }
  return outcome
}

/** Compares what a command printed, with and without standard error, where progress goes, with what the page shows. */
function compareResult(block: Block, { stdout, stderr }: ShellResult, world: PageWorld): string | undefined {
  const problem = compareOutput(block.text, world.toShown(stdout), words(block))
  if (problem === undefined || stderr === '') return problem
  const both = compareOutput(block.text, world.toShown(stderr + stdout), words(block))
  return both === undefined ? undefined : both
}

function words({ notes }: Block): string[] {
  return (notes.varies ?? '').split(/\s+/).filter((word) => word !== '')
}

function assertStatus({ status, stdout, stderr }: ShellResult, expected = '0'): void {
  if (String(status) === expected) return
  throw new Error(`exit ${status} instead of ${expected}: ${`${stdout}\n${stderr}`.trim().slice(-1_500)}`)
}

async function succeed(shell: PageShell, text: string): Promise<void> {
  assertStatus(await shell.run(text))
}

function writeInto(folder: string, name: string, text: string): void {
  const file = join(folder, name)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
}
