import type { ComponentChildren } from 'preact'

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/

/**
 * A URL of the catalog if it is safe to link to, else undefined: `javascript:`, `data:` and others are dropped. A URL with a
 * loopback host, as in the demo, means the server, so it becomes relative to the page.
 */
export function safeUrl(address: string): string | undefined {
  const url = parse(address)
  if (url === null || !/^https?:$/.test(url.protocol)) return undefined
  if (!LOOPBACK.test(url.hostname)) return url.href
  // Two slashes at the start would be another host.
  return url.pathname.replace(/^\/+/, '/') + url.search + url.hash
}

/** The same for an image. The content security policy forbids plain HTTP from other hosts, so it is dropped. */
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
 * A link to a URL of the catalog. URLs come from feeds, so only safe ones become links; of others only the text is shown.
 */
export function SafeLink({ href, class: name, children }: SafeLinkProps) {
  const address = href === undefined ? undefined : safeUrl(href)
  if (address === undefined) return <span class={name}>{children}</span>
  return (
    <a class={name} href={address} target="_blank" rel="noopener noreferrer">
      {children}
    </a>
  )
}
