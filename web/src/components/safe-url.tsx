import type { ComponentChildren } from 'preact'

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/

/**
 * An address of the web as the catalog has it, or undefined for any other kind (`javascript:`, `data:` …). An address on
 * the loopback means the machine of the service, not the reader's: such ones, as the demo has them, are taken from
 * where the page came from.
 */
export function safeUrl(address: string): string | undefined {
  const url = parse(address)
  if (url === null || !/^https?:$/.test(url.protocol)) return undefined
  if (!LOOPBACK.test(url.hostname)) return url.href
  // Two slashes at the start would name another host.
  return url.pathname.replace(/^\/+/, '/') + url.search + url.hash
}

/** The same for an image. Plain HTTP is left out: the policy of the page forbids it from other hosts. */
export function safeImageUrl(address: string | undefined): string | undefined {
  const own = address === undefined ? undefined : safeUrl(address)
  return own === undefined || own.startsWith('http:') ? undefined : own
}

function parse(address: string): URL | null {
  try {
    return new URL(address)
  } catch {
    return null
  }
}

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
  const address = href === undefined ? undefined : safeUrl(href)
  if (address === undefined) return <span {...rest}>{children}</span>
  return (
    <a {...rest} href={address} target="_blank" rel="noopener noreferrer">
      {children}
    </a>
  )
}
