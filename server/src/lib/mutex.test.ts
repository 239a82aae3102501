import { expect, test } from 'vitest'
import { Mutex } from './mutex.ts'

test('work runs one after the other, in order, and a failure does not stop what follows', async () => {
  const mutex = new Mutex()
  const log: string[] = []
  let finishFirst = () => {}
  const first = mutex.run(async () => {
    log.push('first starts')
    await new Promise<void>((resolve) => {
      finishFirst = resolve
    })
    log.push('first ends')
    throw new Error('first failed')
  })
  const second = mutex.run(() => log.push('second'))
  await Promise.resolve()
  expect(log).toEqual(['first starts'])
  finishFirst()
  await expect(first).rejects.toThrow('first failed')
  await second
  expect(log).toEqual(['first starts', 'first ends', 'second'])
})

test('idle waits for all work so far', async () => {
  const mutex = new Mutex()
  let ended = false
  void mutex.run(async () => {
    await Promise.resolve()
    ended = true
  })
  await mutex.idle()
  expect(ended).toBe(true)
})
