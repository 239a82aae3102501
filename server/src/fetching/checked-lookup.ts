import { type LookupAddress, promises } from 'node:dns'
import { isIP, type LookupFunction } from 'node:net'
import { FetchError } from './fetch-error.ts'
import { isPublicAddress } from './public-address.ts'

/** Turns the name of a host into its addresses. */
export type Resolve = (host: string) => Promise<readonly LookupAddress[]>

const resolveBySystem: Resolve = (host) => promises.lookup(host, { all: true })

/** Refuses a host that is given as an address, and not one of the public internet. */
export function checkLiteral(host: string): void {
  const address = host.replace(/^\[|\]$/g, '')
  if (isIP(address) !== 0 && !isPublicAddress(address)) throw refusal(host, address)
}

/**
 * A lookup that hands a connection only addresses that were checked. The connection is made to the very address that
 * this returns, so a name that resolves to something else a moment later gains nothing.
 */
export function checkedLookup(resolve: Resolve = resolveBySystem): LookupFunction {
  return (host, options, done) => {
    const finish = (addresses: readonly LookupAddress[]) => {
      const [first] = addresses
      if (first === undefined) done(new FetchError(`${host} has no address`), '', 0)
      else if (options.all === true) done(null, [...addresses])
      else done(null, first.address, first.family)
    }
    resolve(host)
      .then((addresses) => {
        const closed = addresses.find(({ address }) => !isPublicAddress(address))
        // One that is closed among several is no accident either.
        if (closed !== undefined) throw refusal(host, closed.address)
        return addresses
      })
      .then(finish, (error: Error) => done(error, '', 0))
  }
}

function refusal(host: string, address: string): FetchError {
  return new FetchError(
    `${host} is at ${address}, which is no public address. If it is meant, set MARQUEE_PRIVATE_SOURCES=allow.`,
  )
}
