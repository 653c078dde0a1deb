import OpenAI from 'openai'
import { instrumentedFetch } from './instrumented-fetch.ts'
import { ModelError, modelErrors } from './model-errors.ts'
import { toModelError } from './openai-errors.ts'

/** A model behind any OpenAI-compatible server that answers with a whole result, as those of images and transcriptions do. */
export interface WholeModelSettings {
  baseUrl: string | undefined
  model: string
  readKey: () => Promise<string>
  /** sends the requests; `fetch` without it */
  fetch?: typeof fetch
}

/**
 * Sends one request with OpenAI's client library and reads the whole answer.
 * @throws ModelError, also for an answer above the limit, or the reason of the aborted signal
 */
export async function requestWhole<T>(
  { baseUrl, readKey, fetch: sendOnce }: WholeModelSettings,
  { maxResponseBytes, signal }: { maxResponseBytes: number; signal: AbortSignal },
  send: (client: OpenAI) => PromiseLike<T>,
): Promise<T> {
  let size = 0
  const client = new OpenAI({
    apiKey: async () => (await readKey()) || 'none',
    baseURL: baseUrl ?? null,
    maxRetries: 1,
    logLevel: 'off',
    fetch: instrumentedFetch((bytes) => {
      size += bytes.length
      if (size > maxResponseBytes) throw new ModelError(modelErrors.unreadable, `an answer of ${size} bytes`)
    }, sendOnce),
  })
  try {
    return await send(client)
  } catch (error) {
    signal.throwIfAborted()
    throw toModelError(error, false)
  }
}
