import { type Command, Option } from 'commander'
import { readSettings, type Settings } from '../../config.ts'
import { UserError } from '../../lib/user-error.ts'
import type { JsonFlag } from '../terminal/flags.ts'

/** The flags of a command that calls a running service. */
export interface ServiceFlags extends JsonFlag {
  readonly url?: string
  readonly key?: string
}

/** Which service to call, and with which key. */
export interface ServiceAccess extends Pick<Settings, 'keyPrefix' | 'marketplace'> {
  /** Without the version and without a slash at its end. */
  readonly address: string
  readonly key: string
}

/** Adds the flags to a command. */
export function addServiceOptions(command: Command): Command {
  return command
    .addOption(new Option('--url <address>', 'address of the service (default: from HOST and PORT)').env('MARQUEE_URL'))
    .addOption(new Option('--key <key>', 'the API key to use').env('MARQUEE_KEY'))
}

/** Resolves the flags, or throws what is wrong with them. */
export function resolveService(flags: ServiceFlags): ServiceAccess {
  const settings = readSettings(process.env)
  const address = (flags.url || localServiceUrl(settings)).replace(/\/+$/, '').replace(/\/v4$/, '')
  if (!URL.canParse(address) || !/^https?:/i.test(address)) {
    throw new UserError(`--url (or MARQUEE_URL) is "${flags.url}"; it must be an address such as http://127.0.0.1:8080`)
  }
  if (!flags.key) {
    throw new UserError('An API key is needed: give --key or set MARQUEE_KEY; `marquee keys create` makes one')
  }
  if (!/^[\x21-\x7e]+$/.test(flags.key)) {
    throw new UserError('--key (or MARQUEE_KEY) has characters that no key has; `marquee keys create` makes one')
  }
  const { keyPrefix, marketplace } = settings
  return { address, key: flags.key, keyPrefix, marketplace }
}

/** The address of a service on this machine with the same HOST and PORT. */
function localServiceUrl({ host, port }: Settings): string {
  const loopback: Record<string, string> = { '0.0.0.0': '127.0.0.1', '::': '::1' }
  const name = loopback[host] ?? host
  return `http://${name.includes(':') ? `[${name}]` : name}:${port}`
}
