import type { ComponentChildren } from 'preact'
import { Failure } from '../shell/failure.tsx'
import { shellMessages } from '../shell/messages.ts'
import { Notice } from '../ui/notice.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { platformMessages } from './messages.ts'
import { hasSessionEnded, loadSession, personOf, session } from './session.ts'
import { SignInForm } from './sign-in-form.tsx'

interface GateProps {
  readonly for: 'account' | 'admin'
  readonly children: ComponentChildren
}

/** Shows its content to those whom it is for; others can sign in where they are. */
export function Gate({ for: whom, children }: GateProps) {
  const t = platformMessages.current
  const known = session.value
  if (known.state === 'loading') {
    return (
      <div role="status" aria-label={shellMessages.current.loading}>
        <Skeleton height="16rem" />
      </div>
    )
  }
  if (known.state === 'failed') return <Failure error={known.error} retry={loadSession} isForDevelopers={true} />
  const person = personOf(known)
  if (person === undefined) {
    return (
      <>
        <p>{hasSessionEnded.value ? t.sessionEnded : t.needsSignIn}</p>
        <SignInForm />
      </>
    )
  }
  if (whom === 'admin' && person.account.role !== 'admin') {
    return (
      <Notice title={t.needsAdmin.title}>
        <p>{t.needsAdmin.text}</p>
        <p>
          <code>marquee admin create {person.account.email}</code>
        </p>
      </Notice>
    )
  }
  return <>{children}</>
}
