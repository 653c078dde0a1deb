import { isToolUIPart, type ChatTransport, type UIMessage, type UIMessageChunk } from 'ai'
import type { ChatEvent } from '#shared/chat-events.ts'
import { foldReply } from '#shared/reply/fold-reply.ts'
import { emptyReply, isCallEnded } from '#shared/reply/reply-state.ts'

/*
 * Makes a deployment the backend of `useChat` (AI SDK 7). Bundle it for your project:
 *
 *   npx esbuild docs/examples/ai-sdk-transport.ts --bundle --format=esm --external:ai --outfile=assistant-transport.js
 *
 *   const transport = new AssistantTransport({ origin: 'https://chat.example.com', getAccessToken })
 *   const chat = useChat({
 *     id: sessionId,                          // [A-Za-z0-9_-]{1,64}; the id of the conversation
 *     transport,
 *     resume: true,                           // reattaches to a reply that is being written
 *     sendAutomaticallyWhen: lastAssistantMessageIsCompleteWithApprovalResponses,
 *   })
 *   chat.addToolApprovalResponse({ id: part.approval.id, approved: true })
 *
 * A dropped connection is resumed inside the stream. `stop()` ends the reply on the server, too.
 * Further fields of the request (`keep`, `systemPrompt`, `model`, `effort`) are the `body` of `sendMessage`.
 */

/** Data parts that tell about the conversation or the run; they reach `onData` and are no parts of the message. */
const transientParts = ['data-reading', 'data-session', 'data-run', 'data-attachment']

const reconnectDelaysMs = [1_000, 2_000, 5_000, 10_000]

/** How long a stream may be silent: the server sends a heartbeat every 10 seconds. */
const maxSilenceMs = 25_000

export interface AssistantTransportOptions {
  /** origin of the deployment, e.g. `https://chat.example.com` */
  origin: string
  /** called for every request; the access token of the user pool */
  getAccessToken: () => Promise<string>
  fetch?: typeof globalThis.fetch
}

/** An error response of the deployment; `message` is a sentence for the user. */
export class AssistantError extends Error {
  readonly status: number
  readonly code: string

  constructor(status: number, { error, code }: { error?: string; code?: string }) {
    super(error ?? `The server responded with status ${status}.`)
    this.status = status
    this.code = code ?? 'unknown'
  }
}

interface StoredMessage {
  content: string
  tool_calls: { result: { success: boolean; data?: unknown; error?: string } }[]
  role: string
}

type Chunk = UIMessageChunk & Record<string, unknown>

export class AssistantTransport<Message extends UIMessage = UIMessage> implements ChatTransport<Message> {
  /** `reconnectToStream` sends the reply from its beginning */
  readonly resumeStreamIsReplay = true
  readonly #options: AssistantTransportOptions
  /** ids under which the server knows messages that were sent again */
  readonly #resentIds = new Map<string, string>()

  constructor(options: AssistantTransportOptions) {
    this.#options = options
  }

  sendMessages: ChatTransport<Message>['sendMessages'] = async (options) => {
    const { chatId, messages, abortSignal } = options
    const last = messages.at(-1)
    if (!last) throw new Error('There is no message to send.')
    const response =
      last.role === 'assistant'
        ? await this.#sendApprovals(chatId, last)
        : await this.#sendUserMessage(last, options)
    return this.#read(chatId, response, abortSignal)
  }

  reconnectToStream: ChatTransport<Message>['reconnectToStream'] = async ({ chatId, abortSignal }) => {
    const response = await this.#request('GET', runPath(chatId, 'events'), { accept: 'text/event-stream' })
    if (response.status === 404) return null
    return this.#read(chatId, await requireOk(response), abortSignal)
  }

