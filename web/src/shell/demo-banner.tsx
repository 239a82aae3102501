import { catalogFacts } from '../data/catalog-facts.ts'
import { shellMessages } from './messages.ts'

/** Says of the demo catalog, on every page, that its availability is invented; on a phone in fewer words. */
export function DemoBanner() {
  const { demo, demoShort } = shellMessages.current
  if (!catalogFacts.value.isDemo) return null
  return (
    <aside class="demo-banner">
      <p class="page">
        <span class="demo-banner-long">{demo}</span>
        <span class="demo-banner-short">{demoShort}</span>
      </p>
    </aside>
  )
}
