import { parseRetryAfter } from '#shared/retry-after.ts'
import { wait } from '../platform/clock.ts'
import { AppError } from '../platform/errors.ts'
import type { OutboundHttp } from '../platform/net/outbound-http.ts'
import { encryptPush } from './encrypt.ts'
import type { PushSubscription } from './subscription-repository.ts'

export interface PushMessage {
  /** at most `maxMessageBytes` */
  text: string
  /** newer messages replace undelivered ones of the same topic */
  topic: string
  /** whether the device may be woken up */
  isUrgent: boolean
}

/** `gone`: the browser has unsubscribed; `failed`: not delivered, for now */
export type PushOutcome = 'sent' | 'gone' | 'failed'

const attempts = 3
/** between two attempts, unless the push service names another time */
const pauseMs = 2_000
const maxPauseMs = 10_000
/** how long a push service stores what it cannot deliver: a day */
const ttlSeconds = 86_400

const isTemporary = (status: number) => status === 429 || status >= 500

/**
 * Sends a message to a browser (RFC 8030), encrypted for it.
 * @param sign makes the value of `authorization` for a push service
 * @returns with what it answered last, for the log; never throws for what the push service does
 */
export async function sendPush(
  { http, sign }: { http: Pick<OutboundHttp, 'request'>; sign: (audience: string) => Promise<string> },
  { endpoint, keys }: PushSubscription,
  { text, topic, isUrgent }: PushMessage,
): Promise<{ outcome: PushOutcome; status?: number; error?: unknown }> {
  const body = await encryptPush(text, keys)
  const request = {
    method: 'POST',
    headers: {
      authorization: await sign(new URL(endpoint).origin),
      'content-encoding': 'aes128gcm',
      'content-type': 'application/octet-stream',
      ttl: String(ttlSeconds),
      urgency: isUrgent ? 'high' : 'normal',
      topic,
    },
    data: body,
  }
  for (let attempt = 1; ; attempt += 1) {
    const result = await http.request(endpoint, request).then(
      async ({ status, headers, body: answer }) => {
        await answer?.cancel()
        return { status, retryAfter: headers.get('retry-after') }
      },
      (error: unknown) => {
        if (error instanceof AppError) return { error }
        throw error
      },
    )
    const { status } = 'status' in result ? result : {}
    if (status !== undefined && status < 300) return { outcome: 'sent', status }
    if (status === 404 || status === 410) return { outcome: 'gone', status }
    const isFinal = status === undefined ? isForbidden(result) : !isTemporary(status)
    if (isFinal || attempt === attempts) return { outcome: 'failed', ...result }
    const retryAfterSeconds = 'retryAfter' in result ? parseRetryAfter(result.retryAfter) : undefined
    const waitMs = retryAfterSeconds === undefined ? pauseMs * attempt : retryAfterSeconds * 1_000
    if (waitMs > maxPauseMs) return { outcome: 'failed', ...result }
    await wait(waitMs)
  }
}

/** An address that may not be called, which another attempt does not change. */
const isForbidden = (result: object) =>
  'error' in result && result.error instanceof AppError && result.error.code === 'address_forbidden'
