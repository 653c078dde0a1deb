import type { ReplyNotice } from '#shared/contracts/chat.ts'

/** The chat's error catalogue (ERR-02 to ERR-07): exact sentences, one place. */
export const chatErrors = {
  noSession: 'Please sign in again to continue chatting',
  sessionExpired: 'Your session has expired. Please refresh the page and sign in again.',
  authenticationFailed: 'Authentication failed. Please refresh the page and sign in again.',
  connection:
    "I'm having trouble connecting to the chat service. Please try refreshing the page or signing in again.",
  notInitialized: 'Chat service not initialized. Please refresh the page.',
} as const

const servicePrefix = 'Service error: '

/**
 * ERR-05: what a service said of itself, as a sentence for the user.
 * @param message a short text chosen for users (DEC-019); one that already carries the prefix is left alone
 */
export function serviceError(message: string): string {
  return message.startsWith(servicePrefix) ? message : servicePrefix + message
}

/** DEC-049: a reply was written to its end, but the table did not take it. The page keeps it on screen and marks it. */
export const replyNotSaved = serviceError('The reply could not be saved. Please try again in a moment.')

/** What stands in place of the result of a call that the user did not allow. */
export const deniedByUser = 'The user denied this call.'
/** The same for a tool whose connection the user did not renew. */
export const notReconnected = 'The user did not connect it again.'

/** Whether a call was not made because the user did not want it: that is no failure. */
export const isDenied = ({ success, error }: { success: boolean; error?: string | undefined }): boolean =>
  !success && (error === deniedByUser || error === notReconnected)

/** What a reply says when the model's server rejected its tools, or the images of the conversation. */
export const replyNotices = {
  tools: {
    code: 'tools_unavailable',
    text: 'The model could not use tools for this reply, so nothing was looked up or done in your connected services. Please tell the people who run this assistant.',
  },
  images: {
    code: 'images_unavailable',
    text: 'This model cannot see images. The reply is based on the text alone.',
  },
} as const satisfies Record<string, ReplyNotice>
