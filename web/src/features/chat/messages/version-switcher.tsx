import { t } from '@lingui/core/macro'
import { useQueryClient } from '@tanstack/react-query'
import clsx from 'clsx'
import { ChevronLeft, ChevronRight } from 'lucide-react'
import { useRef, useState } from 'react'
import { useActionMutation } from '../../../components/use-action.ts'
import { formatCount } from '../../../lib/text/locale.ts'
import type { ChatMessage } from '../state/chat-message.ts'
import { showVersion } from './cache-session-read.ts'
import { StepButton } from '../step-button.tsx'

/**
 * Switches between the versions of a message. The number changes at once, the messages with the response. Of several presses the last one
 * wins; a failure cancels those that wait. Renders nothing for a message without versions.
 */
export function VersionSwitcher({
  message: { id, session_id: sessionId, versions },
  isReplying,
  className,
}: {
  message: ChatMessage
  /** whether a reply is pending: the server refuses to switch then */
  isReplying: boolean
  className?: string
}) {
  const queryClient = useQueryClient()
  const [requestedVersion, setRequestedVersion] = useState<number>()
  /** the version of the newest press; earlier presses that still wait are dropped */
  const newestRequest = useRef<number>(undefined)
  const { isBusy, start } = useActionMutation(`version ${sessionId}`, {
    isQueued: true,
    run: async (version: number) => {
      if (version === newestRequest.current)
        await showVersion(queryClient, { sessionId, messageId: id, version })
    },
    onError: (error, _version, { notify }) => {
      newestRequest.current = undefined
      notify('error', t`This version could not be shown`, { error })
    },
  })
  if (!versions) return null
  const { count } = versions
  const isSwitching = isBusy && requestedVersion !== undefined
  const shownVersion = Math.min(isSwitching ? requestedVersion : versions.shown, count)

  const switchTo = (version: number) => {
    newestRequest.current = version
    setRequestedVersion(version)
    start(version)
  }

  const busyReason = isReplying ? t`Wait for the reply, or stop it, to see other versions.` : undefined
  return (
    <div
      role="group"
      aria-label={t`Versions of this message`}
      aria-busy={isSwitching || undefined}
      className={clsx(
        'flex items-center gap-0.5 text-xs text-ink-muted tabular-nums print:hidden',
        className,
      )}
    >
      <StepButton
        label={t`Previous version`}
        icon={<ChevronLeft size={16} />}
        blockedReason={busyReason ?? (shownVersion <= 1 ? t`This is the first version.` : undefined)}
        onPress={() => switchTo(shownVersion - 1)}
      />
      <span role="status">{t`${{ version: formatCount(shownVersion) }} of ${{ count: formatCount(count) }}`}</span>
      <StepButton
        label={t`Next version`}
        icon={<ChevronRight size={16} />}
        blockedReason={busyReason ?? (shownVersion >= count ? t`This is the newest version.` : undefined)}
        onPress={() => switchTo(shownVersion + 1)}
      />
    </div>
  )
}
