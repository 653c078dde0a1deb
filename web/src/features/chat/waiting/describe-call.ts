import { t } from '@lingui/core/macro'
import type { ApprovalRequest } from '#shared/contracts/runs.ts'
import { truncate } from '#shared/truncate.ts'
import { revealHiddenCharacters } from '../../../lib/hidden-characters.ts'
import { locale } from '../../../lib/locale.ts'
import { translateName } from '../../../lib/translate-name.ts'
import { parseMail } from '../approvals/mail.ts'
import { isScheduleTool } from '../calls/schedule-calls.ts'

const unitsMs = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const

/** Such as '12 minutes ago'. @param ms how long ago, in milliseconds */
export function formatElapsed(ms: number): string {
  const [unit, unitMs] = unitsMs.find(([, each]) => ms >= each) ?? (['minute', 60_000] as const)
  return new Intl.RelativeTimeFormat(locale, { numeric: 'auto' }).format(-Math.floor(ms / unitMs), unit)
}

/** Says in one line what a call does, of an e-mail to whom it goes. */
export function describeCall({ kind, title, integration, arguments: values }: ApprovalRequest): string {
  const server = revealHiddenCharacters(integration ?? title)
  if (kind === 'reconnect') return t`${{ name: server }} has to be connected again`
  if (kind === 'elicitation') return t`${server} asks you for something`
  const mail = parseMail(values)
  if (mail) return t`E-mail to ${{ recipients: revealHiddenCharacters(mail.to) }}`
  const shownTitle = translateName(revealHiddenCharacters(title))
  return integration === null ? shownTitle : t`${{ title: shownTitle }} with ${{ integration: server }}`
}

/** The beginning of what a call sends or asks for, by which similar calls can be told apart. It is not enough to decide one. */
export function describeArguments(request: ApprovalRequest): string {
  const { arguments: values, elicitations = [] } = request
  if (request.kind === 'elicitation')
    return revealHiddenCharacters(truncate(elicitations.map(({ message }) => message).join(' · '), 300))
  const { prompt, before } = values as { prompt?: unknown; before?: { prompt?: unknown } | null }
  const about = prompt ?? before?.prompt
  if (isScheduleTool(request) && typeof about === 'string')
    return revealHiddenCharacters(truncate(about, 300))
  const mail = parseMail(values)
  const parts = mail
    ? [mail.subject]
    : Object.values(values).map((value) => (typeof value === 'string' ? value : JSON.stringify(value)))
  return revealHiddenCharacters(truncate(parts.join(' · '), 300))
}
