import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createReceiver } from '../../../docs/examples/webhooks/receive.ts'
import { createSender, messageBody, messageHeaders } from '../../src/webhooks/send-message.ts'
import { requiredProgram } from '../support/required-program.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const SECRET = `whsec_${Buffer.from('a secret of the examples').toString('base64')}`
const OTHER = `whsec_${Buffer.from('another of the examples').toString('base64')}`
const EXAMPLES = fileURLToPath(new URL('../../../docs/examples/webhooks/', import.meta.url))

const PYTHON = requiredProgram(['python3'], 'apt install python3')
const GO = requiredProgram(['go'], 'https://go.dev/dl/')

const DATA = {
  webhook: 'w',
  country: 'us',
  changes: [{ changeType: 'new', showId: '1', service: { name: 'Netflix' } }],
  shows: { 1: { title: 'Heat' } },
}

/** Sends a message as the service does, and returns the status of the answer. */
async function deliver(
  url: string,
  id: string,
  secrets: { secret: string; previous?: string },
): Promise<number | undefined> {
  const now = Math.floor(Date.now() / 1000)
  const message = { id, body: messageBody('changes', now, JSON.stringify(DATA)) }
  const previous = secrets.previous === undefined ? undefined : { secret: secrets.previous, endsAt: now + 60 }
  const headers = messageHeaders(message, { secret: secrets.secret, ...(previous !== undefined && { previous }) }, now)
  return (await createSender({ allowPrivate: true })(url, headers, message.body)).status
}

/** What every receiver must do; `printed` is what it has made of the messages. */
async function checkReceiver(url: string, printed: () => string): Promise<void> {
  expect(await deliver(url, 'msg_1', { secret: SECRET })).toBe(204)
  expect(await deliver(url, 'msg_1', { secret: SECRET })).toBe(204)
  expect(await deliver(url, 'msg_2', { secret: OTHER, previous: SECRET })).toBe(204)
  expect(await deliver(url, 'msg_3', { secret: OTHER })).toBe(401)
  await expect.poll(() => printed().match(/changes new Heat on Netflix/g)?.length).toBe(2)
}

/** Starts a receiver that prints the port it listens on. */
async function startReceiver(command: string, args: readonly string[]): Promise<[url: string, printed: () => string]> {
  const child = spawn(command, args, { cwd: EXAMPLES, env: { ...process.env, PORT: '0', WEBHOOK_SECRET: SECRET } })
  onTestFinished(() => void child.kill('SIGKILL'))
  let output = ''
  child.stdout.on('data', (chunk) => {
    output += chunk
  })
  await expect.poll(() => output).toMatch(/listening on \d+/)
  const [, port] = /listening on (\d+)/.exec(output) ?? []
  return [`http://127.0.0.1:${port}/`, () => output]
}

describe('the receivers of the guide', () => {
  it('in TypeScript verifies by the published library', async () => {
    const lines: string[] = []
    const receiver = createReceiver(SECRET, ({ type, data }) => {
      for (const { changeType, showId, service } of data.changes ?? []) {
        lines.push(`${type} ${changeType} ${data.shows?.[showId]?.title} on ${service.name}`)
      }
    })
    receiver.listen(0, '127.0.0.1')
    await once(receiver, 'listening')
    onTestFinished(() => void receiver.close())
    await checkReceiver(`http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`, () => lines.join('\n'))
  })

  it.runIf(PYTHON !== undefined)('in Python verifies by hand', async () => {
    await checkReceiver(...(await startReceiver(PYTHON ?? '', ['receive.py'])))
  })

  it.runIf(GO !== undefined)('in Go verifies by hand', async () => {
    const program = join(temporaryFolder(onTestFinished), 'receive')
    await promisify(execFile)(GO ?? '', ['build', '-o', program, 'receive.go'], { cwd: EXAMPLES })
    await checkReceiver(...(await startReceiver(program, [])))
  })
})
