import type { PagePath } from '../paths.ts'
import { hrefTo } from '../routing/href-to.ts'
import { location } from '../routing/location.ts'
import { platformMessages } from './messages.ts'
import { personOf, session } from './session.ts'

/** The way around the pages for developers. Which there are depends on who is signed in. */
export function DeveloperNav() {
  const { nav } = platformMessages.current
  const { path } = location.value
  const person = personOf(session.value)
  const isKnown = session.value.state === 'ready'
  const links: readonly (readonly [PagePath, string, boolean])[] = [
    ['/dashboard', nav.usage, person !== undefined],
    ['/dashboard/keys', nav.keys, person !== undefined],
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
                aria-current={isAt(path, to) ? 'page' : undefined}
              >
                {name}
              </a>
            </li>
          ))}
      </ul>
    </nav>
  )
}

/** Operations are part of the reference, and all pages of the operator of the operator's. */
function isAt(path: string, to: PagePath): boolean {
  if (to === '/docs') return path === to || path.startsWith('/docs/api/')
  return to === '/operator' ? path.startsWith(to) : path === to
}
