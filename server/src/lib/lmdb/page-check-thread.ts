import { constants, setPriority } from 'node:os'
import { type MessagePort, parentPort, workerData } from 'node:worker_threads'
import { findPageDamage } from './page-check.ts'

/* The program of the thread that checks the pages of a file: it sends what is wrong with them, or an empty text. */

/** The start of the service waits about as long for the result. After that, requests come first. */
const NORMAL_PRIORITY_MS = 300

const lowPriorityFrom = performance.now() + NORMAL_PRIORITY_MS
// Linux schedules threads one by one, and 0 is this one. On other systems it would be the whole process.
let isPriorityLow = process.platform !== 'linux'

function lowerPriorityInTime(): void {
  if (isPriorityLow || performance.now() < lowPriorityFrom) return
  isPriorityLow = true
  try {
    setPriority(0, constants.priority.PRIORITY_LOW)
  } catch {
    // A sandbox may forbid it.
  }
}

const port = parentPort as MessagePort
port.postMessage(findPageDamage(workerData as string, lowerPriorityInTime) ?? '')
