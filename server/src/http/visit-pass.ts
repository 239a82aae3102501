import type { IncomingMessage } from 'node:http'
import type { Clock } from '../lib/clock.ts'
import { setCookie } from './cookies.ts'
import { PASS_COOKIE, PASS_SECONDS, type PagePasses } from './page-pass.ts'

/** What giving passes to visitors needs. */
export interface PassDeps {
  /** Undefined where pages are let in without one. */
  readonly passes: PagePasses | undefined
  readonly secureCookies: boolean
  readonly clock: Clock
}

/** The pass of a visit, if there are any, and the headers that give it to a visitor who has none. */
export function passForVisit(
  req: IncomingMessage,
  { passes, secureCookies, clock }: PassDeps,
): { readonly pass: string | undefined; readonly headers: readonly string[] } {
  if (passes === undefined) return { pass: undefined, headers: [] }
  const { pass, isNew } = passes.forVisit(req, clock())
  const cookie = setCookie(PASS_COOKIE, pass, { seconds: PASS_SECONDS, secure: secureCookies })
  return { pass, headers: isNew ? ['Set-Cookie', cookie] : [] }
}
