import { useEffect } from 'preact/hooks'
import { DeveloperFrame } from '../platform/developer-frame.tsx'
import { platformMessages } from '../platform/messages.ts'
import { personOf, session } from '../platform/session.ts'
import { SignInForm } from '../platform/sign-in-form.tsx'
import { hrefTo } from '../routing/href-to.ts'
import { navigate } from '../routing/location.ts'

/** Signing in. Who is signed in already, or has just been let in, goes on to the dashboard. */
export default function SignInPage() {
  const t = platformMessages.current.signIn
  const isSignedIn = personOf(session.value) !== undefined
  useEffect(() => {
    if (isSignedIn) navigate(hrefTo('/dashboard'), { replace: true })
  }, [isSignedIn])
  return (
    <DeveloperFrame title={t.title} lead={t.lead}>
      <SignInForm />
    </DeveloperFrame>
  )
}
