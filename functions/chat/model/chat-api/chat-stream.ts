import { createParser, type EventSourceMessage } from 'eventsource-parser'
import { parseJson } from '#shared/parse-json.ts'
import { modelErrors, ModelError } from '../model-errors.ts'
import type { RoundBuilder } from '../round-builder.ts'
import { ChatFailure, type ChatChunks } from './chat-chunks.ts'

/** Reads an answer's text, whatever it is: events with comments, names and errors between them, one JSON object, or lines of JSON. */
class AnswerReader {
  readonly #chunks: ChatChunks
  readonly #round: RoundBuilder
  readonly #send: (chunk: unknown) => void
  readonly #parser = createParser({
    onEvent: (event) => this.#readEvent(event),
    onError: ({ field, value }) => {
      // llama.cpp: https://github.com/ggml-org/llama.cpp/issues/14566
      if (field === 'error' && value !== undefined) throw new ChatFailure(parseJson(value) ?? value)
    },
  })
  #kind: 'events' | 'json' | undefined
  #held = ''
  #isUnreadable = false

  constructor(chunks: ChatChunks, round: RoundBuilder, send: (chunk: unknown) => void) {
    this.#chunks = chunks
    this.#round = round
    this.#send = send
  }

  /** @throws ChatFailure for an error in the answer, ModelError for a page */
  add(text: string): void {
    this.#held += text
    // an answer without a stream begins with a bracket, a page with a tag
    this.#kind ??= /^\s*[{[]/.test(this.#held) ? 'json' : /^\s*[^\s<]/.test(this.#held) ? 'events' : undefined
    if (this.#kind === undefined && /^\s*</.test(this.#held))
      throw new ModelError(modelErrors.notModelServer, 'the model answered with a page')
    if (this.#kind !== 'events') return
    const held = this.#held
    this.#held = ''
    this.#parser.feed(held)
  }

  /** @throws ChatFailure, ModelError when nothing could be read */
  end(): void {
    if (this.#kind === 'json') this.#readJson()
    // some servers end without the empty line after the last event
    else this.#parser.feed('\n\n')
    const rest = this.#chunks.end()
    if (rest) this.#send(rest)
    if (this.#isUnreadable && !this.#round.hasStarted)
      throw new ModelError(modelErrors.unreadable, 'not JSON')
    // what could not be read may be missing
    if (this.#isUnreadable && this.#round.end === 'done') this.#round.end = 'unknown'
  }

  #readEvent({ data, event }: EventSourceMessage): void {
    if (data.trim() === '[DONE]') {
      this.#chunks.isDone = true
      return
    }
    const value = parseJson(data)
    if (value === undefined && event !== 'error') this.#isUnreadable ||= data.trim() !== ''
    else this.#read(value ?? data, event)
  }

  #read(value: unknown, eventName?: string): void {
    const chunk = this.#chunks.read(value, eventName)
    if (chunk) this.#send(chunk)
  }

  /** One object, or one to a line. */
  #readJson(): void {
    const whole = parseJson(this.#held)
    const values =
      whole === undefined ? this.#held.split('\n').flatMap((line) => parseJson(line) ?? []) : [whole]
    for (const value of values) this.#read(value)
    this.#isUnreadable ||= values.length === 0
    // nothing is missing of one that could be parsed
    this.#chunks.isDone = whole !== undefined
  }
}

/**
 * Turns a server's answer into the events that the client library reads. The stream never fails, as that would discard what has arrived
 * and was not read yet: a failure ends it, and `onFailure` gets the reason, a `ChatFailure` if the server gave one.
 */
export function toLibraryStream(
  body: ReadableStream<Uint8Array>,
  {
    chunks,
    round,
    onFailure,
  }: { chunks: ChatChunks; round: RoundBuilder; onFailure: (reason: unknown) => void },
): ReadableStream<Uint8Array> {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  const encoder = new TextEncoder()
  let output: ReadableStreamDefaultController<Uint8Array>
  let hasSent = false
  const send = (chunk: unknown) => {
    hasSent = true
    output.enqueue(encoder.encode(`data: ${JSON.stringify(chunk)}\n\n`))
  }
  const answer = new AnswerReader(chunks, round, send)

  /** Reads until there is something to send. @returns false at the end */
  async function readMore(): Promise<boolean> {
    for (hasSent = false; !hasSent;) {
      const { done, value } = await reader.read()
      answer.add(decoder.decode(value, { stream: !done }))
      if (!done) continue
      answer.end()
      return false
    }
    return true
  }

  return new ReadableStream<Uint8Array>({
    start: (controller) => {
      output = controller
    },
    async pull(controller) {
      try {
        if (await readMore()) return
      } catch (reason) {
        if (reason instanceof ChatFailure && reason.chunk) send(reason.chunk)
        onFailure(reason)
        await reader.cancel().catch(() => undefined)
      }
      // the library wants a reason for the end; the true one is in the round
      send({ choices: [{ delta: {}, finish_reason: 'stop' }] })
      controller.close()
    },
    cancel: (reason) => reader.cancel(reason),
  })
}
