import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { expect, test } from 'vitest'

/* Canaries for undocumented behaviour of Node's sockets; see server/src/lib/runtime-hacks/README.md. */

/** Two ends of a connection. */
async function connectionPair(): Promise<{ near: Socket; far: Socket; close: () => void }> {
  const server = createServer()
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const far = connect((server.address() as AddressInfo).port, '127.0.0.1')
  const [near] = (await once(server, 'connection')) as [Socket]
  const close = () => {
    near.destroy()
    far.destroy()
    server.close()
  }
  return { near, far, close }
}

test('after a small write writableLength is 0 at once, and the buffer may be overwritten', async () => {
  const { near, far, close } = await connectionPair()
  const buffer = Buffer.alloc(16 * 1024, 'a')
  near.write(buffer)
  expect(near.writableLength).toBe(0)
  buffer.fill('b')
  let received = ''
  far.on('data', (data) => (received += data))
  await expect.poll(() => received.length).toBe(buffer.length)
  expect(received).toBe('a'.repeat(buffer.length))
  close()
})

test('a write that the kernel cannot take at once leaves writableLength above 0', async () => {
  const { near, close } = await connectionPair()
  near.write(Buffer.alloc(64 * 1024 * 1024))
  expect(near.writableLength).toBeGreaterThan(0)
  close()
})

test('the callback of an empty write runs after all writes before it', async () => {
  const { near, far, close } = await connectionPair()
  const size = 32 * 1024 * 1024
  near.write(Buffer.alloc(size))
  let lengthAtCallback: number | undefined
  near.write(Buffer.alloc(0), () => (lengthAtCallback = near.writableLength))
  expect(lengthAtCallback).toBeUndefined()
  let received = 0
  far.on('data', (data) => (received += data.length))
  await expect.poll(() => received).toBe(size)
  await expect.poll(() => lengthAtCallback).toBe(0)
  close()
})

test('the memory before a subarray is written through its buffer', () => {
  const memory = Buffer.allocUnsafeSlow(64)
  const body = memory.subarray(32)
  body.write('body')
  const whole = Buffer.from(body.buffer, body.byteOffset - 5, 5 + 4)
  whole.write('head ', 'latin1')
  expect(whole.toString()).toBe('head body')
  expect(memory.toString('latin1', 27, 36)).toBe('head body')
})
