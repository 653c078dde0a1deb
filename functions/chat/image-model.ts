import OpenAI from 'openai'
import { modelFault } from './model-faults.ts'

interface MadeImage {
  bytes: Uint8Array
  type: 'image/png' | 'image/jpeg' | 'image/webp'
}

export interface ImageModel {
  /** @throws Error with a message that the conversation's model may read */
  make(prompt: string, signal: AbortSignal): Promise<MadeImage>
}

const maxBytes = 20 * 1024 * 1024

function typeOf(bytes: Uint8Array): MadeImage['type'] | undefined {
  const begin = Buffer.from(bytes.subarray(0, 12)).toString('latin1')
  if (begin.startsWith('\u0089PNG')) return 'image/png'
  if (begin.startsWith('\u00ff\u00d8\u00ff')) return 'image/jpeg'
  return begin.slice(8) === 'WEBP' ? 'image/webp' : undefined
}

/** Some servers answer with an address: it must be of https, or of the model's own server, and is read once, here. */
async function download(
  address: string,
  baseUrl: string | undefined,
  signal: AbortSignal,
): Promise<Uint8Array> {
  const url = URL.parse(address)
  if (!url || (url.protocol !== 'https:' && url.origin !== URL.parse(baseUrl ?? '')?.origin))
    throw new Error('The image model answered with an address that is not used.')
  const response = await fetch(url, { signal, redirect: 'error' })
  if (!response.ok || !response.body) throw new Error('The image could not be fetched from the image model.')
  const parts: Uint8Array[] = []
  let size = 0
  for await (const part of response.body) {
    size += part.length
    if (size > maxBytes) throw new Error('The image is too large.')
    parts.push(part)
  }
  return Buffer.concat(parts)
}

/** The image model behind any OpenAI-compatible server (DEC-040). */
export function openImageModel(settings: {
  baseUrl: string | undefined
  model: string
  readKey: () => Promise<string>
}): ImageModel {
  return {
    async make(prompt, signal) {
      const client = new OpenAI({
        apiKey: async () => (await settings.readKey()) || 'none',
        baseURL: settings.baseUrl ?? null,
        maxRetries: 1,
        logLevel: 'off',
      })
      const { data } = await client.images
        .generate({ model: settings.model, prompt, n: 1 }, { signal })
        .catch((error: unknown) => {
          signal.throwIfAborted()
          const fault = modelFault(error, false)
          throw new Error(fault.sentence, { cause: fault })
        })
      const { b64_json: encoded, url } = data?.[0] ?? {}
      const bytes = encoded
        ? Buffer.from(encoded, 'base64')
        : url
          ? await download(url, settings.baseUrl, signal)
          : undefined
      const type = bytes && typeOf(bytes)
      if (!bytes || !type || bytes.length > maxBytes) throw new Error('The image model gave no usable image.')
      return { bytes, type }
    },
  }
}
