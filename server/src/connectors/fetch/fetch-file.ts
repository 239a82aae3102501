import { createWriteStream } from 'node:fs'
import { type ClientRequest, request as httpRequest, type IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { checkHostLiteral, createCheckedLookup, FetchError, type ResolveHost } from './ssrf-guard.ts'

/** HTTP validators of an earlier download, for a conditional request. */
export interface Validators {
  readonly etag?: string
  readonly lastModified?: string
}

/** Limits of a download. */
export interface FetchOptions {
  /** Whether private addresses and plain HTTP are allowed. */
  readonly allowPrivate: boolean
  readonly validators?: Validators | undefined
  /** Headers that the server needs, such as one with a token. They are sent to its own origin only, not after a redirect. */
  readonly headers?: Readonly<Record<string, string>> | undefined
  readonly maxBytes: number
  /** The limit for the whole download, redirects included. */
  readonly timeoutMs: number
  /** Replaces the system's DNS in tests. */
  readonly resolve?: ResolveHost | undefined
}

/** The outcome of a download: a file, or that the resource is unchanged. */
type FetchResult =
  | { readonly unchanged: true }
  | { readonly unchanged: false; readonly bytes: number; readonly validators: Validators }

const MAX_REDIRECTS = 5
const REDIRECT_STATUSES = new Set([301, 302, 303, 307, 308])

/** Downloads a URL into a file, as a stream. */
export function fetchFile(address: string, file: string, options: FetchOptions): Promise<FetchResult> {
  return withinDeadline(address, options, async (deadline) => {
    const response = await followRedirects(new URL(address), { ...options, deadline })
    if (response.statusCode === 304) {
      response.resume()
      return { unchanged: true }
    }
    const bytes = await saveBody(response, file, options.maxBytes, deadline)
    return { unchanged: false, bytes, validators: readValidators(response) }
  })
}

/** Requests a URL and reads only the start of what it answers: throws what a download would. Returns its size, if it is known. */
export function tryFetch(address: string, options: FetchOptions): Promise<number | undefined> {
  return withinDeadline(address, options, async (deadline) => {
    const response = await followRedirects(new URL(address), { ...options, deadline })
    try {
      for await (const chunk of response) {
        if (isHtml(chunk as Buffer)) throw new FetchError(HTML_MESSAGE)
        break
      }
    } finally {
      response.destroy()
    }
    const size = Number(response.headers['content-length'])
    if (size > options.maxBytes) throw new FetchError(tooLargeMessage(options.maxBytes))
    return Number.isFinite(size) ? size : undefined
  })
}

/** Runs a request with the time limit of its options. All errors name the URL. */
async function withinDeadline<T>(
  address: string,
  options: FetchOptions,
  run: (deadline: AbortSignal) => Promise<T>,
): Promise<T> {
  const deadline = AbortSignal.timeout(options.timeoutMs)
  try {
    return await run(deadline)
  } catch (error) {
    if (deadline.aborted) {
      throw new FetchError(`${redactUrl(address)} took longer than ${options.timeoutMs / 1000} seconds`)
    }
    if (error instanceof FetchError) throw error
    throw new FetchError(`${redactUrl(address)} cannot be fetched: ${(error as Error).message}`)
  }
}

/** Downloads the files of one source. All of them together may have `maxBytes`: a server could name next pages forever. */
export function createSourceFetch(options: FetchOptions): typeof fetchFile {
  let bytesLeft = options.maxBytes
  return async (address, file, more) => {
    const result = await fetchFile(address, file, { ...more, maxBytes: Math.min(more.maxBytes, bytesLeft) })
    if (!result.unchanged) bytesLeft -= result.bytes
    return result
  }
}

type FetchRequest = FetchOptions & { readonly deadline: AbortSignal }

/** Sends the request and follows redirects; every URL on the way is checked. */
async function followRedirects(start: URL, request: FetchRequest): Promise<IncomingMessage> {
  let url = start
  for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
    const response = await sendRequest(url, url.origin === start.origin ? request : { ...request, headers: undefined })
    const { statusCode = 0, headers } = response
    if (REDIRECT_STATUSES.has(statusCode) && headers.location !== undefined) {
      response.destroy()
      if (!URL.canParse(headers.location, url.href))
        throw new FetchError(`${redactUrl(url.href)} redirects to an invalid URL`)
      const next = new URL(headers.location, url)
      if (url.protocol === 'https:' && next.protocol !== 'https:') {
        throw new FetchError(`${redactUrl(url.href)} redirects from HTTPS to ${next.protocol}//, which is refused`)
      }
      url = next
    } else if (statusCode === 200 || (statusCode === 304 && request.validators !== undefined)) return response
    else {
      response.destroy()
      throw new FetchError(`${redactUrl(url.href)} answered ${statusCode} ${response.statusMessage ?? ''}`.trim())
    }
  }
  throw new FetchError(`${redactUrl(start.href)} redirects more than ${MAX_REDIRECTS} times`)
}

