import { plural } from '../../../lib/plural.ts'

// shared-page
export const linkNotFound = 'Link not found'
export const sharedConversation = 'Shared conversation'
export const notLoaded = 'This could not be loaded'
export const footer = (assistantName: string, sharedOn: string, endsOn: string) =>
  `A copy of a conversation with ${assistantName}, made on ${sharedOn}. Replies are written by an AI and can be wrong. The link works until ${endsOn}.`
export const sharedOn = (day: string) => `Shared conversation · ${day}`
export const showMore = 'Show more messages'
export const offline = 'You are offline. The conversation loads when you are back.'
export const omittedFiles = (count: number) =>
  plural(count, { one: 'A file is not part of the copy.', other: `${count} files are not part of the copy.` })
export const question = 'Question'
export const linkNotFoundHint =
  'It was revoked, it has expired, or a part of it is missing. Ask the person who shared it for a new one.'
export const loading = 'Loading the conversation'
