import { useQueryClient } from '@tanstack/react-query'
import { ChevronLeft, ChevronRight } from 'lucide-react'
import { useRef, useState, type ReactNode } from 'react'
import { IconButton } from '../../../components/ui/icon-button.tsx'
import { showToast } from '../../../components/ui/toast.ts'
import { errorMessage } from '../../../lib/api-errors.ts'
import type { ChatMessage } from '../state/chat-message.ts'
import { showVersion } from '../state/show-version.ts'

/** A button that cannot be used keeps the focus, and its tooltip tells why. */
const unavailableLook =
  'max-sm:size-11! aria-disabled:cursor-not-allowed aria-disabled:bg-transparent! aria-disabled:text-ink-disabled!'
const replyReason = 'Wait for the reply, or stop it, to see other versions.'

/**
 * Which version of a message is shown, and the way to the others. The number changes at once; the messages follow with the server's
 * answer. Who presses several times gets the last version asked for.
 */
export function VersionSwitcher({
  message: { id, session_id: sessionId, versions },
  replying,
}: {
  message: ChatMessage
  /** a reply is awaited or written: the server shows no other branch meanwhile */
  replying: boolean
}) {
  const queryClient = useQueryClient()
  const [wanted, setWanted] = useState<number>()
  const newest = useRef<number>(undefined)
  if (!versions) return null
  const { count } = versions
  const shown = Math.min(wanted ?? versions.shown, count)

  const show = async (version: number) => {
    const isRunning = newest.current !== undefined
    newest.current = version
    setWanted(version)
    if (isRunning) return
    try {
      for (let done: number | undefined; done !== newest.current;) {
        done = newest.current
        await showVersion(queryClient, { sessionId, messageId: id, version: done })
      }
    } catch (error) {
      showToast('error', 'This version could not be shown', { description: errorMessage(error) })
    }
    newest.current = undefined
    setWanted(undefined)
  }

  const button = (label: string, icon: ReactNode, version: number, limit: string) => {
    const reason = replying ? replyReason : version < 1 || version > count ? limit : undefined
    return (
      <IconButton
        size="sm"
        label={label}
        icon={icon}
        aria-disabled={reason !== undefined}
        {...(reason !== undefined && { description: reason })}
        className={unavailableLook}
        onClick={() => {
          if (reason === undefined) void show(version)
        }}
      />
    )
  }
  return (
    <div
      role="group"
      aria-label="Versions of this message"
      aria-busy={wanted !== undefined || undefined}
      className="flex items-center gap-0.5 text-xs text-ink-muted tabular-nums max-sm:-mr-3.5 print:hidden"
    >
      {button('Previous version', <ChevronLeft size={16} />, shown - 1, 'This is the first version.')}
      <span role="status">
        {shown} of {count}
      </span>
      {button('Next version', <ChevronRight size={16} />, shown + 1, 'This is the newest version.')}
    </div>
  )
}
