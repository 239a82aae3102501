import { Prose } from './prose.tsx'

/** What a status can mean: the description names a code and its meaning one after the other, here each has its line. */
export function ErrorCodes({ text = '' }: { text: string | undefined }) {
  return (
    <ul>
      {text.split(/(?=`\w+`: )/).map((line) => (
        <li key={line}>
          <Prose text={line} />
        </li>
      ))}
    </ul>
  )
}
