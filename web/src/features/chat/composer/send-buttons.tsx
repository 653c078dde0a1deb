import { t } from '@lingui/core/macro'
import { ArrowUp } from 'lucide-react'
import { Button } from '../../../components/ui/button.tsx'
import { Tooltip } from '../../../components/ui/tooltip.tsx'
import { useConversationState, type Conversation } from '../state/conversation.ts'
import type { ComposerState } from './use-composer.ts'

interface SendButtonsProps {
  conversation: Conversation
  composer: ComposerState
}

/** Stop, while a reply is pending, and Send. While a reply is pending and nothing is written there is only Stop. */
export function SendButtons({ conversation, composer }: SendButtonsProps) {
  const { isBlank, isReachable, isReplying, blocker, awaitsUploads } = composer
  const isStopping = useConversationState(conversation, ({ pending }) => pending.phase === 'stopping')
  const sendLabel = isReplying ? t`Send after this reply` : t`Send`
  return (
    <>
      {isReplying && (
        <Tooltip text={isStopping ? t`Stopping` : t`Stop (Esc)`} namesEscape side="top">
          <Button variant="outline" aria-label={t`Stop`} {...composer.stopProps} size="icon">
            <svg aria-hidden width={12} height={12} className={isStopping ? 'animate-breathe' : undefined}>
              <rect width={12} height={12} rx={2.5} fill="currentColor" />
            </svg>
          </Button>
        </Tooltip>
      )}
      {!(isReplying && isBlank) && (
        <Tooltip text={!isReachable ? t`You are offline` : (blocker?.reason ?? sendLabel)} side="top">
          <Button
            variant="primary"
            aria-label={sendLabel}
            {...composer.sendProps}
            busy={awaitsUploads}
            size="icon"
          >
            {!awaitsUploads && <ArrowUp aria-hidden size={20} strokeWidth={1.75} />}
          </Button>
        </Tooltip>
      )}
    </>
  )
}
