import type { UntrustedSource } from '#shared/contracts/runs.ts'
import { plural } from '../../../lib/plural.ts'
import { revealHiddenCharacters } from '../tools/hidden-characters.ts'

// approval-card
export const askWith = (title: string, integration: string) => `${title} with ${integration}?`
export const ask = (title: string) => `${title}?`
export const sentInYourName = 'This is sent in your name and cannot be undone.'
export const whatWillBeSent = (assistantName: string) =>
  `${assistantName} does this only when you approve it. This is exactly what will be sent:`

/** Whose text the model has read, in words. */
const untrustedText = ({ kind, names }: UntrustedSource) => {
  const list = names.map((name) => `“${revealHiddenCharacters(name)}”`).join(', ')
  switch (kind) {
    case 'file':
      return `files (${list})`
    case 'tool':
      return `results of ${list}`
    case 'web':
      return 'web pages'
    case 'server':
      return `what servers call themselves and their tools (${list})`
    case 'import':
      return 'imported messages'
    case 'summary':
      return 'a summary of earlier messages, which may quote others'
  }
}

export const memoryHint = (assistantName: string, sources: readonly UntrustedSource[]) => {
  const parts = sources.map(untrustedText).join('; ')
  const reason = parts && `${assistantName} has read text here that is not yours: ${parts}. So `
  return `${reason}${assistantName} changes its memory only when you approve it. This is exactly what the change is about:`
}
export const approve = 'Approve'
export const deny = 'Deny'
export const alwaysAllowHint = 'Run this tool without asking from now on. You can change this in Settings.'
export const alwaysAllow = 'Always allow'
export const theServer = 'The server'
export const serverDescription = (server: string, description: string) => (
  <>
    {server} describes this tool as: “<bdi>{description}</bdi>”
  </>
)
export const destructive = (server: string) => `${server} says that this tool may delete or overwrite things.`

// approval-cards
export const approved = (title: string) => `Approved: ${title}`
export const answered = (title: string) => `Answered: ${title}`
export const finished = (title: string) => `Finished: ${title}`
export const cancelled = (title: string) => `Cancelled: ${title}`
export const denied = (title: string) => `Denied: ${title}`
export const expired = (title: string) => `${title}: this request has expired`
export const expiredHint = (afterMs: number) =>
  `Nobody answered within ${afterMs > 48 * 3_600_000 ? `${afterMs / 86_400_000} days` : '24 hours'}, so it went no further. Ask again if you still want it.`
export const continueWithout = 'Continue without it'

// mail-fields
export const to = 'To'
export const subject = 'Subject'
export const body = 'Message'
export const goesTo = (count: number) =>
  plural(count, { one: 'Goes to 1 recipient:', other: `Goes to ${count} recipients:` })
export const recipients = 'Recipients'
export const invisibleCharacters = 'This text contains invisible characters. With them shown in brackets:'
export const removeInvisible = 'Remove invisible characters'

// reconnect-card
export const reconnectTitle = (name: string) => `${name} has to be connected again`
export const reconnectHint = (reason: string) => `${reason} Once it is connected again, this reply continues.`
export const accessLost = (name: string, assistantName: string) =>
  `${assistantName} no longer has access to ${name}.`
export const notNow = 'Not now'
