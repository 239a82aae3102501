import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { getPriority } from 'node:os'
import { expect, it } from 'vitest'
import { lowerPriority } from './process-info.ts'

it('lowers the priority of a process, and leaves one that has ended alone', async () => {
  const child = spawn('sleep', ['600'])
  await once(child, 'spawn')
  const pid = child.pid as number
  const before = getPriority(pid)
  lowerPriority(pid)
  expect(getPriority(pid)).toBe(Math.min(19, before + 5))
  for (let i = 0; i < 5; i++) lowerPriority(pid)
  expect(getPriority(pid)).toBe(19)
  child.kill()
  await once(child, 'exit')
  expect(() => lowerPriority(pid)).not.toThrow()
})
