import { performance } from 'node:perf_hooks'
import type { KeySource } from '../accounts/api-key.ts'
import type { KeyStore, KnownKey } from '../accounts/key-store.ts'
import type { Admission, Meter } from '../accounts/meter.ts'
import type { Clock } from '../lib/clock.ts'
import { endOfDay, SECONDS_PER_DAY } from '../model/time.ts'
import type { Answers } from '../render/answers.ts'
import type { AnswerObserver } from './answer-observer.ts'
import { authenticator } from './authenticate.ts'
import { checkRequest } from './check-request.ts'
import type { Endpoint } from './endpoint.ts'
import { ApiError } from './errors.ts'
import { holdingETag, makeETag, matchesETag, readETag } from './etag.ts'
import type { ApiRequest, ApiResponse } from './exchange.ts'
import { type Fields, field } from './header-fields.ts'
import { BASES, type KeyHeaders } from './key-headers.ts'
import { type KnownUrl, type KnownUrls, newUrl, type Reading } from './known-urls.ts'
import type { PagePasses } from './page-pass.ts'
import { ignoredField, parameterReader } from './parameters.ts'
import { searchOf } from './query-string.ts'
import { quotaFields, refusalError } from './quota-headers.ts'
import type { RequestLog } from './request-log.ts'
import { asApiError, JSON_TYPE, type Responder } from './responder.ts'

/** What answering needs. */
export interface AnsweringDeps {
  readonly answers: Answers
  readonly keys: Pick<KeyStore, 'find'>
  readonly meter: Pick<Meter, 'admit' | 'refund'>
  readonly passes: PagePasses | undefined
  readonly observer: AnswerObserver | undefined
  readonly clock: Clock
  readonly countries: 'array' | 'map'
  readonly overloaded: () => boolean
  readonly names: KeyHeaders
  readonly responder: Responder
  readonly urls: KnownUrls
  readonly log: RequestLog
}

const CACHE_CONTROL = field('Cache-Control', 'private, max-age=60')
const KEPT_JSON = field('Content-Type', JSON_TYPE) + CACHE_CONTROL

/** What a URL of an endpoint leads to: how it is answered, with what the router read from its path. */
export type UrlMaker = (url: string, path: Readonly<Record<string, string>>) => KnownUrl

/**
 * How one endpoint is answered on one base. Everything up to the answer happens in one turn of the event loop, in this
 * order: load, key, catalog, plan, a tag that still holds, parameters, answer. Route and method were judged before.
 */
