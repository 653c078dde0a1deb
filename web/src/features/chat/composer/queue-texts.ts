import { plural } from '../../../lib/plural.ts'

export const tooManyFiles = 'With the files attached below, this message would have too many files.'
export const label = 'Queued messages'
export const sendNow = 'Send now'
export const editMessage = (message: string) => `Edit ${message}`
export const edit = 'Edit'
export const removeMessage = (message: string) => `Remove ${message}`
export const full = (count: number) => `${count} messages are queued. Send or remove one to add another.`
export const queued = (count: number) =>
  plural(count, { one: '1 message queued', other: `${count} messages queued` })
export const waitsForAnswer = 'Not sent: the reply is waiting for your answer. Sending now stops the reply.'
export const waitsForReply = 'Sent when the reply is finished'
export const pageWasClosed = 'Not sent: the page was closed when the reply finished.'
export const replyUnfinished = 'Not sent: the previous reply did not finish.'