function sendRequest(
  url: URL,
  { allowPrivate, validators, headers: given, deadline, resolve }: FetchRequest,
): Promise<IncomingMessage> {
  const secure = url.protocol === 'https:'
  if (!secure && !(allowPrivate && url.protocol === 'http:')) {
    const allowed = url.protocol === 'http:' ? '; MARQUEE_PRIVATE_SOURCES=allow allows plain HTTP' : ''
    throw new FetchError(`${redactUrl(url.href)} is no https:// address${allowed}`)
  }
  if (!allowPrivate) checkHostLiteral(url.hostname)
  const headers = {
    'user-agent': 'marquee',
    accept: '*/*',
    ...given,
    ...(validators?.etag !== undefined && { 'if-none-match': validators.etag }),
    ...(validators?.lastModified !== undefined && { 'if-modified-since': validators.lastModified }),
  }
  return new Promise((done, fail) => {
    const options = {
      headers,
      agent: false,
      signal: deadline,
      ...(!allowPrivate && { lookup: createCheckedLookup(resolve) }),
    }
    const request: ClientRequest = secure ? httpsRequest(url, options, done) : httpRequest(url, options, done)
    request.on('error', fail)
    request.end()
  })
}

async function saveBody(
  response: IncomingMessage,
  file: string,
  maxBytes: number,
  signal: AbortSignal,
): Promise<number> {
  const tooLarge = () => new FetchError(tooLargeMessage(maxBytes))
  if (Number(response.headers['content-length'] ?? 0) > maxBytes) {
    response.destroy()
    throw tooLarge()
  }
  let bytes = 0
  const counter = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      if (bytes === 0 && isHtml(chunk)) {
        done(new FetchError(HTML_MESSAGE))
        return
      }
      bytes += chunk.length
      if (bytes > maxBytes) done(tooLarge())
      else done(null, chunk)
    },
  })
  await pipeline(response, counter, createWriteStream(file), { signal })
  return bytes
}

function tooLargeMessage(maxBytes: number): string {
  return `the file has more than ${maxBytes} bytes, which is what maxBytes leaves for it`
}

const HTML_MESSAGE =
  'it is a web page (HTML), no feed; perhaps it asks to sign in, or the address is of a page about the feed'

/** Whether a body starts as a web page does. */
function isHtml(start: Buffer): boolean {
  return /^\ufeff?\s*<(?:!doctype\s+html|html)\b/i.test(start.toString('utf8', 0, 512))
}

function readValidators({ headers }: IncomingMessage): Validators {
  const { etag, 'last-modified': lastModified } = headers
  return { ...(etag !== undefined && { etag }), ...(lastModified !== undefined && { lastModified }) }
}

/** A URL for messages, without the password and the query, which may hold a key. */
function redactUrl(address: string): string {
  if (!URL.canParse(address)) return address.slice(0, 80)
  const { protocol, host, pathname } = new URL(address)
  return `${protocol}//${host}${pathname}`
}
