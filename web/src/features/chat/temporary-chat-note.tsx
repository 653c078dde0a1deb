import { t } from '@lingui/core/macro'
import { EyeOff } from 'lucide-react'

/** Says above the composer that a chat is temporary, and what is stored of it. */
export function TemporaryChatNote() {
  return (
    <p role="note" className="flex items-center gap-1.5 px-1 pb-2 text-xs text-ink-muted">
      <EyeOff aria-hidden size={14} className="shrink-0 text-ink-faint" />
      {t`This chat is temporary. It is gone when you leave or reload the page. While a reply waits for you, the server stores what it needs to continue.`}
    </p>
  )
}
