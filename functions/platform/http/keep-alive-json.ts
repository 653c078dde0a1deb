import { streamHeartbeatMs } from '#shared/limits.ts'
import { StreamedResponse } from './api-function.ts'
import { jsonHeaders } from './error-response.ts'
import { withTimeout } from '../with-timeout.ts'

/** White space until the outcome is there, then its JSON: no proxy on the way takes the silence for a dead connection. */
async function* writeHeartbeats(outcome: Promise<unknown>): AsyncGenerator<string> {
  for (;;) {
    const done = await withTimeout(outcome, streamHeartbeatMs)
    if (done) return yield JSON.stringify(done.result)
    yield ' '
  }
}

/**
 * A JSON answer that may take minutes.
 * @param outcome never rejects: the status is long sent, so a field of it tells whether it went well
 */
export const keepAliveJson = (outcome: Promise<unknown>) =>
  new StreamedResponse({ headers: { ...jsonHeaders }, chunks: writeHeartbeats(outcome), finished: outcome })
