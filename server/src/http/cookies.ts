import { parse, serialize } from 'cookie'

/** One cookie of a request. */
export function readCookie(header: string | undefined, name: string): string | undefined {
  return header === undefined ? undefined : parse(header)[name]
}

/** A cookie that scripts cannot read and other sites cannot send; `seconds` of 0 takes it away. */
export function setCookie(
  name: string,
  value: string,
  { seconds, secure }: { readonly seconds: number; readonly secure: boolean },
): string {
  return serialize(name, value, { path: '/', httpOnly: true, sameSite: 'lax', maxAge: seconds, secure })
}
