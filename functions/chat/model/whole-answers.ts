import { parseJson } from '#shared/parse-json.ts'
import type { Fields } from './fields.ts'
import { isRecord } from './fields.ts'

const isJson = ({ headers }: Response) => /^application\/json\b/i.test(headers.get('content-type') ?? '')

/**
 * fetch that turns a whole answer into the stream that was asked for: some servers and proxies do not stream
 * (https://github.com/huggingface/chat-ui/issues/430), and the client libraries find nothing in it.
 * @param toEvents the events that such an answer would have been
 */
export function streamWholeAnswers(
  send: typeof fetch,
  toEvents: (answer: Fields) => readonly Fields[],
): typeof fetch {
  return async (input, init) => {
    const response = await send(input, init)
    if (!response.ok || !isJson(response)) return response
    const text = await response.text()
    // undefined: a stream with another name
    const answer = parseJson(text)
    const events = !isRecord(answer)
      ? undefined
      : answer['error'] || answer['type'] === 'error'
        ? [{ type: 'error', error: answer['error'] ?? answer }]
        : toEvents(answer)
    const body = events
      ?.map((event) => `event: ${String(event['type'])}\ndata: ${JSON.stringify(event)}\n\n`)
      .join('')
    return new Response(body ?? text, { headers: { 'content-type': 'text/event-stream' } })
  }
}
