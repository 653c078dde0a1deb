import { t } from '@lingui/core/macro'
import { Globe } from 'lucide-react'
import { Button } from '../../../components/ui/button.tsx'
import { revealHiddenCharacters } from '../../../lib/text/hidden-characters.ts'
import { formatList } from '../../../lib/text/locale.ts'
import { isReadPage, toPageUrl } from '../calls/page-calls.ts'
import { useConversationState } from '../state/conversation.ts'
import { CardFrame, type ApprovalCardProps } from './card-frame.tsx'
import { ApproveButton, DenyButton } from './decision-buttons.tsx'
import { describeRequest, findOthersAssistant } from './request-details.tsx'

/** Shorter parts, such as a year or `en`, stand in any chat. */
const minPartCharacters = 5

/** The parts of an address behind its host that also stand in the chat: what it tells its host of it. */
export function findKnownParts(address: string, texts: readonly string[]): string[] {
  const url = toPageUrl(address)
  const parts = url ? [...url.pathname.split('/').map(decode), ...url.searchParams.values()] : []
  const all = texts.join('\n').toLowerCase()
  return [
    ...new Set(parts.filter((part) => part.length >= minPartCharacters && all.includes(part.toLowerCase()))),
  ]
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

/** Asks whether a page may be opened whose address nobody has typed; shows all of the address. */
export function PageCard({
  conversation,
  approval,
  assistantName,
  error,
  isFirst,
  pendingDecision,
  onDecide,
}: ApprovalCardProps) {
  const { url: given } = approval.arguments
  const address = typeof given === 'string' ? given : ''
  const messages = useConversationState(conversation, (state) => state.messages)
  const typed = messages.flatMap(({ content, role }) => (role === 'user' ? content : []))
  const parts = findKnownParts(address, typed).map((part) => t`“${{ name: revealHiddenCharacters(part) }}”`)
  const url = toPageUrl(address)
  const isDeciding = pendingDecision !== undefined
  return (
    <CardFrame
      icon={Globe}
      title={t`Open this page?`}
      summary={url?.host}
      description={describeRequest(approval, assistantName)}
      error={error}
      isFirst={isFirst}
      buttons={
        <>
          <ApproveButton pendingDecision={pendingDecision} onApprove={() => onDecide({ approved: true })} />
          <DenyButton
            pendingDecision={pendingDecision}
            onDecide={onDecide}
            className="max-sm:flex-[2_1_25%]"
          />
          {isReadPage(approval) && !findOthersAssistant(approval) && (
            <Button
              variant="ghost"
              className="sm:ms-auto max-sm:me-auto"
              busy={pendingDecision === 'always'}
              disabled={isDeciding && pendingDecision !== 'always'}
              onClick={() => onDecide({ approved: true, always: true })}
            >
              {pendingDecision === 'always' ? t`Approving…` : t`Always for this host`}
            </Button>
          )}
        </>
      }
    >
      <dl className="grid grid-cols-[4.5rem_minmax(0,1fr)] gap-y-2 rounded-md bg-surface-hover px-3.5 py-3 max-sm:grid-cols-1">
        <dt className="text-sm text-ink-muted">{t`Host`}</dt>
        <dd dir="ltr" className="font-semibold wrap-anywhere">
          {url?.host ?? revealHiddenCharacters(address)}
        </dd>
        <dt className="text-sm text-ink-muted">{t`Address`}</dt>
        <dd className="min-w-0">
          <span dir="ltr" className="block font-mono text-[13px] wrap-anywhere">
            {revealHiddenCharacters(address)}
          </span>
          {parts.length > 0 && (
            <p className="mt-1 text-sm text-warning-ink wrap-anywhere">
              {t`Also in your chat: ${{ parts: formatList(parts) }}`}
            </p>
          )}
        </dd>
      </dl>
    </CardFrame>
  )
}
