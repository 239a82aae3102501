import type { ComponentChildren } from 'preact'
import { useHref, useLocation, useMessages } from '../app/context.ts'
import { operatorMessages } from '../messages/tables.ts'
import { DeveloperLayout } from '../platform/developer-layout.tsx'
import type { PagePath } from '../routes.ts'
import './operator.css'

interface OperatorLayoutProps {
  readonly title: string
  readonly lead?: string | undefined
  readonly children: ComponentChildren
}

/** Layout of the operator pages, with their navigation. */
export function OperatorLayout({ title, lead, children }: OperatorLayoutProps) {
  const hrefTo = useHref()
  const { path: current } = useLocation()
  const { sections } = useMessages(operatorMessages)
  const links: readonly (readonly [PagePath, string])[] = [
    ['/operator', sections.status],
    ['/operator/data', sections.data],
    ['/operator/checks', sections.checks],
    ['/operator/accounts', sections.accounts],
    ['/operator/audit', sections.audit],
  ]
  const aside = (
    <nav class="operator-nav" aria-label={sections.label}>
      <ul>
        {links.map(([path, name]) => (
          <li key={path}>
            <a href={hrefTo(path)} aria-current={current === path ? 'page' : undefined}>
              {name}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  )
  return (
    <DeveloperLayout title={title} lead={lead} aside={aside} for="admin">
      {children}
    </DeveloperLayout>
  )
}
