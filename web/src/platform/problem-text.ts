import { ConnectionError } from 'marquee-client'
import { shellMessages } from '../shell/messages.ts'
import { platformMessages } from './messages.ts'
import { problemOf } from './platform-error.ts'

/** What to tell the reader of something that did not work, in the reader's language where the problem is a known one. */
export function problemText(error: unknown): string {
  const { problems, offline } = platformMessages.current
  const { failure } = shellMessages.current
  if (error instanceof ConnectionError) return navigator.onLine ? failure.unreachable.title : offline
  const problem = problemOf(error)
  if (problem !== undefined && Object.hasOwn(problems, problem)) return problems[problem as keyof typeof problems]
  return error instanceof Error && problem !== undefined ? error.message : failure.other.title
}
