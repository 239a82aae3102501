import type { SourceAttribution } from '../model/source.ts'
import type { Page } from './page.ts'
import { JSON_TYPE } from './responder.ts'

/** What sources of the catalog want to be shown, for programs: pages that show data of theirs have to show it too. */
export function attributionsPage(attributions: readonly SourceAttribution[]): Page {
  return { contentType: JSON_TYPE, body: JSON.stringify(attributions), cacheControl: 'public, max-age=300' }
}
