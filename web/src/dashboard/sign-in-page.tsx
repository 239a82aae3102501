import { useEffect } from 'preact/hooks'
import { DeveloperFrame } from '../platform/developer-frame.tsx'
import { platformMessages } from '../platform/messages.ts'
import { personOf, session } from '../platform/session.ts'
import { SignInForm } from '../platform/sign-in-form.tsx'
import { hrefTo } from '../routing/href-to.ts'
import { location, navigate } from '../routing/location.ts'

/** Where somebody may come from to sign in, and go back to. */
const DOCUMENTATION = /^\/docs(?:\/[\w-]+)*$/

/** Signing in. Who is signed in already, or has just been let in, goes on to the dashboard, or back to the documentation. */
export default function SignInPage() {
  const t = platformMessages.current.signIn
  const isSignedIn = personOf(session.value) !== undefined
  useEffect(() => {
    if (!isSignedIn) return
    const back = location.peek().query.get('back') ?? ''
    navigate(hrefTo(DOCUMENTATION.test(back) ? back : '/dashboard'), { replace: true })
  }, [isSignedIn])
  return (
    <DeveloperFrame title={t.title} lead={t.lead}>
      <SignInForm />
    </DeveloperFrame>
  )
}
