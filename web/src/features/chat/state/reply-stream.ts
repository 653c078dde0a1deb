/* Code for streaming replies: loaded before the first message is sent. */
export { streamReply } from '../stream/stream-reply.ts'
export { decisionErrorMessage } from './decision-error.ts'
export { applyEvent, failReply, stopReply } from './reply-events.ts'
