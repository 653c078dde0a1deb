import { t } from '@lingui/core/macro'
import { useId, useSyncExternalStore } from 'react'
import { truncate } from '#shared/truncate.ts'
import { listDrafts, readDraftPart } from '../../lib/drafts.ts'
import { subscribeToInputs } from '../../lib/inputs.ts'

/** Chats of this browser whose first message the service does not have: only their address leads to them otherwise. */
export function UnsentChats({
  listed,
  onSelect,
}: {
  listed: ReadonlySet<string>
  onSelect: (id: string) => void
}) {
  const headingId = useId()
  const stored = useSyncExternalStore(subscribeToInputs, readUnsent)
  const chats = (JSON.parse(stored) as [string, string][]).filter(([id]) => !listed.has(id))
  if (chats.length === 0) return null
  return (
    <section aria-labelledby={headingId} className="px-2">
      <h3 id={headingId} className="px-3 pt-4 pb-1.5 text-xs font-medium text-ink-faint">
        {t`Not sent`}
      </h3>
      <ul aria-labelledby={headingId}>
        {chats.map(([id, text]) => (
          <li key={id}>
            <button
              type="button"
              dir="auto"
              onClick={() => onSelect(id)}
              className="block h-10 w-full truncate rounded-md px-3 text-start font-medium hover:bg-surface-hover focus-visible:-outline-offset-2 max-sm:h-11"
            >
              {text}
            </button>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** @returns ids and first texts as JSON, which changes only with them. Other users' drafts were removed at the sign-in. */
function readUnsent(): string {
  const chats = listDrafts().flatMap((key) => {
    const [first] = [readDraftPart(key, 'unacknowledged')].flat()
    const { content, after } = Object(first) as { content?: unknown; after?: unknown }
    // a message after another one belongs to a stored chat
    const isFirst = typeof content === 'string' && (after ?? '') === ''
    return isFirst ? [[key.slice(key.indexOf('/') + 1), truncate(content.trim(), 200) || t`Files only`]] : []
  })
  return JSON.stringify(chats)
}
