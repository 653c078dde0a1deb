import type { ModelApi, ModelApiCall, ModelRound, ModelSettings } from './model.ts'
import { post, type PostRequest } from './post.ts'
import { readAnswer, type AnswerReader } from './read-answer.ts'
import { toModelError } from './request-errors.ts'
import { RoundBuilder } from './round-builder.ts'
import { watchStream } from './stream-limits.ts'

/** One request of an API, and what reads its answer. */
export interface RoundRequest extends Pick<PostRequest, 'path' | 'body' | 'headers'> {
  api: ModelApi
  openReader: (round: RoundBuilder) => AnswerReader
}

/**
 * Sends one request for a stream and reads the answer as it arrives, within the limits of an answer.
 * @throws ModelError, or the reason of the call's aborted signal
 */
export async function requestRound(
  settings: ModelSettings,
  call: ModelApiCall,
  { api, openReader, ...request }: RoundRequest,
): Promise<ModelRound> {
  const watch = watchStream(call.effort, settings)
  const round = new RoundBuilder(call)
  const reader = openReader(round)
  const signal = AbortSignal.any([call.signal, watch.signal])
  try {
    const body = await post(settings, { ...request, signal, onBytes: watch.onBytes })
    const isDone = await readAnswer(body, reader, round)
    call.signal.throwIfAborted()
    return round.build(isDone, () => {
      const items = reader.listItems()
      return items && { api, model: settings.model, items }
    })
  } catch (error) {
    if (call.signal.aborted) throw call.signal.reason
    if (watch.signal.aborted) throw watch.signal.reason
    throw toModelError(error, round.hasStarted)
  } finally {
    watch.end()
  }
}
