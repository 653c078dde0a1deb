import type { modelApis } from '#shared/model-apis.ts'
import type { ModelServerAccess } from './post.ts'

/**
 * The language model as a reply sees it, whatever API its server speaks. Messages have the form of Chat Completions, which is also how
 * waiting runs store them; each API translates them into its own.
 */

export type ModelApi = (typeof modelApis)[number]

type TextOrImage =
  | { type: 'text'; text: string }
  | { type: 'image_url'; /** a data URL */ image_url: { url: string } }

/** A PDF, for the APIs that take them. */
export interface PdfPart {
  type: 'file'
  file: { filename: string; /** a data URL */ file_data: string }
  /** how many it has */
  pages: number
  /** what stands for it elsewhere */
  instead: TextOrImage[]
}

export type ContentPart = TextOrImage | PdfPart

/**
 * An answer as its server gave it: the items of Responses, the blocks of Messages, the one message of Chat Completions, in their order and
 * with all that the server wants back (ids, signatures, encrypted reasoning, phases). Cleaned once when it is read, then stored and sent
 * as it is, and only to the API and model that it came from: others get the text and the calls.
 */
export interface Answer {
  api: ModelApi
  model: string
  items: Record<string, unknown>[]
}

/** An image that a tool returned. A waiting run stores the id of its file alone. */
export interface ToolImage {
  /** a data URL */
  url?: string
  /** absent in a temporary chat */
  fileId?: string
}

export type ModelMessage =
  | { role: 'system'; content: string }
  | { role: 'user'; content: string | ContentPart[] }
  | {
      role: 'assistant'
      content: string | null
      tool_calls?: {
        id: string
        type: 'function'
        function: Omit<ModelToolCall, 'id'>
      }[]
      /** the same as its server gave it, if that is more than the text and the calls */
      answer?: Answer
      /** its thinking goes on in the next answer */
      isThinking?: boolean
    }
  | { role: 'tool'; tool_call_id: string; content: string; images?: ToolImage[] }

export interface ModelTool {
  type: 'function'
  function: { name: string; description?: string; /** JSON Schema */ parameters?: Record<string, unknown> }
  /** of a server that the product does not write; not sent */
  isForeign?: true
}

export interface ModelToolCall {
  id: string
  name: string
  /** JSON as the model wrote it, unchecked */
  arguments: string
  /** the answer ended before they did: at its limit of length, or by a fault or filter of the server */
  cutBy?: 'length' | 'fault'
}

/** A page that the model's own web search cites. */
export interface Source {
  url: string
  title?: string
}

/** One answer of the model: text, and the tools it wants called before it continues. */
export interface ModelRound {
  text: string
  toolCalls: ModelToolCall[]
  /** the answer is not complete */
  truncated: boolean
  /** why, where the server says so */
  incompleteReason?: 'length' | 'filter'
  /** its server waits to be asked again */
  isPaused?: true
  /** all tokens of the prompt, the cached ones included */
  inputTokens: number
  outputTokens: number
  /** those of `inputTokens` that the server had in its cache */
  cachedInputTokens?: number
  /** those of `inputTokens` that the server wrote into its cache, where it counts them */
  cacheWriteTokens?: number
  /** those of `outputTokens` that were reasoning */
  reasoningTokens?: number
  /** searches of the web that the server bills */
  webSearches?: number
  /** as the server gave it, if that is more than the text and the calls */
  answer?: Answer
  /** it ends with calls in the middle of a thought, which the next answer goes on with */
  isThinking?: boolean
}

/**
 * What a request leaves out: `images` for a model that is known to see none, the others because the server rejected them; `someTools` and
 * `someImages` are those that it named, `webSearch` is the server's own.
 */
export type Omission =
  | 'tools'
  | 'someTools'
  | 'webSearch'
  | 'images'
  | 'refusedImages'
  | 'someImages'
  | 'effort'

/** What of several is left out: names of tools, sizes of images. */
export interface Omitted {
  names: readonly string[]
  /** of an image, as its server names it: `8000 pixels` */
  limit?: string | undefined
}

export interface ModelCall {
  messages: ModelMessage[]
  tools: ModelTool[]
  /** false: the model is shown the tools, and has to answer without them */
  mayCall?: boolean
  signal: AbortSignal
  /** how often the model's server may search the web for this answer; not at all without it */
  maxWebSearches?: number
  /** how much the model reasons; the model's own default without it */
  effort?: string
  onText: (delta: string) => void
  /** the text of this answer so far was reasoning, as its server's end of it shows */
  onTextWasReasoning?: () => void
  /** an image that the model made, as a data URL or an address */
  onImage?: (url: string) => void
  /** readable reasoning, or a summary of it; `blockId` tells one stretch of it from the next */
  onReasoning?: (delta: string, blockId: string) => void
  /** a tool call that the model is still writing: its name first, with an empty delta, then its arguments piece by piece */
  onToolInput?: (part: { id: string; name: string; delta: string }) => void
  onSource?: (source: Source) => void
  /** the model's server searched the web; called once for each search */
  onWebSearch?: () => void
  /** the server is busy and has asked to wait for so long, after which it is asked again */
  onWait?: (seconds: number) => void
  /** called once before an answer that goes without something that the server rejected */
  onOmit: (omission: Omission, omitted?: Omitted) => void
}

export interface Model {
  /** whether it may be sent PDFs: its API takes them, and its server has not refused one lately; without it, it may not */
  takesPdfs?: () => boolean | Promise<boolean>
  /** @throws ModelError; or, after an abort of the signal, its reason */
  complete(call: ModelCall): Promise<ModelRound>
}

/** A request as the client of an API sends it, without parameters that its server has rejected and that no reply misses. */
export interface ModelApiCall extends ModelCall {
  /** without a summary of the reasoning */
  omitSummary?: boolean
  /** without any parameter about reasoning: the model does none */
  omitReasoning?: boolean
  /** without the search of the model's server */
  omitWebSearch?: boolean
  /** without telling the server how often it may search */
  omitSearchLimit?: boolean
  /** without asking for the tokens used, which are then estimated */
  omitUsage?: boolean
  /** without a limit of the answer's length */
  omitOutputLimit?: boolean
  /** with a message of the assistant between the results of tools and their images: the roles have to alternate strictly */
  separatesToolImages?: boolean
  /** without marks of what the server may cache */
  omitCaching?: boolean
}

/** One API of a model's server: sends a request as it is and reads the answer. */
export interface ApiClient {
  /** @throws ModelError with the server's `rejection`; or, after an abort of the signal, its reason */
  send(call: ModelApiCall): Promise<ModelRound>
}

/** Who serves the model: any server of one of the APIs, with a key; or Amazon Bedrock, with the function's role. */
export type ModelServer = 'openai' | 'bedrock'

/**
 * Makes a picture smaller, PNG, JPEG or WebP.
 * @param limits of the longer side of each part, in pixels, and of the bytes of all
 * @returns data URLs of its parts, from top to bottom or left to right; none if it could not be read
 */
export type ScaleImage = (
  base64: string,
  limits: { maxSide: number; maxBytes: number },
  signal: AbortSignal,
) => Promise<string[]>

export interface ModelSettings extends ModelServerAccess {
  server?: ModelServer
  /** the server's name of the model */
  model: string
  /** the longest answer that is asked for, reasoning included; the server's own limit without it */
  maxOutputTokens?: number | undefined
  /** after so long without a byte the model counts as failed; more effort, longer silence */
  silenceSeconds?: number | undefined
  /** whether the model's server searches the web for it, if its API can */
  webSearch?: boolean | undefined
}
