/** A text of the description, which is English whatever the language of the page; `code` in backticks is set as such. */
export function Prose({ text }: { text: string | undefined }) {
  if (text === undefined) return null
  return (
    <span lang="en">
      {text.split('`').map((part, place) => (place % 2 === 1 ? <code key={place}>{part}</code> : part))}
    </span>
  )
}
