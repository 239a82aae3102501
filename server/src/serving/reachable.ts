/** An address under which a service that listens on the given one can be reached from this machine. */
export function reachable(address: string): string {
  const host = ['', '0.0.0.0', '::'].includes(address) ? '127.0.0.1' : address
  return host.includes(':') ? `[${host}]` : host
}
