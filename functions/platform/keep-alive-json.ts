import { setTimeout as sleep } from 'node:timers/promises'
import { StreamedAnswer } from './api-function.ts'
import { jsonHeaders } from './error-response.ts'

const heartbeatMs = 5_000

/** White space until the outcome is there, then its JSON: no proxy on the way takes the silence for a dead connection. */
async function* chunksOf(outcome: Promise<unknown>): AsyncGenerator<string> {
  const beat = Symbol('beat')
  for (;;) {
    const timer = new AbortController()
    const next = await Promise.race([
      outcome,
      sleep(heartbeatMs, beat, { signal: timer.signal }).catch(() => beat),
    ])
    timer.abort()
    if (next !== beat) return yield JSON.stringify(next)
    yield ' '
  }
}

/**
 * A JSON answer that may take minutes.
 * @param outcome never rejects: the status is long sent, so a field of it tells whether it went well
 */
export const keepAliveJson = (outcome: Promise<unknown>) =>
  new StreamedAnswer({ headers: { ...jsonHeaders }, chunks: chunksOf(outcome), finished: outcome })
