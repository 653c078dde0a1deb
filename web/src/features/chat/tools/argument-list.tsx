import { shortValue } from './tool-summary.ts'

const maxCharacters = 4_000

/** Named values, one below the other. */
export function ArgumentList({
  value,
  whole = false,
}: {
  value: Record<string, unknown>
  /** nothing is left out: what is shown is what is agreed to */
  whole?: boolean
}) {
  return (
    <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1 font-mono text-[12.5px]">
      {Object.entries(value).map(([name, each]) => (
        <div key={name} className="contents">
          <dt className="text-ink-muted">{name}</dt>
          <dd className="[overflow-wrap:anywhere]">
            <LongText text={shortValue(each)} whole={whole} />
          </dd>
        </div>
      ))}
    </dl>
  )
}

export function LongText({ text, whole = false }: { text: string; whole?: boolean }) {
  const cut = !whole && text.length > maxCharacters ? `${text.slice(0, maxCharacters)}...` : text
  return (
    <span className="block max-h-60 overflow-y-auto whitespace-pre-wrap [overflow-wrap:anywhere]">
      {visibly(cut)}
    </span>
  )
}

/** Characters that turn or hide others are shown as what they are: a text must read as it will be used. */
export const visibly = (text: string): string =>
  text.replace(
    /[\u200b\u2060\ufeff\u202a-\u202e\u2066-\u2069]/g,
    (character) => `[U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}]`,
  )
