import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import type { UntrustedSource } from '#shared/contracts/runs.ts'
import { formatList } from '../../../lib/locale.ts'
import { revealHiddenCharacters } from '../../../lib/hidden-characters.ts'

// approval-card
export const askWith = (title: string, integration: string) => t`${title} with ${integration}?`
export const ask = (title: string) => t`${title}?`
export const sentInYourName = t`This is sent in your name and cannot be undone.`
export const whatWillBeSent = (assistantName: string) =>
  t`${assistantName} does this only when you approve it. This is exactly what will be sent:`
export const noArguments = t`Only the call, without arguments`

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
    case 'summary':
      return t`earlier messages, which may quote others`
  }
}

export const memoryHint = (assistantName: string, sources: readonly UntrustedSource[]) => {
  const parts = sources.map(untrustedText).join('; ')
  return parts === ''
    ? t`${assistantName} changes its memory only when you approve it. This is exactly what the change is about:`
    : t`${assistantName} has read text here that is not yours: ${parts}. So ${assistantName} changes its memory only when you approve it. This is exactly what the change is about:`
}
export const approve = t`Approve`
export const approving = t`Approving…`
export const edit = t`Edit`
export const denying = t`Denying…`
export const unknownRequest = t`This version cannot show what is asked here`
export const unknownHint = t`Reload the page to get the newest version, or continue without it.`
export const decisionNotSent = t`Your answer was not sent. Please try again.`
export const deny = t`Deny`
export const alwaysAllowHint = t`Run this tool without asking from now on. You can change this in Settings.`
export const alwaysAllow = t`Always allow`
export const theServer = t`The server`
export const serverDescription = (server: string, description: string) => (
  <Trans>
    {server} describes this tool as: “<bdi>{description}</bdi>”
  </Trans>
)
export const destructive = (server: string) =>
  t`${server} says that this tool may delete or overwrite things.`

// approval-cards
export const approved = (title: string) => t`Approved: ${title}`
export const answered = (title: string) => t`Answered: ${title}`
export const finished = (title: string) => t`Finished: ${title}`
export const cancelled = (title: string) => t`Cancelled: ${title}`
export const denied = (title: string) => t`Denied: ${title}`
export const expired = (title: string) => t`${title}: this request has expired`
export function expiredHint(afterMs: number) {
  const hours = afterMs / 3_600_000
  const days = hours / 24
  return days > 2
    ? plural(days, {
        one: 'Nobody answered within # day, so it went no further. Ask again if you still want it.',
        other: 'Nobody answered within # days, so it went no further. Ask again if you still want it.',
      })
    : plural(hours, {
        one: 'Nobody answered within # hour, so it went no further. Ask again if you still want it.',
        other: 'Nobody answered within # hours, so it went no further. Ask again if you still want it.',
      })
}
export const continueWithout = t`Continue without it`

// mail-fields
export const to = t`To`
export const subject = t`Subject`
export const body = t`Message`
export const goesTo = (count: number) =>
  plural(count, { one: 'Goes to # recipient:', other: `Goes to # recipients:` })
export const recipients = t`Recipients`
export const invisibleCharacters = t`This text contains invisible characters. With them shown in brackets:`
export const removeInvisible = t`Remove invisible characters`

// reconnect-card
export const reconnectTitle = (name: string) => t`${name} has to be connected again`
export const reconnectHint = (reason: string) =>
  t`${reason} Once it is connected again, this reply continues.`
export const accessLost = (name: string, assistantName: string) =>
  t`${assistantName} no longer has access to ${name}.`
export const notNow = t`Not now`
