import { catalogFacts } from '../data/catalog-facts.ts'
import { shellMessages } from './messages.ts'

/** Says of the demo catalog, on every page, that its availability is invented. */
export function DemoBanner() {
  if (!catalogFacts.value.isDemo) return null
  return (
    <aside class="demo-banner">
      <p class="page">{shellMessages.current.demo}</p>
    </aside>
  )
}
