import clsx from 'clsx'
import { truncate } from '#shared/truncate.ts'
import { revealHiddenCharacters } from '../../../lib/text/hidden-characters.ts'
import { formatValue } from './tool-summary.ts'

/** Longer texts are truncated, except in approval requests. */
const maxCharacters = 4_000

/** The arguments of a call, each with its name. Hidden characters are revealed. */
export function ArgumentList({
  value,
  isComplete = false,
}: {
  value: Record<string, unknown>
  /** whether values are never truncated, because the user approves what is shown */
  isComplete?: boolean
}) {
  return (
    <dl className="grid grid-cols-[fit-content(40%)_minmax(0,1fr)] gap-x-4 gap-y-1 font-mono text-[12.5px]">
      {Object.entries(value).map(([name, argument]) => (
        <div key={name} className="contents">
          <dt className="whitespace-pre-wrap text-ink-muted wrap-anywhere">{revealHiddenCharacters(name)}</dt>
          <dd className="wrap-anywhere">
            <LongText
              text={isComplete ? formatCompleteValue(argument) : formatValue(argument)}
              isComplete={isComplete}
            />
          </dd>
        </div>
      ))}
    </dl>
  )
}

/** A text that may be long: it is truncated and scrolls unless it has to be complete. */
export function LongText({ text, isComplete = false }: { text: string; isComplete?: boolean }) {
  const shownText = !isComplete && text.length > maxCharacters ? `${truncate(text, maxCharacters)}...` : text
  return (
    <span
      className={clsx(
        'block whitespace-pre-wrap wrap-anywhere',
        // approval cards do not scroll: the buttons follow the end of the text
        !isComplete && 'max-h-60 overflow-y-auto',
      )}
    >
      {revealHiddenCharacters(shownText)}
    </span>
  )
}

/** Shows null and empty strings as JSON. */
const formatCompleteValue = (value: unknown): string =>
  value === null || value === '' ? JSON.stringify(value) : formatValue(value)
