import { Marquee } from 'marquee-client'
import type { Plugin } from 'vite'
import type { Question } from '../src/data/question.ts'
import { FIRST_QUESTIONS } from '../src/first-questions.ts'
import { LANGUAGES, type Language } from '../src/i18n/language.ts'
import { PAGE_PATHS } from '../src/paths.ts'

/** Stand in a request for what is known only when a page is opened. */
const UNKNOWN = { country: '{country}', language: '{language}' as Language, rest: '{rest}' }

/** Tells the service, in `site.json`, what it has to know of the pages to serve them. */
export const describeSite: Plugin = {
  name: 'describe-site',
  async generateBundle(_options, bundle) {
    const languages = Object.keys(LANGUAGES)
    const texts = Object.values(bundle).flatMap((file) =>
      file.type === 'chunk' && file.name.startsWith('texts-') ? [[file.name.slice(6), `/${file.fileName}`]] : [],
    )
    const site = { paths: PAGE_PATHS, languages, texts: Object.fromEntries(texts), requests: await firstRequests() }
    this.emitFile({ type: 'asset', fileName: 'site.json', source: `${JSON.stringify(site, undefined, 2)}\n` })
  },
}

/** The requests that the first questions of each page make, as the client makes them. */
async function firstRequests(): Promise<Record<string, string[]>> {
  const requests: Record<string, string[]> = {}
  for (const [path, questionsOf] of Object.entries(FIRST_QUESTIONS))
    requests[path] = await Promise.all(questionsOf(UNKNOWN).map(requestOf))
  return requests
}

async function requestOf({ key, ask }: Question<unknown>): Promise<string> {
  let request: string | undefined
  const fetch = async (url: RequestInfo | URL): Promise<Response> => {
    const { pathname, search } = new URL(String(url))
    request = decodeURIComponent(pathname + search)
    throw new Error('Only the address is wanted')
  }
  await ask(new AbortController().signal, new Marquee({ baseUrl: 'http://localhost/v4', fetch, retries: 0 })).catch(
    () => {},
  )
  if (request === undefined) throw new Error(`The question "${key}" makes no request`)
  return request
}
