import type { ReplyNotice } from '#shared/contracts/chat.ts'

/** Errors of the chat, with the exact sentences of the specification. */
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
 * The error message of a service as a sentence for the user.
 * @param message a short text for users; a text with the prefix is returned unchanged
 */
export function serviceError(message: string): string {
  return message.startsWith(servicePrefix) ? message : servicePrefix + message
}

/** A finished reply could not be stored. The page keeps it on screen and marks it. */
export const replyNotSaved = serviceError('The reply could not be saved. Please try again in a moment.')

export const deniedByUser = 'The user denied this call.'
/** The result of a call whose connection the user did not renew. */
export const notReconnected = 'The user did not connect it again.'

/** Whether a call was denied by the user, which is not a failure. */
export const isDenied = ({ success, error }: { success: boolean; error?: string | undefined }): boolean =>
  !success && (error === deniedByUser || error === notReconnected)

/** Notices of a reply: what the model's server rejected, or that the conversation's model is no longer offered. */
export const replyNotices = {
  tools: {
    code: 'tools_unavailable',
    text: 'The model could not use tools for this reply, or for a part of it. What was looked up or done is listed here. Please tell the people who run this assistant.',
  },
  webSearch: {
    code: 'tools_left_out',
    text: "The model's server did not accept its own web search. The reply goes without it.",
  },
  images: {
    code: 'images_unavailable',
    text: 'This model cannot see images. The reply is based on the text alone.',
  },
  refusedImages: {
    code: 'images_unavailable',
    text: "The model's server did not accept the images of this conversation. The reply is based on the text alone.",
  },
  someImages: {
    code: 'images_unavailable',
    text: "The model's server did not accept some of the images of this conversation. The reply goes without them.",
  },
  effort: {
    code: 'effort_unavailable',
    text: 'This model cannot reason while it uses tools here, so the chosen effort was not used for this reply.',
  },
  model: {
    code: 'model_replaced',
    text: 'The model of this conversation is no longer available. Another model wrote this reply.',
  },
  /** for clients that read the stream; a stored reply has `incomplete_reason`, which the page shows */
  filtered: {
    code: 'reply_filtered',
    text: "The model's content filter stopped this reply.",
  },
} as const satisfies Record<string, ReplyNotice>

const maxNamed = 5

/** @param tools each with its connection; more than five are counted */
export function toolsLeftOut(tools: readonly string[]): ReplyNotice {
  const names = tools.slice(0, maxNamed).join(', ')
  const more = tools.length - maxNamed
  return {
    code: 'tools_left_out',
    text:
      more > 0
        ? `The model's server did not accept these tools as their servers describe them, so the reply goes without them: ${names}, and ${more} more.`
        : `The model's server did not accept these tools as their servers describe them, so the reply goes without them: ${names}.`,
  }
}
