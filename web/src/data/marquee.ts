import { Marquee } from 'marquee-client'
import { fetchWithPass } from './page-pass.ts'

/** Where the API is: beside the page. The service, when it renders one, has no page, and fetches nothing either. */
const baseUrl = globalThis.location === undefined ? 'http://localhost/v4' : '/v4'

/** The client that all pages ask through. Pages have no key: they carry a pass that the service gives them. */
export const marquee = new Marquee({ baseUrl, fetch: fetchWithPass, timeout: 10_000, retries: 1 })
