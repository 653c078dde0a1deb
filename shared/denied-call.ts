import type { ToolCall } from './contracts/chat.ts'

/** The error of a call that the user denied. */
export const deniedByUser = 'The user denied this call.'
/** Of one whose connection the user did not renew. */
export const notReconnected = 'The user did not connect it again.'

/** Whether a call was denied by the user, which is not a failure. Releases before codes stored the sentence alone. */
export const isDenied = ({ success, error, codes }: ToolCall['result']): boolean =>
  !success &&
  (codes ? codes.some(({ code }) => code === 'denied') : error === deniedByUser || error === notReconnected)
