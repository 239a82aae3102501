import type { ComponentChildren } from 'preact'
import { hrefTo } from '../app/viewer.ts'
import { operatorMessages } from '../messages/tables.ts'
import { DeveloperFrame } from '../platform/developer-layout.tsx'
import type { PagePath } from '../routes.ts'
import { location } from '../routing/router.ts'
import './operator.css'

interface OperatorFrameProps {
  readonly title: string
  readonly lead?: string | undefined
  readonly children: ComponentChildren
}

/** The frame of the operator's pages, with the way between them. */
export function OperatorFrame({ title, lead, children }: OperatorFrameProps) {
  const { sections } = operatorMessages.current
  const links: readonly (readonly [PagePath, string])[] = [
    ['/operator', sections.status],
    ['/operator/accounts', sections.accounts],
    ['/operator/audit', sections.audit],
  ]
  const aside = (
    <nav class="operator-nav" aria-label={sections.label}>
      <ul>
        {links.map(([path, name]) => (
          <li key={path}>
            <a href={hrefTo(path)} aria-current={location.value.path === path ? 'page' : undefined}>
              {name}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  )
  return (
    <DeveloperFrame title={title} lead={lead} aside={aside} for="admin">
      {children}
    </DeveloperFrame>
  )
}
