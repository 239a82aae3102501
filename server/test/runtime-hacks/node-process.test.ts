import { executionAsyncResource } from 'node:async_hooks'
import { expect, test } from 'vitest'

/* Canary for undocumented behaviour of Node's ticks; see server/src/lib/runtime-hacks/README.md. */

test('inside a tick executionAsyncResource is the tick object itself', async () => {
  const callbacks: unknown[] = []
  const tick = (resolve: () => void) => {
    const callback = () => {
      const resource = executionAsyncResource() as { callback?: unknown }
      callbacks.push(resource.callback === callback)
      resolve()
    }
    process.nextTick(callback)
  }
  await new Promise<void>(tick)
  expect(callbacks).toEqual([true])
})
