import type { ComponentChildren } from 'preact'

/** A group of filters under its name. */
export function FilterGroup({ label, children }: { label: string; children: ComponentChildren }) {
  return (
    <fieldset class="filter-group">
      <legend>{label}</legend>
      {children}
    </fieldset>
  )
}
