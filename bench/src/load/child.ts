import { text } from 'node:stream/consumers'
import { pathToFileURL } from 'node:url'
import { readOutput, startProcess } from '../lib/processes.ts'
import { type Load, pinnedCommand, type Round } from './load.ts'

/** Sends a load from a child process, whose program is a module that calls `runAsChild`. */
export async function runInChild(program: string, load: Load): Promise<Round> {
  const [command, args] = pinnedCommand(load.core, process.execPath, [program])
  const child = startProcess(command, args, { stdio: 'pipe' })
  child.stdin?.end(JSON.stringify(load))
  return JSON.parse(await readOutput(child, program)) as Round
}

/** In a child process of `runInChild`, sends the load that it was given; in any other process it does nothing. */
export async function runAsChild<L extends Load>(moduleUrl: string, send: (load: L) => Promise<Round>): Promise<void> {
  if (moduleUrl !== pathToFileURL(process.argv[1] ?? '').href) return
  console.log(JSON.stringify(await send(JSON.parse(await text(process.stdin)) as L)))
}
