import OpenAI from 'openai'
import { doneDetector, instrumentedFetch } from './instrumented-fetch.ts'
import type { Answer, ModelCall, ModelRound, ModelSettings } from './model.ts'
import { toModelError } from './openai-errors.ts'
import { RoundBuilder } from './round-builder.ts'
import { watchStream } from './stream-limits.ts'
import { streamWholeAnswers } from './whole-answers.ts'

/**
 * Sends one request with OpenAI's client library and reads its stream, within the limits of an answer.
 * @param read sends the request, adds what arrives to the round, and gives what builds the answer as the server gave it
 * @throws ModelError, or the reason of the call's aborted signal
 */
export async function streamRound(
  settings: ModelSettings,
  call: ModelCall,
  read: (client: OpenAI, round: RoundBuilder, signal: AbortSignal) => Promise<() => Answer | undefined>,
): Promise<ModelRound> {
  const watch = watchStream(call.effort, settings)
  const done = doneDetector()
  const round = new RoundBuilder(call)
  const client = new OpenAI({
    apiKey: async () => (await settings.readKey()) || 'none',
    baseURL: settings.baseUrl ?? null,
    maxRetries: 1,
    // its own log would show what the model wrote
    logLevel: 'off',
    fetch: streamWholeAnswers(
      instrumentedFetch((bytes) => {
        watch.onBytes(bytes)
        done.onBytes(bytes)
      }, settings.fetch),
      (response) => [{ type: 'response.completed', response }],
    ),
  })
  try {
    const toAnswer = await read(client, round, AbortSignal.any([call.signal, watch.signal]))
    // the client library ends an aborted stream as if it were over
    call.signal.throwIfAborted()
    watch.signal.throwIfAborted()
    return round.build(done.isDone(), toAnswer)
  } catch (error) {
    if (call.signal.aborted) throw call.signal.reason
    if (watch.signal.aborted) throw watch.signal.reason
    throw toModelError(error, round.hasStarted)
  } finally {
    watch.end()
  }
}
