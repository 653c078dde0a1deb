/* What reads the stream of a reply; it loads before the first message is sent. */
export { streamReply as followReply } from '../stream/stream-reply.ts'
export { applyEvent as afterEvent, failReply, stopReply } from './reply-events.ts'
