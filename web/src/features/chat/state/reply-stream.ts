/* Code for streaming replies: loaded before the first message is sent. */
export { streamReply as followReply } from '../stream/stream-reply.ts'
export { decisionErrorMessage } from './decision-error.ts'
export { applyEvent as afterEvent, failReply, stopReply } from './reply-events.ts'
