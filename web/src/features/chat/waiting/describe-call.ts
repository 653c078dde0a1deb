import { t } from '@lingui/core/macro'
import type { ApprovalRequest } from '#shared/contracts/runs.ts'
import { truncate } from '#shared/truncate.ts'
import { revealHiddenCharacters } from '../../../lib/text/hidden-characters.ts'
import { translateName } from '../../../lib/text/translate-name.ts'
import { parseMail, sendsMail } from '../approvals/mail.ts'
import { isScheduleTool } from '../calls/schedule-calls.ts'

/** Says in one line what a call does, of an e-mail that is sent to whom it goes. */
export function describeCall(request: ApprovalRequest): string {
  const { kind, title, integration, arguments: values } = request
  const server = revealHiddenCharacters(integration ?? title)
  if (kind === 'reconnect') return t`${{ name: server }} has to be connected again`
  if (kind === 'elicitation') return t`${server} asks you for something`
  const mail = sendsMail(request) ? parseMail(values) : undefined
  if (mail) return t`E-mail to ${{ recipients: revealHiddenCharacters(mail.to) }}`
  const shownTitle = translateName(revealHiddenCharacters(title))
  return integration === null ? shownTitle : t`${{ title: shownTitle }} with ${{ integration: server }}`
}

/** More than one line shows on any screen. */
const maxShownCharacters = 300

/** The beginning of what a call sends or asks for, by which similar calls can be told apart. It is not enough to decide one. */
export const describeArguments = (request: ApprovalRequest): string =>
  revealHiddenCharacters(truncate(joinArguments(request), maxShownCharacters))

function joinArguments(request: ApprovalRequest): string {
  const { arguments: values, elicitations = [] } = request
  if (request.kind === 'elicitation') return elicitations.map(({ message }) => message).join(' · ')
  const { prompt, before } = values as { prompt?: unknown; before?: { prompt?: unknown } | null }
  const about = prompt ?? before?.prompt
  if (isScheduleTool(request) && typeof about === 'string') return about
  const mail = sendsMail(request) ? parseMail(values) : undefined
  if (mail) return mail.subject
  return Object.values(values)
    .map((value) => (typeof value === 'string' ? value : JSON.stringify(value)))
    .join(' · ')
}
