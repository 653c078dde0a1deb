import { Info } from 'lucide-react'
import type { ReplyNotice } from '#shared/contracts/chat.ts'

/** What a reply went without, above its text, so that nobody takes the reply for more than it is. */
export function ReplyNotices({ notices }: { notices: readonly ReplyNotice[] }) {
  return notices.map(({ code, text }) => (
    <p
      key={code}
      role="note"
      className="flex gap-2 rounded-sm bg-surface-hover px-3 py-2.5 text-sm text-ink-muted"
    >
      <Info aria-hidden size={16} className="mt-0.5 shrink-0 text-ink-faint" />
      {text}
    </p>
  ))
}
