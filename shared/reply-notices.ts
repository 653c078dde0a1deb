import type { ReplyNotice } from '#shared/contracts/chat.ts'

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
