import { t } from '@lingui/core/macro'
import { Unplug } from 'lucide-react'
import { use } from 'react'
import { describeReconnectReason } from '#shared/reconnect-reason.ts'
import { ReconnectContext } from './reconnect-context.ts'
import { revealHiddenCharacters } from '../../../lib/hidden-characters.ts'
import { CardFrame, type ApprovalCardProps } from './card-frame.tsx'
import { DenyButton } from './decision-buttons.tsx'
import { translateSentence } from '../../../lib/translate.ts'

const explainReconnect = (reason: string) => t`${reason} Once it is connected again, this reply continues.`

/** Asks to reconnect an integration; the reply continues once it is connected. */
export function ReconnectCard({
  approval,
  assistantName,
  error,
  isFirst,
  pendingDecision,
  onDecide,
}: ApprovalCardProps) {
  const reconnect = use(ReconnectContext)
  const name = revealHiddenCharacters(approval.integration ?? approval.title)
  const reason = approval.reconnect
    ? translateSentence(describeReconnectReason(name, approval.reconnect))
    : t`${assistantName} no longer has access to ${name}.`
  return (
    <CardFrame
      icon={Unplug}
      tone="warning"
      title={t`${name} has to be connected again`}
      description={approval.mcp_id === null ? reason : explainReconnect(reason)}
      error={error}
      isFirst={isFirst}
      buttons={
        <>
          {approval.mcp_id !== null &&
            reconnect({
              mcpId: approval.mcp_id,
              name,
              since: approval.asked_at,
              needsKey: approval.reconnect?.kind === 'key_rejected',
              isDeciding: pendingDecision !== undefined,
              onConnected: () => onDecide({ approved: true }),
            })}
          <DenyButton variant="ghost" pendingDecision={pendingDecision} onDecide={onDecide}>
            {t`Not now`}
          </DenyButton>
        </>
      }
    />
  )
}
