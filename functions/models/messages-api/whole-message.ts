import { type Fields, isRecord } from '../fields.ts'

/** The events that a whole message would have been streamed as: the start of a block holds all of it. */
export function toEvents(message: Fields): Fields[] {
  const blocks: unknown[] = Array.isArray(message['content']) ? message['content'] : [message['content']]
  return [
    { type: 'message_start', message },
    ...blocks.flatMap((block, index) => {
      const whole = isRecord(block) ? block : { type: 'text', text: block }
      const thinking = { type: 'thinking_delta', thinking: whole['thinking'] }
      return [
        ...(whole['type'] === 'thinking'
          ? [
              { type: 'content_block_start', index, content_block: { ...whole, thinking: '' } },
              { type: 'content_block_delta', index, delta: thinking },
            ]
          : [{ type: 'content_block_start', index, content_block: whole }]),
        { type: 'content_block_stop', index },
      ]
    }),
    {
      type: 'message_delta',
      delta: { stop_reason: message['stop_reason'] ?? 'end_turn' },
      usage: message['usage'] ?? {},
    },
    { type: 'message_stop' },
  ]
}
