import { t } from '@lingui/core/macro'
import { useId, useSyncExternalStore } from 'react'
import { truncate } from '#shared/truncate.ts'
import { listDrafts, readDraftPart } from '../../lib/input/drafts.ts'
import { subscribeToInputs } from '../../lib/input/inputs.ts'

/** What a line shows of a message at most: more than fits into it. */
const maxLineCharacters = 200

interface UnsentChat {
  id: string
  /** the beginning of its first message */
  text: string
}

/** Chats of this browser whose first message the service has not acknowledged: only their address leads to them otherwise. */
export function UnsentChats({
  listed,
  onSelect,
}: {
  /** ids of the conversations that are shown elsewhere */
  listed: ReadonlySet<string>
  onSelect: (id: string) => void
}) {
  const headingId = useId()
  const stored = useSyncExternalStore(subscribeToInputs, readUnsent)
  const chats = (JSON.parse(stored) as UnsentChat[]).filter(({ id }) => !listed.has(id))
  if (chats.length === 0) return null
  return (
    <section aria-labelledby={headingId} className="px-2">
      <h3 id={headingId} className="px-3 pt-4 pb-1.5 text-xs font-medium text-ink-faint">
        {t`Not sent`}
      </h3>
      <ul aria-labelledby={headingId}>
        {chats.map(({ id, text }) => (
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

/** @returns the unsent chats as JSON: a snapshot that is equal until they change. Other users' drafts were removed at the sign-in. */
const readUnsent = (): string => JSON.stringify(listDrafts().flatMap((key) => readUnsentChat(key) ?? []))

/** @param key of a draft, `<user id>/<conversation id>`. @returns undefined if its conversation is stored, or nothing of it was sent */
function readUnsentChat(key: string): UnsentChat | undefined {
  const stored = readDraftPart(key, 'unacknowledged')
  // earlier releases stored one message, not a list
  const message: unknown = Array.isArray(stored) ? stored[0] : stored
  const { content, after } = Object(message) as { content?: unknown; after?: unknown }
  // a message after another one belongs to a stored chat
  if (typeof content !== 'string' || (after ?? '') !== '') return undefined
  const id = key.slice(key.indexOf('/') + 1)
  return { id, text: truncate(content.trim(), maxLineCharacters) || t`Files only` }
}
