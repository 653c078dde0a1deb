import { plural, t } from '@lingui/core/macro'
import { Badge } from '../../../components/ui/badge.tsx'
import { Button } from '../../../components/ui/button.tsx'
import { announce } from '../../../lib/browser/announce.ts'
import { translateSentence } from '../../../lib/text/translate.ts'
import type { InvitedLine } from './use-invite-list.ts'

const describeCorrection = (count: number) =>
  plural(count, { one: 'Correct # and try again', other: 'Correct # and try again' })

/** The results in the order of the list. */
const statusOrder = ['invalid', 'already', 'invited'] as const
const statusText = { invalid: t`Not invited`, already: t`Already here or invited`, invited: t`Invited` }
const statusVariant = { invalid: 'danger', already: 'quiet', invited: 'success' } as const

/**
 * Tells of the results, which may be below the fold: their heading takes the focus from the button that was pressed, which is disabled now.
 * Focus that is elsewhere stays.
 */
function showHeading(heading: HTMLElement | null): void {
  if (document.activeElement?.matches(':disabled')) heading?.focus()
  else if (heading) announce(heading.textContent)
}

/** Each line with its result: first those that were not invited. */
export function InviteResults({
  lines,
  onCorrect,
}: {
  lines: readonly InvitedLine[]
  onCorrect: (wrong: readonly InvitedLine[]) => void
}) {
  const invited = lines.filter(({ status }) => status === 'invited').length
  const wrong = lines.filter(({ status }) => status === 'invalid')
  const sorted = lines.toSorted((a, b) => statusOrder.indexOf(a.status) - statusOrder.indexOf(b.status))
  return (
    <section className="mt-6 grid gap-3 border-t border-line pt-4">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h3
          ref={showHeading}
          tabIndex={-1}
          className="font-medium outline-none"
        >{t`${{ count: invited }} of ${{ all: lines.length }} invited`}</h3>
        {wrong.length > 0 && (
          <Button size="sm" variant="soft" onClick={() => onCorrect(wrong)}>
            {describeCorrection(wrong.length)}
          </Button>
        )}
      </div>
      <ol
        aria-label={t`Results`}
        // not every browser makes a scroller focusable
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        tabIndex={0}
        className="max-h-96 divide-y divide-line overflow-y-auto scroll-quiet"
      >
        {sorted.map((result, index) => (
          // a line may have several addresses, and a list the same address twice
          <li key={index} className="flex flex-wrap items-center gap-x-3 gap-y-1 py-2 text-sm">
            <span className="w-8 text-end text-ink-faint tabular-nums">{result.line}</span>
            <span className="min-w-0 flex-1 wrap-anywhere">
              <bdi>{result.email}</bdi>
            </span>
            <Badge variant={statusVariant[result.status]}>{statusText[result.status]}</Badge>
            {result.error !== undefined && (
              <span className="w-full ps-11 text-ink-muted">
                {translateSentence({ ...result, text: result.error })}
              </span>
            )}
          </li>
        ))}
      </ol>
    </section>
  )
}
