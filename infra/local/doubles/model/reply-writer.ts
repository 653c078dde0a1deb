import { setTimeout as sleep } from 'node:timers/promises'
import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import type { Reply } from './reply-parts.ts'

/** A reply in the form of an API: what a stream is made of, and the whole. */
export interface FormattedReply {
  /** sent at once */
  head: string
  /** one for each token, sent at the pace of the model */
  tokens: string[]
  /** the regular end; a broken connection leaves it out */
  tail: string
  /** body of the response to a request without a stream */
  body: object
}

export interface Pacing {
  tokensPerSecond: number
  signal: AbortSignal
}

/** Every other token of a slow reply is followed by its silence. */
const slowStride = 2
const readingTimeMs = 500

/** @throws AbortError when the client leaves */
export async function streamReply(
  { head, tokens, tail }: FormattedReply,
  reply: Reply,
  response: ServerResponse,
  { tokensPerSecond, signal }: Pacing,
): Promise<void> {
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-cache' })
  response.write(head)
  const countDueTokens = tokenPace(tokensPerSecond, signal)
  const maxTokensPerWrite = reply.kind === 'slow' ? slowStride : tokens.length
  for (let sent = 0; sent < tokens.length;) {
    if (reply.kind === 'slow' && sent > 0) await sleep(reply.silenceMs, undefined, { signal })
    const end = Math.min(await countDueTokens(sent), sent + maxTokensPerWrite, tokens.length)
    if (!response.write(tokens.slice(sent, end).join(''))) await once(response, 'drain', { signal })
    sent = end
  }
  if (reply.kind === 'cut') {
    // a client drops what it has not read yet when the connection breaks
    await sleep(readingTimeMs, undefined, { signal })
    response.destroy()
    return
  }
  response.end(tail)
}

/** @throws AbortError when the client leaves */
export async function sendWholeReply(
  { tokens, body }: FormattedReply,
  reply: Reply,
  response: ServerResponse,
  { tokensPerSecond, signal }: Pacing,
): Promise<void> {
  const silences = reply.kind === 'slow' ? Math.floor(tokens.length / slowStride) * reply.silenceMs : 0
  await sleep((tokens.length / tokensPerSecond) * 1_000 + silences, undefined, { signal })
  if (reply.kind === 'cut') response.destroy()
  else sendJson(response, 200, body)
}

export function sendJson(response: ServerResponse, status: number, body: object): void {
  const text = JSON.stringify(body)
  response.writeHead(status, {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(text),
  })
  response.end(text)
}

/**
 * Paces a reply: `tokensPerSecond` on average, in steps as small as the system's timers allow:
 * 40 a second come one by one and 2,000 a second a few at a time.
 * @returns from each call, after waiting, how many tokens are due by then in all
 * @throws AbortError when the signal aborts
 */
export function tokenPace(tokensPerSecond: number, signal: AbortSignal): (sent: number) => Promise<number> {
  const startedAt = performance.now()
  return async (sent) => {
    const dueAt = startedAt + (sent / tokensPerSecond) * 1_000
    await sleep(Math.max(0, dueAt - performance.now()), undefined, { signal })
    return Math.max(sent + 1, Math.floor(((performance.now() - startedAt) / 1_000) * tokensPerSecond))
  }
}
