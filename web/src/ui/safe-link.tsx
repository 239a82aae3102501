import type { ComponentChildren } from 'preact'
import { ownAddress } from '../data/own-address.ts'

interface SafeLinkProps {
  readonly href: string | undefined
  readonly class?: string
  readonly children: ComponentChildren
}

/**
 * A link to somewhere else, as the catalog has it. Addresses come from feeds, so only those of the web become links; of
 * others the text alone is shown.
 */
export function SafeLink({ href, children, ...rest }: SafeLinkProps) {
  const address = href === undefined ? undefined : ownAddress(href)
  if (address === undefined) return <span {...rest}>{children}</span>
  return (
    <a {...rest} href={address} target="_blank" rel="noopener noreferrer">
      {children}
    </a>
  )
}
