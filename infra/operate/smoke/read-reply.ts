import { createParser } from 'eventsource-parser'
import { type ChatEvent, streamEnd } from '#shared/chat-events.ts'

/** A streamed reply as it arrived. */
export interface StreamedReply {
  text: string
  /** arrival of the first text */
  firstTextMs: number
  ms: number
  /** number of reads that returned text */
  pieces: number
  /** the called tools, with the result of each call */
  calls: { tool: string; outcome: string }[]
  /** features that the model server rejected */
  notices: string[]
}

/**
 * Reads a streamed reply to its end.
 * @throws Error when it fails, breaks off, or is empty
 */
export async function readReply(sent: Promise<Response>): Promise<StreamedReply> {
  const startedAt = performance.now()
  const { body } = await sent
  const ms = () => Math.round(performance.now() - startedAt)
  let text = ''
  let pieces = 0
  let firstTextMs: number | undefined
  let finished: Extract<ChatEvent, { type: 'finish' }>['messageMetadata'] | undefined
  let errorText: string | undefined
  let hasEnded = false
  const calls = new Map<string, StreamedReply['calls'][number]>()
  const notices: string[] = []
  const setOutcome = (id: string, outcome: string) => {
    const call = calls.get(id)
    if (call) call.outcome = outcome
  }
  const parser = createParser({
    onEvent: ({ data }) => {
      if (data === streamEnd) {
        hasEnded = true
        return
      }
      const event = JSON.parse(data) as ChatEvent
      switch (event.type) {
        case 'text-delta':
          text += event.delta
          break
        case 'data-retracted-text':
          text = text.slice(0, text.length - event.data.characters)
          break
        case 'tool-input-available':
          calls.set(event.toolCallId, { tool: event.toolName, outcome: 'no outcome' })
          break
        case 'tool-output-available':
          setOutcome(event.toolCallId, 'ok')
          break
        case 'tool-output-error':
          setOutcome(event.toolCallId, event.errorText)
          break
        case 'data-notice':
          notices.push(event.data.text)
          break
        case 'error':
          errorText = event.errorText
          break
        case 'finish':
          finished = event.messageMetadata
          break
      }
    },
  })
  const decoder = new TextDecoder()
  for await (const bytes of body ?? []) {
    const before = text.length
    parser.feed(decoder.decode(bytes, { stream: true }))
    if (text.length === before) continue
    pieces += 1
    firstTextMs ??= ms()
  }
  const failure = errorText ?? finished?.error
  if (failure) throw new Error(failure)
  if (!hasEnded || !finished?.success) throw new Error('the reply broke off')
  if (firstTextMs === undefined) throw new Error('the reply is empty')
  return { text, firstTextMs, ms: ms(), pieces, calls: [...calls.values()], notices }
}
