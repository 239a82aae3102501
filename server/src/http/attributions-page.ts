import type { SourceAttribution } from '../model/attribution.ts'
import type { Page } from './page.ts'
import { JSON_TYPE } from './responder.ts'

/** What sources want to be said, for programs: web pages that show data of the catalog have to show this beside it. */
export function attributionsPage(attributions: readonly SourceAttribution[]): Page {
  return { contentType: JSON_TYPE, body: JSON.stringify(attributions), cacheControl: 'public, max-age=300' }
}
