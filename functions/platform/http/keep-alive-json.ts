import { streamHeartbeatMs } from '#shared/limits.ts'
import { StreamedResponse } from './api-function.ts'
import { jsonHeaders } from './error-response.ts'
import { withTimeout } from '../with-timeout.ts'

/** White space until the result is there, then its JSON, so that no proxy closes an idle connection. */
async function* writeHeartbeats(outcome: Promise<unknown>): AsyncGenerator<string> {
  for (;;) {
    const done = await withTimeout(outcome, streamHeartbeatMs)
    if (done) return yield JSON.stringify(done.result)
    yield ' '
  }
}

/**
 * A JSON response that may take minutes.
 * @param outcome never rejects: the status 200 has already been sent, so a field of the outcome tells success
 * @param finished settles when the function's work ends, if that is later
 */
export const keepAliveJson = (outcome: Promise<unknown>, finished: Promise<unknown> = outcome) =>
  new StreamedResponse({ headers: { ...jsonHeaders }, chunks: writeHeartbeats(outcome), finished })
