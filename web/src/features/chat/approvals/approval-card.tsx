import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { ShieldCheck } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import type { ApprovalRequest, UntrustedSource } from '#shared/contracts/runs.ts'
import { Button } from '../../../components/ui/button.tsx'
import { Callout } from '../../../components/ui/callout.tsx'
import { Tooltip } from '../../../components/ui/tooltip.tsx'
import { ArgumentList } from '../calls/argument-list.tsx'
import { isMemoryTool } from '../calls/memory-calls.ts'
import { revealHiddenCharacters } from '../../../lib/hidden-characters.ts'
import { formatList } from '../../../lib/locale.ts'
import { isReadable, MailFields, MailLetter, parseMail } from './mail-fields.tsx'
import type { ApprovalCardProps } from './card-frame.tsx'
import { CardFrame } from './card-frame.tsx'
import { translateName } from '../../../lib/translate-name.ts'
import { useCardInput } from './card-input.ts'

/** Whose text the model has read, in words. */
const untrustedText = ({ kind, names }: UntrustedSource) => {
  const list = formatList(names.map(revealHiddenCharacters).map((name) => t`“${name}”`))
  switch (kind) {
    case 'file':
      return t`files (${list})`
    case 'tool':
      return t`results of ${list}`
    case 'web':
      return t`web pages`
    case 'server':
      return t`what servers call themselves and their tools (${list})`
    case 'import':
      return t`imported messages`
    case 'assistant':
      return t`the assistant of somebody else (${list})`
    case 'summary':
      return t`earlier messages, which may quote others`
  }
}

/** The text of others that the model has read, in words; empty if there is none. */
export const describeUntrusted = ({ untrusted = [] }: Pick<ApprovalRequest, 'untrusted'>): string =>
  untrusted.map(untrustedText).join('; ')

const memoryHint = (assistantName: string, approval: ApprovalRequest) => {
  const parts = describeUntrusted(approval)
  return parts === ''
    ? t`${assistantName} changes its memory only when you approve it. This is exactly what the change is about:`
    : t`${assistantName} has read text here that is not yours: ${parts}. So ${assistantName} changes its memory only when you approve it. This is exactly what the change is about:`
}
function describeRequest(approval: ApprovalRequest, assistantName: string): string {
  if (isMemoryTool(approval)) return memoryHint(assistantName, approval)
  const assistant = findOthersAssistant(approval)?.names.join(', ')
  return assistant === undefined
    ? t`${assistantName} does this only when you approve it. This is exactly what will be sent:`
    : t`“${assistant}”, an assistant of somebody else, may have led to this. ${assistantName} does it only when you approve it. This is exactly what will be sent:`
}

const findOthersAssistant = ({ untrusted }: ApprovalRequest) =>
  untrusted?.find(({ kind }) => kind === 'assistant')

export const alwaysAllowHint = t`Run this tool without asking from now on. You can change this in Settings.`

const noMail = { to: '', subject: '', body: '' }

/** Shows exactly what a tool call will do, and asks for approval. E-mails can be edited first. */
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
  const approve = (always: boolean) =>
    onDecide({
      approved: true,
      ...(always && { always }),
      ...(editedArguments && { arguments: editedArguments }),
    })
  const isIncomplete = mail !== undefined && mail.to.trim() === ''
  const [wantsEdit, setWantsEdit] = useState(false)
  const isEditing = wantsEdit || (mail !== undefined && !isReadable(mail))
  const fields = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (wantsEdit) [...(fields.current?.querySelectorAll('textarea') ?? [])].at(-1)?.focus()
  }, [wantsEdit])
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
      description={
        mail ? t`This is sent in your name and cannot be undone.` : describeRequest(approval, assistantName)
      }
      error={error}
      isFirst={isFirst}
      buttons={
        <>
          <Button
            variant="primary"
            busy={pendingDecision === 'approved'}
            disabled={isIncomplete || (isDeciding && pendingDecision !== 'approved')}
            onClick={() => approve(false)}
            className="max-sm:flex-[3_1_50%]"
          >
            {pendingDecision === 'approved' ? t`Approving…` : t`Approve`}
          </Button>
          <Button
            busy={pendingDecision === 'denied'}
            disabled={isDeciding && pendingDecision !== 'denied'}
            onClick={() => onDecide({ approved: false })}
            className="max-sm:flex-[2_1_25%]"
          >
            {pendingDecision === 'denied' ? t`Denying…` : t`Deny`}
          </Button>
          {mail && !isEditing && (
            <Button variant="ghost" disabled={isDeciding} onClick={() => setWantsEdit(true)}>
              {t`Edit`}
            </Button>
          )}
          {/* the product's own tools have no connection that a permission could belong to */}
          {approval.integration !== null && !findOthersAssistant(approval) && (
            <Tooltip text={alwaysAllowHint} side="top">
              <Button
                variant="ghost"
                className="sm:ms-auto max-sm:me-auto"
                busy={pendingDecision === 'always'}
                disabled={isIncomplete || (isDeciding && pendingDecision !== 'always')}
                onClick={() => approve(true)}
              >
                {pendingDecision === 'always' ? t`Approving…` : t`Always allow`}
              </Button>
            </Tooltip>
          )}
        </>
      }
    >
      {mail && isEditing ? (
        <div ref={fields}>
          <MailFields input={input} disabled={isDeciding} />
        </div>
      ) : mail ? (
        <MailLetter mail={mail} />
      ) : (
        <div className="rounded-md bg-surface-hover px-3.5 py-3">
          {Object.keys(approval.arguments).length === 0 ? (
            <p className="text-sm text-ink-muted">{t`Only the call, without arguments`}</p>
          ) : (
            <ArgumentList value={approval.arguments} isComplete />
          )}
        </div>
      )}
      <ServerHints approval={approval} />
    </CardFrame>
  )
}

/** How the server of a tool describes it, and whether it may delete things. Untrusted text. */
export function ServerHints({
  approval,
}: {
  approval: Pick<ApprovalRequest, 'description' | 'destructive' | 'integration'>
}) {
  const { description, destructive } = approval
  const server = revealHiddenCharacters(approval.integration ?? t`The server`)
  return (
    <>
      {description !== undefined && (
        <p className="text-sm whitespace-pre-wrap text-ink-muted wrap-anywhere">
          <Trans>
            {server} describes this tool as: “<bdi>{revealHiddenCharacters(description)}</bdi>”
          </Trans>
        </p>
      )}
      {destructive && (
        <Callout variant="danger">{t`${server} says that this tool may delete or overwrite things.`}</Callout>
      )}
    </>
  )
}

/** The integration, with the publisher of its server if it is from the catalogue. */
const formatIntegration = ({ integration, namespace }: ApprovalRequest) =>
  revealHiddenCharacters([integration, namespace].filter((part) => typeof part === 'string').join(' · '))

const isChanged = ({ arguments: original }: ApprovalRequest, mail: object) =>
  Object.entries(mail).some(([name, value]) => original[name] !== value)
