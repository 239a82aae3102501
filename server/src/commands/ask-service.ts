import { type Command, Option } from 'commander'
import { ConnectionError, Marquee, MarqueeError, ServiceError } from 'marquee-client'
import { readSettings, type Settings } from '../config.ts'
import { CommandError } from './output.ts'

/** Which service a command asks, and with which key. */
export interface ServiceFlags {
  readonly url?: string
  readonly key?: string
}

/** Adds the options by which a command finds the service that it asks. */
export function withServiceOptions(command: Command): Command {
  return command
    .addOption(
      new Option('--url <address>', 'the service to ask; by default the one of HOST and PORT').env('MARQUEE_URL'),
    )
    .addOption(new Option('--key <key>', 'the API key to ask with').env('MARQUEE_KEY'))
}

/** Asks the service; what goes wrong becomes a sentence that says what to do about it. */
export async function askService<T>(flags: ServiceFlags, ask: (client: Marquee) => Promise<T>): Promise<T> {
  const settings = readSettings(process.env)
  const address = (flags.url || addressOf(settings)).replace(/\/+$/, '').replace(/\/v4$/, '')
  if (!URL.canParse(address) || !/^https?:/i.test(address)) {
    throw new CommandError(
      `--url (or MARQUEE_URL) is "${flags.url}"; it must be an address such as http://127.0.0.1:8080`,
    )
  }
  if (!flags.key) {
    throw new CommandError('An API key is needed: give --key or set MARQUEE_KEY; `marquee keys create` makes one')
  }
  if (!/^[\x21-\x7e]+$/.test(flags.key)) {
    throw new CommandError('--key (or MARQUEE_KEY) has characters that no key has; `marquee keys create` makes one')
  }
  try {
    const { keyPrefix, marketplace } = settings
    const baseUrl = `${address}/v4`
    // A person is waiting: rather an early answer than one more try.
    return await ask(new Marquee({ apiKey: flags.key, baseUrl, keyPrefix, marketplace, retries: 1, timeout: 10_000 }))
  } catch (error) {
    if (error instanceof MarqueeError) throw new CommandError(explain(error, address))
    // The client refuses addresses and ids that can never work before it asks.
    if (error instanceof TypeError) throw new CommandError(error.message)
    throw error
  }
}

/** Where the service listens that is set up by the same settings. */
function addressOf({ host, port }: Settings): string {
  const everywhere: Record<string, string> = { '0.0.0.0': '127.0.0.1', '::': '::1' }
  const name = everywhere[host] ?? host
  return `http://${name.includes(':') ? `[${name}]` : name}:${port}`
}

function explain(error: MarqueeError, address: string): string {
  if (error instanceof ConnectionError) {
    const why = error.timedOut ? 'does not answer in time' : 'cannot be reached'
    return `The service at ${address} ${why}; start it with \`marquee serve\`, or name another with --url`
  }
  if (!(error instanceof ServiceError)) return `What answers at ${address} is not a Marquee service (${error.message})`
  const key = error.status === 401 || error.status === 403
  return key
    ? `${error.message} The key comes from --key or MARQUEE_KEY; \`marquee keys list\` shows all.`
    : error.message
}
