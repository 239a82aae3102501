import { Marquee } from 'marquee-client'
import { fetchWithPass } from './page-pass.ts'

/** The client that all pages ask through. Pages have no key: they carry a pass that the service gives them. */
export const marquee = new Marquee({ baseUrl: '/v4', fetch: fetchWithPass, timeout: 10_000, retries: 1 })
