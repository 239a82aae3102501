import { useEffect, useState } from 'preact/hooks'
import { TextField } from '../../ui/field.tsx'
import { useSettled } from '../../ui/use-settled.ts'

interface KeywordFilterProps {
  readonly label: string
  readonly keyword: string
  readonly onChange: (keyword: string) => void
}

/** A word that the shows have to do with. It counts once typing has paused. */
export function KeywordFilter({ label, keyword, onChange }: KeywordFilterProps) {
  const [draft, setDraft] = useState(keyword)
  const settled = useSettled(draft)
  useEffect(() => setDraft(keyword), [keyword])
  useEffect(() => {
    if (settled !== keyword) onChange(settled)
  }, [settled])
  return (
    <TextField label={label} type="search" value={draft} onInput={(event) => setDraft(event.currentTarget.value)} />
  )
}
