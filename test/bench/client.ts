import { randomUUID } from 'node:crypto'
import { Agent, request, type IncomingMessage } from 'node:http'
import { once } from 'node:events'
import type { Product } from './product.ts'
import { question, type Pace } from './pace.ts'

/** One HTTP client for both sides of a comparison: the same library, the same keep-alive connections. */
const agent = new Agent({ keepAlive: true, maxSockets: Infinity, maxFreeSockets: Infinity })

export interface ReplyTimes {
  /** from the request to the first text, in ms */
  firstTokenMs: number
  /** delay of each token from the model to the client, in ms */
  delaysMs: number[]
}

interface AskOptions {
  url: string
  headers: Record<string, string>
  /** an object is sent as JSON */
  body: object | FormData
  /** what the last part of a complete stream contains */
  end?: string
  /** a token in the stream, with the time at which it was sent */
  token?: RegExp
  /** called with each token's delay as it arrives */
  onToken?: ((delayMs: number) => void) | undefined
}

const tokens = /t(\d{6,}) /g

/** @throws Error unless the response is a complete stream with text */
export async function ask({
  url,
  headers,
  body,
  end = '[DONE]',
  token = tokens,
  onToken,
}: AskOptions): Promise<ReplyTimes> {
  const form = body instanceof FormData ? new Response(body) : undefined
  const content = form ? Buffer.from(await form.arrayBuffer()) : JSON.stringify(body)
  const startedAt = performance.now()
  const outgoing = request(url, {
    agent,
    method: 'POST',
    headers: { ...headers, 'content-type': form?.headers.get('content-type') ?? 'application/json' },
  })
  outgoing.end(content)
  const [response] = (await once(outgoing, 'response')) as [IncomingMessage]
  response.setEncoding('utf8')
  const delaysMs: number[] = []
  let firstTokenMs: number | undefined
  let received = ''
  for await (const text of response as AsyncIterable<string>) {
    const nowUs = Number(process.hrtime.bigint() / 1_000n)
    for (const [, sentUs] of text.matchAll(token)) {
      firstTokenMs ??= performance.now() - startedAt
      const delayMs = (nowUs - Number(sentUs)) / 1_000
      delaysMs.push(delayMs)
      onToken?.(delayMs)
    }
    received = (received + text).slice(-400)
  }
  if (response.statusCode !== 200 || firstTokenMs === undefined || !received.includes(end))
    throw new Error(`${url} answered ${response.statusCode}: ${received}`)
  return { firstTokenMs, delaysMs }
}

type Access = Pick<Product, 'origin' | 'accessToken'>

export interface Turn {
  sessionId: string
  pace: Pace
  /** length of the question */
  characters?: number
  onToken?: (delayMs: number) => void
}

const turnRequest = (product: Access, { sessionId, pace, characters }: Turn) => ({
  url: `${product.origin}/functions/v1/chat-openai`,
  headers: { authorization: `Bearer ${product.accessToken}`, accept: 'text/event-stream' },
  body: {
    sessionId,
    messageId: randomUUID(),
    messages: [{ role: 'user', content: question(pace, characters) }],
  },
})

/** Sends a message and reads its streamed reply; resolves when the reply is saved. */
export function sendTurn(product: Access, turn: Turn): Promise<ReplyTimes> {
  return ask({ ...turnRequest(product, turn), onToken: turn.onToken })
}

/**
 * The same with a client that reads a byte of the response now and then, or nothing at all.
 * @returns closes the connection
 */
export function sendTurnAndRead(product: Access, turn: Turn, everyMs: number | 'never'): () => void {
  const { url, headers, body } = turnRequest(product, turn)
  const outgoing = request(url, {
    agent: false,
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
  })
  let timer: NodeJS.Timeout | undefined
  // without a `data` listener the response is not read
  outgoing.on('response', (response) => {
    if (everyMs !== 'never') timer = setInterval(() => void response.read(1), everyMs)
  })
  // the connection is closed in the end
  outgoing.on('error', () => undefined)
  outgoing.end(JSON.stringify(body))
  return () => {
    clearInterval(timer)
    outgoing.destroy()
  }
}

/** Sends the same question to the model itself, with the history, which a direct caller has to include. */
export function askModel(
  { modelUrl }: Pick<Product, 'modelUrl'>,
  { pace, before = [], onToken }: { pace: Pace; before?: object[]; onToken?: (delayMs: number) => void },
): Promise<ReplyTimes> {
  return ask({
    url: `${modelUrl}/chat/completions`,
    headers: { authorization: 'Bearer none' },
    body: {
      model: 'bench',
      stream: true,
      stream_options: { include_usage: true },
      messages: [...before, { role: 'user', content: question(pace) }],
    },
    onToken,
  })
}
