import clsx from 'clsx'
import { visibly } from './hidden-characters.ts'
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
    <dl className="grid grid-cols-[fit-content(40%)_minmax(0,1fr)] gap-x-4 gap-y-1 font-mono text-[12.5px]">
      {Object.entries(value).map(([name, each]) => (
        <div key={name} className="contents">
          <dt className="whitespace-pre-wrap text-ink-muted [overflow-wrap:anywhere]">{visibly(name)}</dt>
          <dd className="[overflow-wrap:anywhere]">
            <LongText text={whole ? wholeValue(each) : shortValue(each)} whole={whole} />
          </dd>
        </div>
      ))}
    </dl>
  )
}

export function LongText({ text, whole = false }: { text: string; whole?: boolean }) {
  const cut = !whole && text.length > maxCharacters ? `${text.slice(0, maxCharacters)}...` : text
  return (
    <span
      className={clsx(
        'block whitespace-pre-wrap [overflow-wrap:anywhere]',
        // what is agreed to is not scrolled out of sight: the buttons come after its end
        !whole && 'max-h-60 overflow-y-auto',
      )}
    >
      {visibly(cut)}
    </span>
  )
}

/** Nothing and an empty text are values, too. */
const wholeValue = (value: unknown): string =>
  value === null || value === '' ? JSON.stringify(value) : shortValue(value)
