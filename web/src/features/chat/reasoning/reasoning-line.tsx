import { t } from '@lingui/core/macro'
import clsx from 'clsx'
import { ChevronRight } from 'lucide-react'
import { useId, useState } from 'react'
import type { Reasoning } from '#shared/contracts/chat.ts'
import { TextWithBold } from '../markdown/reply-text.tsx'

function thoughtFor(duration: number) {
  const minutes = Math.floor(duration / 60)
  const seconds = duration % 60
  return minutes === 0 ? t`Thought for ${seconds} s` : t`Thought for ${minutes} min ${seconds} s`
}

/**
 * The model's reasoning, collapsed into one line. It announces nothing: the thinking indicator and the reply do.
 * @param reasoning `isActive` while the model is reasoning
 */
export function ReasoningLine({ reasoning }: { reasoning: Reasoning & { isActive?: boolean } }) {
  const [open, setOpen] = useState(false)
  const id = useId()
  const { text, durationMs, isActive = false } = reasoning
  return (
    <div className="grid grid-cols-1 justify-items-start gap-1.5">
      <button
        type="button"
        aria-expanded={open}
        aria-controls={open ? id : undefined}
        onClick={() => setOpen(!open)}
        className="-ms-1.5 inline-flex min-h-6.5 items-center gap-1 rounded-sm px-1.5 text-ui text-ink-muted hover:text-ink max-sm:min-h-9 print:hidden"
      >
        <span className={clsx(isActive && 'motion-safe:animate-breathe')}>
          {isActive ? t`Thinking…` : describe(durationMs)}
        </span>
        <ChevronRight
          aria-hidden
          size={16}
          className={clsx(
            'shrink-0 transition-transform duration-(--duration-fast)',
            open && 'rotate-90 rtl:-rotate-90',
          )}
        />
      </button>
      {open && (
        <div
          id={id}
          dir="auto"
          className="max-w-(--width-reading) border-s-2 border-line ps-3 text-sm text-ink-muted wrap-anywhere"
        >
          <TextWithBold text={text} />
        </div>
      )}
    </div>
  )
}

/** Imported thoughts may have no duration. */
const describe = (durationMs: number) =>
  durationMs > 0 ? thoughtFor(Math.max(1, Math.round(durationMs / 1_000))) : t`Thoughts`
