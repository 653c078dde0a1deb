import { t } from '@lingui/core/macro'
import { ShieldCheck } from 'lucide-react'
import { useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import type { ApprovalRequest } from '#shared/contracts/runs.ts'
import { Button } from '../../../components/ui/button.tsx'
import { Tooltip } from '../../../components/ui/tooltip.tsx'
import { revealHiddenCharacters } from '../../../lib/hidden-characters.ts'
import { MailFields } from './mail-fields.tsx'
import { describeRecipients, MailLetter } from './mail-letter.tsx'
import { isReadable, parseMail } from './mail.ts'
import { CardFrame, type ApprovalCardProps } from './card-frame.tsx'
import { ApproveButton, DenyButton } from './decision-buttons.tsx'
import { describeRequest, findOthersAssistant, RequestArguments, ServerHints } from './request-details.tsx'
import { translateName } from '../../../lib/translate-name.ts'
import { useCardInput } from './card-input.ts'

/** The tooltip of "Always allow". */
export const alwaysAllowHint = t`Run this tool without asking from now on. You can change this in Settings.`

/**
 * Whether a tool can be allowed for good. The product's own tools have no connection that the permission could belong to. A request of a
 * schedule (only those have `lapses_at`) cannot: the schedule itself says what it may do without asking. Neither can one to which an assistant
 * of somebody else may have led.
 */
const canAlwaysAllow = (approval: ApprovalRequest) =>
  approval.integration !== null && approval.lapses_at === undefined && !findOthersAssistant(approval)

const noMail = { to: '', subject: '', body: '' }

/** Shows exactly what a tool call will do, and asks for approval. An e-mail can be edited first; the edited one is what is sent. */
export function ApprovalCard({
  conversation,
  approval,
  assistantName,
  error,
  isFirst,
  pendingDecision,
  onDecide,
}: ApprovalCardProps) {
  const askedMail = parseMail(approval.arguments)
  const input = useCardInput(conversation, approval, askedMail ?? noMail)
  const mail = askedMail && input.value
  const editedArguments = mail && isChanged(approval, mail) ? { ...approval.arguments, ...mail } : undefined
  const approve = (scope?: { always: true }) =>
    onDecide({
      approved: true,
      ...scope,
      ...(editedArguments && { arguments: editedArguments }),
    })
  const isIncomplete = mail !== undefined && mail.to.trim() === ''
  // the fields stay once they are shown, also when what could not be read in them is gone
  const [isEditing, setIsEditing] = useState(mail !== undefined && !isReadable(mail))
  const fields = useRef<HTMLDivElement>(null)
  const edit = () => {
    // at once, because a field gets the focus: the text, which comes last and is edited most
    flushSync(() => setIsEditing(true))
    Array.from(fields.current?.querySelectorAll('textarea') ?? [])
      .at(-1)
      ?.focus()
  }
  const title = translateName(revealHiddenCharacters(approval.title))
  const isDeciding = pendingDecision !== undefined
  return (
    <CardFrame
      icon={ShieldCheck}
      title={
        approval.integration === null
          ? t`${title}?`
          : t`${title} with ${{ integration: formatIntegration(approval) }}?`
      }
      summary={mail && describeRecipients(mail)}
      description={describeRequest(approval, assistantName)}
      error={error}
      isFirst={isFirst}
      buttons={
        <>
          <ApproveButton
            pendingDecision={pendingDecision}
            isIncomplete={isIncomplete}
            onApprove={() => approve()}
          />
          <DenyButton
            pendingDecision={pendingDecision}
            onDecide={onDecide}
            className="max-sm:flex-[2_1_25%]"
          />
          {mail && !isEditing && (
            <Button variant="ghost" disabled={isDeciding} onClick={edit}>
              {t`Edit`}
            </Button>
          )}
          {canAlwaysAllow(approval) && (
            <Tooltip text={alwaysAllowHint} side="top">
              <Button
                variant="ghost"
                className="sm:ms-auto max-sm:me-auto"
                busy={pendingDecision === 'always'}
                disabled={isIncomplete || (isDeciding && pendingDecision !== 'always')}
                onClick={() => approve({ always: true })}
              >
                {pendingDecision === 'always' ? t`Approving…` : t`Always allow`}
              </Button>
            </Tooltip>
          )}
        </>
      }
    >
      {!mail && <RequestArguments approval={approval} />}
      {mail && !isEditing && <MailLetter mail={mail} />}
      {mail && isEditing && (
        <div ref={fields}>
          <MailFields input={input} disabled={isDeciding} />
        </div>
      )}
      <ServerHints approval={approval} />
    </CardFrame>
  )
}

/** The integration, with the publisher of its server if it is from the catalogue. */
const formatIntegration = ({ integration, namespace }: ApprovalRequest) =>
  revealHiddenCharacters([integration, namespace].filter((part) => typeof part === 'string').join(' · '))

const isChanged = ({ arguments: original }: ApprovalRequest, mail: object) =>
  Object.entries(mail).some(([name, value]) => original[name] !== value)
