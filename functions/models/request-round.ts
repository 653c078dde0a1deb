import type { ModelApi, ModelApiCall, ModelRound, ModelSettings } from './model.ts'
import { post, waitToRepeat, type PostRequest } from './post.ts'
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
 * Sends one request for a stream and reads the answer as it arrives, within the limits of an answer. A stream that begins with an error
 * which may be over in a moment is asked for once more.
 * @throws ModelError, or the reason of the call's aborted signal
 */
export async function requestRound(
  settings: ModelSettings,
  call: ModelApiCall,
  { api, openReader, ...request }: RoundRequest,
): Promise<ModelRound> {
  const watch = watchStream(call.effort, settings)
  const signal = AbortSignal.any([call.signal, watch.signal])
  let round = new RoundBuilder(call)
  let reader = openReader(round)
  try {
    let isDone: boolean
    for (let isLast = false; ; isLast = true) {
      const body = await post(settings, { ...request, signal, onBytes: watch.onBytes })
      try {
        isDone = await readAnswer(body, reader, round)
        break
      } catch (error) {
        if (isLast || round.hasStarted) throw error
        await waitToRepeat(error, signal)
        round = new RoundBuilder(call)
        reader = openReader(round)
      }
    }
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
