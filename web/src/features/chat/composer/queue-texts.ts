import { plural, t } from '@lingui/core/macro'

export const tooManyFiles = t`With the files attached below, this message would have too many files.`
export const label = t`Queued messages`
export const sendNow = t`Send now`
export const editMessage = (message: string) => t`Edit ${message}`
export const edit = t`Edit`
export const removeMessage = (message: string) => t`Remove ${message}`
export const full = (count: number) =>
  plural(count, {
    one: '# message is queued. Send or remove it to add another.',
    other: '# messages are queued. Send or remove one to add another.',
  })
export const queued = (count: number) =>
  plural(count, { one: '# message queued', other: `# messages queued` })
export const waitsForAnswer = t`Not sent: the reply is waiting for your answer. Sending now stops the reply.`
export const waitsForReply = t`Sent when the reply is finished`
export const pageWasClosed = t`Not sent: the page was closed when the reply finished.`
export const replyUnfinished = t`Not sent: the previous reply did not finish.`
