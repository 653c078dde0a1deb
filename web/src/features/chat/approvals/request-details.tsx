import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import type { ApprovalRequest, UntrustedSource } from '#shared/contracts/runs.ts'
import { Callout } from '../../../components/ui/callout.tsx'
import { revealHiddenCharacters } from '../../../lib/text/hidden-characters.ts'
import { formatList } from '../../../lib/text/locale.ts'
import { ArgumentList } from '../calls/argument-list.tsx'
import { isMemoryTool } from '../calls/memory-calls.ts'
import { isReadPage } from '../calls/page-calls.ts'
import { MailLetter } from './mail-letter.tsx'
import { isReadable, parseMail, sendsMail } from './mail.ts'

/** Says in words whose text the model has read. */
const describeUntrustedSource = ({ kind, names }: UntrustedSource) => {
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
    default:
      kind satisfies never
      // a newer service may have more kinds
      return t`other text that is not yours`
  }
}

/** Lists in words the text of others that the model has read; empty if there is none. */
export const describeUntrusted = ({ untrusted = [] }: Pick<ApprovalRequest, 'untrusted'>): string =>
  untrusted.map(describeUntrustedSource).join('; ')

const describeMemoryRequest = (assistantName: string, approval: ApprovalRequest) => {
  const parts = describeUntrusted(approval)
  return parts === ''
    ? t`${assistantName} changes its memory only when you approve it. This is exactly what the change is about:`
    : t`${assistantName} has read text here that is not yours: ${parts}. So ${assistantName} changes its memory only when you approve it. This is exactly what the change is about:`
}

/** Says why a call needs approval. */
export function describeRequest(approval: ApprovalRequest, assistantName: string): string {
  if (isMemoryTool(approval)) return describeMemoryRequest(assistantName, approval)
  if (isReadPage(approval))
    return t`${assistantName} opens this page only when you approve it. Whoever runs its host sees the whole address.`
  const assistant = findOthersAssistant(approval)?.names.map(revealHiddenCharacters).join(', ')
  const sources = assistant === undefined ? describeUntrusted(approval) : ''
  // of a schedule, whose tool would run unasked otherwise
  if (sources !== '')
    return t`This run has read text that is not yours: ${sources}. The recipient stands neither in the schedule’s prompt nor in a call that you have approved for it, so ${assistantName} asks you. This is exactly what will be sent:`
  if (sendsMail(approval) && parseMail(approval.arguments))
    return assistant === undefined
      ? t`This is sent in your name and cannot be undone.`
      : t`“${assistant}”, an assistant of somebody else, may have led to this. It is sent in your name and cannot be undone.`
  return assistant === undefined
    ? t`${assistantName} does this only when you approve it. This is exactly what will be sent:`
    : t`“${assistant}”, an assistant of somebody else, may have led to this. ${assistantName} does it only when you approve it. This is exactly what will be sent:`
}

/** Finds the assistant of somebody else that the conversation is with; undefined if there is none. */
export const findOthersAssistant = ({ untrusted }: ApprovalRequest) =>
  untrusted?.find(({ kind }) => kind === 'assistant')

/** What a call will do, exactly as it is sent, and what its server says of the tool. For reading only. */
export function RequestDetails({
  approval,
  assistantName,
}: {
  approval: ApprovalRequest
  assistantName: string
}) {
  const mail = parseMail(approval.arguments)
  return (
    <>
      <p className="text-ink-muted wrap-anywhere">{describeRequest(approval, assistantName)}</p>
      {mail && isReadable(mail) ? <MailLetter mail={mail} /> : <RequestArguments approval={approval} />}
      <ServerHints approval={approval} />
    </>
  )
}

export const RequestArguments = ({ approval }: { approval: Pick<ApprovalRequest, 'arguments'> }) => (
  <div className="rounded-md bg-surface-hover px-3.5 py-3">
    {Object.keys(approval.arguments).length === 0 ? (
      <p className="text-sm text-ink-muted">{t`Only the call, without arguments`}</p>
    ) : (
      <ArgumentList value={approval.arguments} isComplete />
    )}
  </div>
)

/** What the server of a tool says of it: a description, and whether it may delete things. This text is untrusted. */
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
        <Callout variant="warning">{t`${server} says that this tool may delete or overwrite things.`}</Callout>
      )}
    </>
  )
}
