import { plural, t } from '@lingui/core/macro'

// shared-page
export const linkNotFound = t`Link not found`
export const sharedConversation = t`Shared conversation`
export const notLoaded = t`This could not be loaded`
export const footer = (assistantName: string, sharedOn: string, endsOn: string) =>
  t`A copy of a conversation with ${assistantName}, made on ${sharedOn}. Replies are written by an AI and can be wrong. The link works until ${endsOn}.`
export const sharedOn = (day: string) => t`Shared conversation · ${day}`
export const showMore = t`Show more messages`
export const offline = t`You are offline. The conversation loads when you are back.`
export const omittedFiles = (count: number) =>
  plural(count, { 1: 'A file is not part of the copy.', other: `# files are not part of the copy.` })
export const question = t`Question`
export const linkNotFoundHint = t`It was revoked, it has expired, or a part of it is missing. Ask the person who shared it for a new one.`
export const loading = t`Loading the conversation`