  /** Ends the reply that is being written, whichever client has sent the message. */
  async stop(chatId: string): Promise<void> {
    await requireOk(await this.#request('POST', runPath(chatId, 'stop'), {}, {}))
  }

  #sendUserMessage(
    last: Message,
    { chatId, messageId, trigger, body }: Parameters<ChatTransport<Message>['sendMessages']>[0],
  ): Promise<Response> {
    const text = last.parts.map((part) => (part.type === 'text' ? part.text : '')).join('')
    // an edited message, or one whose reply is regenerated, takes the place of the one before
    const isResent = trigger === 'regenerate-message' || messageId !== undefined
    const replaces = isResent ? (this.#resentIds.get(last.id) ?? last.id) : undefined
    const id = isResent ? crypto.randomUUID() : last.id
    if (isResent) this.#resentIds.set(last.id, id)
    const message = { role: 'user', content: text }
    const request = { messages: [message], sessionId: chatId, messageId: id, replaces, ...body }
    return this.#request('POST', '/functions/v1/chat-openai', { accept: 'text/event-stream' }, request).then(
      requireOk,
    )
  }

  /** Sends the decisions of the user one by one; the response to the last one is the rest of the reply. */
  async #sendApprovals(chatId: string, reply: Message): Promise<Response> {
    const { runId } = (reply.metadata ?? {}) as { runId?: string }
    let response: Response | undefined
    for (const part of reply.parts) {
      if (!isToolUIPart(part) || part.state !== 'approval-responded' || part.approval.isAutomatic) continue
      await response?.body?.cancel()
      const { id: callId, approved } = part.approval
      response = await this.#request(
        'POST',
        runPath(chatId, 'answer'),
        { accept: 'text/event-stream' },
        { runId, callId, approved },
      ).then(requireOk)
    }
    if (!response) throw new Error('There is no decision to send.')
    return response
  }

  async #request(
    method: string,
    path: string,
    headers: Record<string, string>,
    body?: unknown,
  ): Promise<Response> {
    const { origin, getAccessToken, fetch = globalThis.fetch } = this.#options
    return fetch(origin + path, {
      method,
      headers: {
        authorization: `Bearer ${await getAccessToken()}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
  }

  #read(chatId: string, first: Response, abortSignal?: AbortSignal): ReadableStream<UIMessageChunk> {
    const chunks = this.#chunks(chatId, first)
    let isOver = false
    const end = async () => {
      isOver = true
      // a generator that waits for bytes ends with them
      void chunks.return(undefined).catch(() => undefined)
    }
    return new ReadableStream<UIMessageChunk>({
      start: (controller) => {
        const abort = () => {
          if (isOver) return
          controller.error(abortSignal?.reason)
          void end()
          this.stop(chatId).catch(() => undefined)
        }
        if (abortSignal?.aborted) abort()
        else abortSignal?.addEventListener('abort', abort, { once: true })
      },
      async pull(controller) {
        try {
          const { done, value } = await chunks.next()
          if (isOver) return
          isOver = done === true
          if (done) controller.close()
          else controller.enqueue(value)
        } catch (error) {
          if (!isOver) controller.error(error)
          isOver = true
        }
      },
      // a reader that leaves does not stop the reply
      cancel: end,
    })
  }

  /** The chunks of a reply to its end, over as many connections as it takes. */
  async *#chunks(chatId: string, first: Response): AsyncGenerator<UIMessageChunk> {
    const reply = new ReceivedReply()
    let response: Response | undefined = first
    let position = ''
    for (let failures = 0; ;) {
      if (response?.body) {
        try {
          for await (const { id, data } of readEvents(response.body)) {
            failures = 0
            position = id ?? position
            if (data === '[DONE]') return
            const chunk = JSON.parse(data) as Chunk
            if (chunk.type === 'data-reply') yield* reply.complete(chunk['data'] as never)
            else if (reply.accept(chunk))
              yield transientParts.includes(chunk.type) ? { ...chunk, transient: true } : chunk
          }
        } catch (error) {
          if (error instanceof SyntaxError) throw error
          // the connection broke: the next one continues where it ended
        }
      }
      if (failures > 0) {
        const delayMs = reconnectDelaysMs[Math.min(failures, reconnectDelaysMs.length) - 1]
        await new Promise((resolve) => setTimeout(resolve, delayMs))
      }
      failures += 1
      const headers = { accept: 'text/event-stream', ...(position !== '' && { 'last-event-id': position }) }
      response = await this.#request('GET', runPath(chatId, 'events'), headers).catch(() => undefined)
      if (response && response.status >= 400 && response.status < 500 && response.status !== 429)
        await requireOk(response)
    }
  }
}

const runPath = (chatId: string, action: 'events' | 'stop' | 'answer') =>
  `/api/sessions/${encodeURIComponent(chatId)}/run/${action}`

async function requireOk(response: Response): Promise<Response> {
  if (response.ok) return response
  const body = (await response.json().catch(() => ({}))) as { error?: string; code?: string }
  throw new AssistantError(response.status, body)
}

/** What has arrived of a reply, so that the rest can be told from its stored form. */
class ReceivedReply {
  #reply = emptyReply
  #openText: string | undefined
  #openReasoning: string | undefined

  /** @returns false for a delta without a beginning, which a client could not place */
  accept(chunk: Chunk): boolean {
    this.#reply = foldReply(this.#reply, chunk as unknown as ChatEvent)
    switch (chunk.type) {
      case 'text-start':
        this.#openText = chunk.id
        return true
      case 'text-delta':
        return this.#openText === chunk.id
      case 'text-end':
        return takeOpen(chunk.id, this.#openText, () => (this.#openText = undefined))
      case 'reasoning-start':
        this.#openReasoning = chunk.id
        return true
      case 'reasoning-delta':
        return this.#openReasoning === chunk.id
      case 'reasoning-end':
        return takeOpen(chunk.id, this.#openReasoning, () => (this.#openReasoning = undefined))
      default:
        return true
    }
  }

  /** The rest of a reply that ended while nobody was connected. */
  *complete({ messages }: { messages: StoredMessage[] }): Generator<UIMessageChunk> {
    const reply = messages.find(({ role }) => role === 'assistant')
    if (this.#openReasoning !== undefined) yield { type: 'reasoning-end', id: this.#openReasoning }
    this.#openReasoning = undefined
    for (const [index, call] of this.#reply.toolCalls.entries()) {
      const { id } = call
      const result = reply?.tool_calls[index]?.result
      if (isCallEnded(call) || !result) continue
      yield result.success
        ? { type: 'tool-output-available', toolCallId: id, output: result.data ?? null }
        : { type: 'tool-output-error', toolCallId: id, errorText: result.error ?? '' }
    }
    const { text } = this.#reply
    const rest = reply?.content.startsWith(text) ? reply.content.slice(text.length) : ''
    const id = this.#openText ?? 'text-rest'
    if (rest !== '') {
      if (this.#openText === undefined) yield { type: 'text-start', id }
      yield { type: 'text-delta', id, delta: this.#openText === undefined ? rest.trimStart() : rest }
    }
    if (rest !== '' || this.#openText !== undefined) yield { type: 'text-end', id }
    this.#openText = undefined
  }
}

function takeOpen(id: string, open: string | undefined, close: () => void): boolean {
  if (id === open) close()
  return id === open
}

/** Server-sent events of a body. @throws when the connection breaks or is silent for too long */
async function* readEvents(
  body: ReadableStream<Uint8Array>,
): AsyncGenerator<{ id: string | undefined; data: string }> {
  const reader = body
    .pipeThrough(new TextDecoderStream() as never)
    .getReader() as ReadableStreamDefaultReader<string>
  let buffer = ''
  try {
    for (;;) {
      const { done, value } = await withSilenceLimit(reader.read())
      if (done) return
      buffer += value
      const frames = buffer.split('\n\n')
      buffer = frames.pop() ?? ''
      for (const frame of frames) {
        const fields = frame.split('\n').map((line) => /^(id|data): (.*)$/.exec(line) ?? [])
        const data = fields.find(([, name]) => name === 'data')?.[2]
        if (data !== undefined) yield { id: fields.find(([, name]) => name === 'id')?.[2], data }
      }
    }
  } finally {
    await reader.cancel().catch(() => undefined)
  }
}

async function withSilenceLimit<Result>(read: Promise<Result>): Promise<Result> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const silence = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('the connection is silent')), maxSilenceMs)
  })
  try {
    return await Promise.race([read, silence])
  } finally {
    clearTimeout(timer)
  }
}
