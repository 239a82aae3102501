import { Notice } from '../ui/notice.tsx'
import { problemText } from './problem-text.ts'

/** Says why something did not work, if it did not. */
export function ProblemNotice({ error }: { error: unknown }) {
  if (error === undefined) return null
  return (
    <Notice kind="bad" isUrgent={true}>
      <p>{problemText(error)}</p>
    </Notice>
  )
}
