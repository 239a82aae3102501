import type { ComponentChildren } from 'preact'
import { useEffect } from 'preact/hooks'
import { useApp, useHref, useLocation, useMessages } from '../app/context.ts'
import { Notice, Skeleton } from '../components/feedback.tsx'
import { Failure } from '../layout/failure.tsx'
import { useTitle } from '../layout/page-head.ts'
import { layoutMessages, platformMessages } from '../messages/tables.ts'
import type { PagePath } from '../routes.ts'
import { SignInForm } from './sign-in-form.tsx'
import './developer-layout.css'
import { useSession } from './session.ts'

interface DeveloperLayoutProps {
  readonly title: string
  readonly lead?: ComponentChildren | undefined
  /** Content beside the title. */
  readonly aside?: ComponentChildren
  /** Who may see the page; everybody by default. */
  readonly for?: 'everybody' | 'account' | 'admin'
  readonly children: ComponentChildren
}

/** Layout of the pages for developers and operators: navigation, title, and access control. */
export function DeveloperLayout({ title, lead, aside, for: access = 'everybody', children }: DeveloperLayoutProps) {
  const session = useSession()
  const language = useApp().language.value
  const shown = platformMessages.shownLanguage(language)
  useTitle(title)
  useEffect(() => {
    void session.load()
  }, [])
  return (
    <div class="developer-page" lang={shown === language ? undefined : shown}>
      <DeveloperNav />
      <div class="developer-head">
        <div>
          <h1>{title}</h1>
          {lead !== undefined && <p class="soft">{lead}</p>}
        </div>
        {aside}
      </div>
      {access === 'everybody' ? children : <AccessGate for={access}>{children}</AccessGate>}
      <Contact />
    </div>
  )
}

/** How to reach the operator, if the service says so. */
function Contact() {
  const known = useSession().state.value
  const t = useMessages(platformMessages)
  const contact = known.state === 'ready' ? known.value.contact : undefined
  if (contact === undefined) return null
  return (
    <p class="soft">
      {t.contact} <a href={contact.includes('://') ? contact : `mailto:${contact}`}>{contact}</a>
    </p>
  )
}

/** Navigation of the developer pages. Its links depend on the session. */
function DeveloperNav() {
  const session = useSession()
  const hrefTo = useHref()
  const { nav } = useMessages(platformMessages)
  const { path } = useLocation()
  const person = session.person
  const isKnown = session.state.value.state === 'ready'
  const links: readonly (readonly [PagePath, string, boolean])[] = [
    ['/dashboard', nav.usage, person !== undefined],
    ['/dashboard/keys', nav.keys, person !== undefined],
    ['/dashboard/alerts', nav.alerts, person !== undefined],
    ['/docs/start', nav.start, true],
    ['/docs', nav.reference, true],
    ['/operator', nav.operator, person?.account.role === 'admin'],
    ['/dashboard/account', nav.account, person !== undefined],
    ['/sign-in', nav.signIn, isKnown && person === undefined],
    ['/sign-up', nav.signUp, isKnown && person === undefined],
  ]
  return (
    <nav class="developer-nav" aria-label={nav.label}>
      <ul>
        {links
          .filter(([, , isShown]) => isShown)
          .map(([to, name]) => (
            <li key={to}>
              <a
                href={hrefTo(to, to === '/sign-in' && path.startsWith('/docs') ? { back: path } : {})}
                aria-current={isCurrent(path, to) ? 'page' : undefined}
              >
                {name}
              </a>
            </li>
          ))}
      </ul>
    </nav>
  )
}

/** Whether a link is current. Pages of operations and errors belong to the reference, and operator pages to the operator. */
function isCurrent(path: string, to: PagePath): boolean {
  if (to === '/docs') return path === to || path === '/docs/errors' || /^\/docs\/(?:api|guides)\//.test(path)
  return to === '/operator' ? path.startsWith(to) : path === to
}

interface AccessGateProps {
  readonly for: 'account' | 'admin'
  readonly children: ComponentChildren
}

/** Shows its content to accounts with access; others get a sign-in form in place.  */
function AccessGate({ for: access, children }: AccessGateProps) {
  const session = useSession()
  const layoutText = useMessages(layoutMessages)
  const t = useMessages(platformMessages)
  const known = session.state.value
  if (known.state === 'loading') {
    return (
      <div role="status" aria-label={layoutText.loading}>
        <Skeleton height="16rem" />
      </div>
    )
  }
  if (known.state === 'failed') return <Failure error={known.error} retry={session.load} isForDevelopers={true} />
  const person = session.person
  if (person === undefined) {
    return (
      <>
        <p>{session.hasExpired.value ? t.sessionEnded : t.needsSignIn}</p>
        <SignInForm />
      </>
    )
  }
  if (access === 'admin' && person.account.role !== 'admin') {
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
