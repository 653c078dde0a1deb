/* What reads the stream of a reply; it loads before the first message is sent. */
export { streamReply as followReply } from '../stream/stream-reply.ts'
export { afterEvent, failReply, stopReply } from './reply-events.ts'
