import * as z from 'zod'
import { ModelError, modelErrors } from './model-errors.ts'
import { toFields } from './fields.ts'
import { readTokenCount } from './token-counts.ts'
import { estimateTextTokens } from './token-estimate.ts'
import { requestWhole, type WholeModelSettings } from './whole-request.ts'

interface Embeddings {
  /** one for each text, all of one length */
  vectors: Float32Array[]
  /** that the server has counted, or an estimate */
  tokens: number
}

type TextRole = 'query' | 'passage'

export interface EmbeddingModel {
  /** vectors of different models are not compared */
  readonly name: string
  /**
   * @param texts none of them blank, at most `embeddingsPerRequest`
   * @param role of the texts in a search
   * @throws ModelError, or the reason of the aborted signal
   */
  embed(texts: readonly string[], role: TextRole, signal: AbortSignal): Promise<Embeddings>
}

/** Hugging Face's server takes no more, unless it is told to. */
export const embeddingsPerRequest = 32
/** 32 vectors of 8,192 dimensions, as numbers with twenty digits. */
const maxResponseBytes = 8 * 1024 * 1024
const maxDimensions = 8_192

const answer = z.object({
  data: z.array(
    z.object({ index: z.int().optional(), embedding: z.union([z.array(z.number()), z.base64()]) }),
  ),
  usage: z.unknown().optional(),
})

/**
 * What models were trained to read before a text, as their cards on Hugging Face say; servers do not add it. E5 that follows instructions
 * (`e5-mistral`, `-instruct`) wants other ones.
 */
const prefixes: readonly (readonly [model: RegExp, Record<TextRole, string>])[] = [
  [/(?:^|[/-])e5-(?!mistral)(?!.*instruct)/i, { query: 'query: ', passage: 'passage: ' }],
  [/nomic-embed-text/i, { query: 'search_query: ', passage: 'search_document: ' }],
]

/** Base64 has little-endian numbers of four bytes. */
function toVector(embedding: readonly number[] | string): Float32Array {
  if (typeof embedding !== 'string') return Float32Array.from(embedding)
  const bytes = new Uint8Array(Buffer.from(embedding, 'base64'))
  return new Float32Array(bytes.buffer, 0, Math.floor(bytes.length / 4))
}

const unreadable = (detail: string, cause?: unknown) =>
  new ModelError(modelErrors.unreadable, detail, { cause })

/** The embedding model behind any OpenAI-compatible server. */
export function openEmbeddingModel(settings: WholeModelSettings): EmbeddingModel {
  const prefix = prefixes.find(([model]) => model.test(settings.model.slice(0, 200)))?.[1]
  return {
    name: settings.model,
    async embed(texts, role, signal) {
      // no `encoding_format`: some servers know none, and floats are the default of all
      const body = { model: settings.model, input: prefix ? texts.map((text) => prefix[role] + text) : texts }
      const response = await requestWhole<unknown>(settings, { maxResponseBytes, signal }, (client) =>
        client.post('/embeddings', { body, signal }),
      )
      const parsed = answer.safeParse(response)
      if (!parsed.success) throw unreadable('no embeddings', parsed.error)
      const { data, usage } = parsed.data
      const vectors: Float32Array[] = []
      for (const [position, { index = position, embedding }] of data.entries())
        vectors[index] = toVector(embedding)
      const dimensions = vectors[0]?.length ?? 0
      const isWhole =
        data.length === texts.length &&
        dimensions > 0 &&
        dimensions <= maxDimensions &&
        texts.every((_, at) => vectors[at]?.length === dimensions && vectors[at].every(Number.isFinite))
      if (!isWhole) throw unreadable(`${data.length} embeddings of ${texts.length} texts`)
      const { prompt_tokens, total_tokens } = toFields(usage)
      const counted = readTokenCount(prompt_tokens) ?? readTokenCount(total_tokens)
      return { vectors, tokens: counted ?? estimateTextTokens(texts.join('')) }
    },
  }
}
