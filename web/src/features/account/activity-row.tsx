import { plural, t } from '@lingui/core/macro'
import { ChevronRight, CircleCheck, CircleMinus, CircleX } from 'lucide-react'
import { useId, useState } from 'react'
import type { LedgerEntry } from '#shared/contracts/tools.ts'
import { getOwn } from '#shared/get-own.ts'
import { formatDateTime } from '../../lib/text/dates.ts'
import { formatServerText } from '../../lib/text/hidden-characters.ts'
import { translateName } from '../../lib/text/translate-name.ts'
import { translateSentences } from '../../lib/text/translate-sentences.ts'

/** How a call was allowed. A later release may have written another value, of which nothing is said. */
const approvalLabels: Record<LedgerEntry['allowed'], string> = {
  reading: t`Only reads`,
  approved: t`You approved it`,
  always: t`Always allowed`,
  // not “You denied it”: a call is also denied when an approval comes too late, or when nobody can be asked
  denied: t`Denied`,
}

/** Denied calls are neither green nor red. */
const outcomes = {
  ok: { label: t`Succeeded`, Icon: CircleCheck, colour: 'text-success' },
  denied: { label: t`Denied`, Icon: CircleMinus, colour: 'text-ink-muted' },
  failed: { label: t`Failed`, Icon: CircleX, colour: 'text-danger' },
}

/** One tool call: outcome, tool, time and approval; expanded also its arguments, its error and the size of its result. */
export function ActivityRow({ entry }: { entry: LedgerEntry }) {
  const { at, title, integration, success, allowed } = entry
  const [isOpen, setIsOpen] = useState(false)
  const id = useId()
  const name = [...(integration === null ? [] : [integration]), translateName(title)]
  const failure = allowed === 'denied' ? 'denied' : 'failed'
  const { label, Icon, colour } = outcomes[success ? 'ok' : failure]
  const approval = getOwn(approvalLabels, allowed)
  return (
    <li>
      <button
        type="button"
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        onClick={() => setIsOpen(!isOpen)}
        className="-mx-2 grid w-[calc(100%+1rem)] grid-cols-[16px_minmax(0,1fr)_auto] items-center gap-x-3 rounded-sm px-2 py-2 text-start hover:bg-surface-hover"
      >
        <Icon size={16} role="img" aria-label={label} className={colour} />
        <span className="min-w-0">
          <span className="block truncate font-medium">{name.map(formatServerText).join(' · ')}</span>
          <span className="block truncate text-sm text-ink-muted">
            <time dateTime={at}>{formatDateTime(new Date(at))}</time>
            {approval !== undefined && ` · ${approval}`}
          </span>
        </span>
        <ChevronRight aria-hidden size={16} className={isOpen ? 'rotate-90 rtl:-rotate-90' : undefined} />
      </button>
      {isOpen && <Details id={id} entry={entry} />}
    </li>
  )
}

function Details({ id, entry }: { id: string; entry: LedgerEntry }) {
  const { arguments: args, error, codes, result_size: size } = entry
  return (
    <dl
      id={id}
      className="mb-3 ms-7 grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1 text-sm [&_dd]:whitespace-pre-wrap [&_dd]:wrap-anywhere [&_dt]:text-ink-muted"
    >
      {args === null ? (
        <Detail name={t`Arguments`} value={t`Not stored: this was a temporary chat`} />
      ) : (
        Object.entries(args).map(([name, value]) => (
          <Detail key={name} name={name} value={typeof value === 'string' ? value : JSON.stringify(value)} />
        ))
      )}
      {error !== null && <Detail name={t`Error`} value={translateSentences(error, codes)} />}
      <Detail
        name={t`Result`}
        value={plural({ count: size }, { one: '# character', other: '# characters' })}
      />
    </dl>
  )
}

function Detail({ name, value }: { name: string; value: string }) {
  return (
    <>
      <dt>{formatServerText(name)}</dt>
      <dd className="max-h-40 overflow-y-auto">{formatServerText(value)}</dd>
    </>
  )
}