export function answerRequest(endpoint: Endpoint, base: KeySource, deps: AnsweringDeps): UrlMaker {
  const { answers, meter, clock, overloaded, responder, log, urls, observer } = deps
  const authenticate = authenticator(base, deps)
  const reader = parameterReader(endpoint.parameters)
  const baseLength = BASES[base].length
  const { operationId } = endpoint
  const pathParameter = Object.keys(endpoint.pathParameters.properties)[0]

  return (url, path) => urls.get(url) ?? newUrl(url, baseLength, path, answer, deps.countries)

  function answer(known: KnownUrl, req: ApiRequest, res: ApiResponse, id: string): void {
    const now = clock()
    const startedAt = observer === undefined ? 0 : performance.now()
    let key: KnownKey | undefined
    let admission: Admission | undefined
    let ignored = ''
    log.watch(req, res, id)

    try {
      checkRequest(req)
      if (overloaded()) throw tryLater('overloaded', 'The service is overloaded; try again shortly.', 1)
      key = authenticate(req, now)
      const version = answers.version()
      if (version === 0) throw tryLater('unavailable', 'The service holds no catalog yet; try again later.', 5)
      admission = meter.admit(key, now)
      if (admission.refusal !== undefined) throw refusalError(admission)

      const reading = asksForStrictHandling(req.headers.prefer) ? known.strict : known.lenient
      const ifNoneMatch = req.headers['if-none-match']
      // A tag that holds was given for this very URL, version and day, so the parameters need no second look.
      const held = ifNoneMatch === undefined ? undefined : holdingTag(known, reading, ifNoneMatch, now)
      if (held !== undefined) {
        sendNotModified(req, res, id, key, admission, now, held, ignoredBy(known, reading))
        observe(req, 304, startedAt, key)
        return
      }

      const day = Math.floor(now / SECONDS_PER_DAY)
      let prepared = reading.prepared
      if (prepared === undefined || prepared.version !== version || prepared.day !== day) {
        const given = reader.scan(searchOf(known.target), reading.strict)
        ignored = reading.ignored = ignoredField(given.unknown, reader.names)
        const context = { names: answers.names(), now, countries: deps.countries }
        const query = Object.freeze(endpoint.toQuery(reader.values(given), known.path, context))
        prepared = reading.prepared = { query, version, day }
        urls.remember(known)
      }
      ignored = ignoredBy(known, reading)
      const answer = answers.answer(prepared.query, now)
      if (answer === undefined) throw notFound()
      const etag = tagOf(reading, answer.validUntil, now)
      if (ifNoneMatch !== undefined && matchesETag(ifNoneMatch, etag)) {
        answer.body.release?.()
        sendNotModified(req, res, id, key, admission, now, etag, ignored)
        observe(req, 304, startedAt, key)
        return
      }

      const fields = `${keyedFields(req, id, key, admission, now, false)}${KEPT_JSON}ETag: ${etag}\r\n${ignored}`
      const compressing = responder.send(req, res, 200, fields, answer.body, etag + known.target)
      if (compressing === undefined) observe(req, 200, startedAt, key)
      else compressing.then(() => observe(req, 200, startedAt, key))
    } catch (error) {
      const { status, code } = asApiError(error, id)
      const refunded = admission !== undefined && status >= 500
      if (refunded) meter.refund(key as KnownKey)
      responder.fail(req, res, id, error, keyedFields(req, id, key, admission, now, refunded) + ignored)
      observe(req, status, startedAt, key)
      observer?.failed({ endpoint: operationId, status, code, at: now, key })
    }
  }

  function observe(req: ApiRequest, status: number, startedAt: number, key: KnownKey | undefined): void {
    observer?.answered(operationId, status, performance.now() - startedAt, key, req.headers.origin)
  }

  /** The tag that the client has, if it still holds. Most bring back the last one that was given, letter by letter. */
  function holdingTag(known: KnownUrl, reading: Reading, ifNoneMatch: string, now: number): string | undefined {
    const edition = answers.edition()
    const { tag } = reading
    if (tag !== undefined && tag.text === ifNoneMatch && tag.edition === edition && now < tag.validUntil)
      return tag.text
    const held = holdingETag(ifNoneMatch, edition, reading.hash, now)
    if (held !== undefined) {
      reading.tag = readETag(held, edition)
      urls.remember(known)
    }
    return held
  }

  function ignoredBy(known: KnownUrl, reading: Reading): Fields {
    reading.ignored ??= ignoredField(reader.scan(searchOf(known.target), reading.strict).unknown, reader.names)
    return reading.ignored
  }

  function tagOf(reading: Reading, answerValidUntil: number, now: number): string {
    const edition = answers.edition()
    const validUntil = endpoint.daily ? Math.min(answerValidUntil, endOfDay(now) + 1) : answerValidUntil
    let { tag } = reading
    if (tag === undefined || tag.edition !== edition || tag.validUntil !== validUntil) {
      tag = { text: makeETag(edition, reading.hash, validUntil), edition, validUntil }
      reading.tag = tag
    }
    return tag.text
  }

  function keyedFields(
    req: ApiRequest,
    id: string,
    key: KnownKey | undefined,
    admission: Admission | undefined,
    now: number,
    refunded: boolean,
  ): Fields {
    const fields = responder.fields(req, id, key?.origins === undefined ? undefined : req.headers.origin)
    return admission === undefined ? fields : fields + quotaFields(admission, now, refunded)
  }

  function sendNotModified(
    req: ApiRequest,
    res: ApiResponse,
    id: string,
    key: KnownKey,
    admission: Admission,
    now: number,
    etag: string,
    ignored: Fields,
  ): void {
    meter.refund(key)
    const fields = keyedFields(req, id, key, admission, now, true)
    responder.sendEmpty(res, 304, `${fields}${CACHE_CONTROL}ETag: ${etag}\r\n${ignored}`)
  }

  function notFound(): ApiError {
    const message = endpoint.notFound ?? 'There is nothing at this path.'
    return new ApiError('not_found', message, pathParameter === undefined ? {} : { parameter: pathParameter })
  }
}

function asksForStrictHandling(prefer: string | string[] | undefined): boolean {
  return prefer !== undefined && /(?:^|[,;\s])handling\s*=\s*"?strict"?\s*(?:$|[,;])/i.test(String(prefer))
}

function tryLater(code: 'overloaded' | 'unavailable', message: string, seconds: number): ApiError {
  return new ApiError(code, message, {
    headers: ['Retry-After', String(seconds)],
    extras: { retryAfter: seconds },
  })
}
