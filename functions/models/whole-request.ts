import OpenAI, { APIConnectionError } from 'openai'
import { ModelError, modelErrors } from './model-errors.ts'
import { openAiBaseUrl, post, type ModelServerAccess } from './post.ts'
import { parseWhole } from './read-answer.ts'
import { toModelError } from './request-errors.ts'

/** A model behind any OpenAI-compatible server that answers with a whole result, as those of images and transcriptions do. */
export interface WholeModelSettings extends ModelServerAccess {
  model: string
}

/**
 * Sends one request with OpenAI's client library and reads the whole answer. The library has the forms of requests and answers; sending,
 * trying again and errors are those of all requests to models.
 * @throws ModelError, also for an answer above the limit, or the reason of the aborted signal
 */
export async function requestWhole<T>(
  settings: WholeModelSettings,
  { maxResponseBytes, signal }: { maxResponseBytes: number; signal: AbortSignal },
  send: (client: OpenAI) => PromiseLike<T>,
): Promise<T> {
  const { baseUrl = openAiBaseUrl } = settings
  let size = 0
  const client = new OpenAI({
    // sent by `post`, which reads the real one
    apiKey: 'none',
    baseURL: baseUrl,
    maxRetries: 0,
    // its own log would show what people ask for
    logLevel: 'off',
    fetch: async (input, init) => {
      const url = input instanceof Request ? input.url : input.toString()
      const body = await post(settings, {
        path: url.slice(baseUrl.length),
        body: init?.body as FormData | string,
        signal,
        onBytes(bytes) {
          size += bytes.length
          if (size > maxResponseBytes)
            throw new ModelError(modelErrors.unreadable, `an answer of ${size} bytes`)
        },
      })
      const pieces: Uint8Array[] = []
      for await (const piece of body) pieces.push(piece)
      // some servers send JSON under another type, or as text
      return Response.json(parseWhole(Buffer.concat(pieces).toString()).values[0])
    },
  })
  try {
    return await send(client)
  } catch (error) {
    signal.throwIfAborted()
    throw toModelError(error instanceof APIConnectionError ? error.cause : error, false)
  }
}
