import { t } from '@lingui/core/macro'
import clsx from 'clsx'
import { ChevronRight } from 'lucide-react'
import { useId, useState } from 'react'
import type { Reasoning } from '#shared/contracts/chat.ts'
import { TextWithBold } from '../markdown/reply-text.tsx'

function formatThinkingTime(totalSeconds: number) {
  const minutes = Math.floor(totalSeconds / 60)
  const seconds = totalSeconds % 60
  return minutes === 0 ? t`Thought for ${seconds} s` : t`Thought for ${minutes} min ${seconds} s`
}

/**
 * The model's reasoning, collapsed into one line that the reader can open. Screen readers are not told: the thinking indicator tells them.
 * @param reasoning has `isActive` while the model is reasoning
 */
export function ReasoningLine({ reasoning }: { reasoning: Reasoning & { isActive?: boolean } }) {
  const [isOpen, setOpen] = useState(false)
  const id = useId()
  const { text, durationMs, isActive = false } = reasoning
  return (
    <div className="grid grid-cols-1 justify-items-start gap-1.5">
      <button
        type="button"
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        onClick={() => setOpen(!isOpen)}
        className="-ms-1.5 inline-flex min-h-6.5 items-center gap-1 rounded-sm px-1.5 text-ui text-ink-muted hover:text-ink max-sm:min-h-9 print:hidden"
      >
        <span className={clsx(isActive && 'motion-safe:animate-breathe')}>
          {isActive ? t`Thinking…` : describeReasoning(durationMs)}
        </span>
        <ChevronRight
          aria-hidden
          size={16}
          className={clsx(
            'shrink-0 transition-transform duration-(--duration-fast)',
            isOpen && 'rotate-90 rtl:-rotate-90',
          )}
        />
      </button>
      {isOpen && (
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

/** Says how long the model has thought; imported reasoning may have no duration. */
const describeReasoning = (durationMs: number) =>
  durationMs > 0 ? formatThinkingTime(Math.max(1, Math.round(durationMs / 1_000))) : t`Thoughts`
