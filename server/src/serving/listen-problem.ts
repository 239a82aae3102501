import type { Settings } from '../config.ts'
import { systemErrorCode } from '../lib/system-error.ts'

/** Why the service cannot listen, and which setting mends it, as a sentence. */
export function listenProblem(error: Error, { host, port }: Pick<Settings, 'host' | 'port'>): string {
  switch (systemErrorCode(error)) {
    case 'EADDRINUSE':
      return `PORT is ${port}, and another program listens there on ${host}; stop that one, or set another PORT`
    case 'EACCES':
      return `PORT is ${port}, and this user may not listen there; set a PORT from 1024 on`
    case 'EADDRNOTAVAIL':
      return `HOST is ${host}, which is no address of this machine; 127.0.0.1 listens for this machine, 0.0.0.0 for all`
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `HOST is ${host}, and no address is known for it; 127.0.0.1 listens for this machine, 0.0.0.0 for all`
    default:
      return `HOST is ${host} and PORT is ${port}, and listening there failed: ${error.message}`
  }
}
