import findMyWay, { type HTTPVersion } from 'find-my-way'

/** The methods that each path takes, for requests that come with another one. */
export interface AllowedMethods {
  /** Adds a path, as routes write it, with the methods as the header Allow lists them. */
  add(path: string, methods: string): void
  /** The methods that the path of a URL takes, if there is such a path. */
  of(url: string): string | undefined
}

export function createAllowedMethods(longestParameter: number): AllowedMethods {
  const paths = findMyWay<HTTPVersion.V1>({ maxParamLength: longestParameter })
  return {
    add: (path, methods) => paths.on('GET', path, () => {}, methods),
    of: (url) => paths.find('GET', url)?.store as string | undefined,
  }
}
