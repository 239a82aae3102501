import type { Page } from 'playwright-core'

/** Somebody who uses the pages for developers. */
export interface Person {
  readonly email: string
  readonly password: string
}

let people = 0

/** Somebody whom the service does not know yet. */
export function aPerson(): Person {
  people++
  return { email: `person-${people}@example.com`, password: `a long enough password ${people}` }
}

/** A key that was made, with its secret. */
export interface MadeKey {
  readonly key: string
  readonly record: { readonly id: string; readonly name: string; readonly hint: string }
}

/** Sends a request as the page itself would, with its cookies. */
export async function send<T>(page: Page, method: string, path: string, body?: object): Promise<T> {
  return page.evaluate(
    async ([verb, where, json]) => {
      const { csrfToken } = await (await fetch('/platform/session')).json()
      const headers = {
        ...(json !== undefined && { 'Content-Type': 'application/json' }),
        ...(csrfToken !== undefined && { 'X-CSRF-Token': csrfToken }),
      }
      const response = await fetch(`/platform${where}`, { method: verb, headers, body: json ?? null })
      if (!response.ok) throw new Error(`${verb} ${where}: ${response.status} ${await response.text()}`)
      return response.json()
    },
    [method, path, body === undefined ? undefined : JSON.stringify(body)] as const,
  )
}

/** Signs somebody up who has a key, without the forms. */
export async function signUpWithKey(page: Page, person: Person, key: object = { name: 'my app' }): Promise<MadeKey> {
  await send(page, 'POST', '/sign-up', person)
  return send<MadeKey>(page, 'POST', '/keys', key)
}
