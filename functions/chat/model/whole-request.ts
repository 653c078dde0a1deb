import { ModelError, modelErrors } from './model-errors.ts'
import { post, type ModelServerAccess, type PostRequest } from './post.ts'
import { parseWhole } from './read-answer.ts'
import { toModelError } from './request-errors.ts'

/** A model behind any OpenAI-compatible server that answers with a whole result, as those of images and transcriptions do. */
export interface WholeModelSettings extends ModelServerAccess {
  model: string
}

/**
 * Sends one request and reads the whole answer.
 * @returns the JSON of the answer
 * @throws ModelError, also for an answer above the limit, or the reason of the aborted signal
 */
export async function requestWhole(
  settings: WholeModelSettings,
  { maxResponseBytes, ...request }: Omit<PostRequest, 'onBytes'> & { maxResponseBytes: number },
): Promise<unknown> {
  let size = 0
  const pieces: Uint8Array[] = []
  try {
    const body = await post(settings, {
      ...request,
      onBytes(bytes) {
        size += bytes.length
        if (size > maxResponseBytes)
          throw new ModelError(modelErrors.unreadable, `an answer of ${size} bytes`)
      },
    })
    for await (const piece of body) pieces.push(piece)
    return parseWhole(Buffer.concat(pieces).toString()).values[0]
  } catch (error) {
    request.signal.throwIfAborted()
    throw toModelError(error, false)
  }
}
