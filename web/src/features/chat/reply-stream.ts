/* What reads the stream of a reply; it loads before the first message is sent. */
export { followReply } from './follow-reply.ts'
export { afterEvent } from './reply-events.ts'
