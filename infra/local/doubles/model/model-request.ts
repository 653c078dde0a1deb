/** An invalid request; all of it goes to the caller, in the form of OpenAI's errors. */
export class InvalidRequest extends Error {
  readonly param: string | null
  readonly status: number
  readonly code: string | null

  constructor(
    message: string,
    param: string | null,
    { status = 400, code = null }: { status?: number; code?: string | null } = {},
  ) {
    super(message)
    this.param = param
    this.status = status
    this.code = code
  }
}

/** The parts of a request that the demo model reads, whatever its API. */
export interface ModelRequest {
  model: string
  messages: RequestMessage[]
  tools: OfferedTool[]
  toolChoice: 'auto' | 'none' | 'required' | { name: string }
  stream: boolean
  includeUsage: boolean
  /** longest reply in tokens */
  maxTokens: number | undefined
  /** undefined if the model does not reason */
  effort: string | undefined
  /** the request offers web search, which is the server's own tool */
  searchesWeb?: boolean
}

export interface RequestMessage {
  role: 'system' | 'user' | 'assistant' | 'tool'
  /** without parts that are not text */
  text: string
  /** types and sizes of the images sent as data URLs */
  images: { type: string; bytes: number }[]
  /** names of the tools that an assistant message called, by call id */
  calls: { id: string; name: string }[]
  toolCallId: string | undefined
}

export interface OfferedTool {
  name: string
  description: string
  parameters: JsonSchema
}

/** As much of JSON Schema as tools are described with. */
export interface JsonSchema {
  type?: string | string[]
  description?: string
  enum?: unknown[]
  default?: unknown
  format?: string
  pattern?: string
  minimum?: number
  maximum?: number
  properties?: Record<string, JsonSchema>
  required?: string[]
  items?: JsonSchema
}

/** @throws InvalidRequest for what is no data URL of an image */
export function parseImage(url: string, param: string): RequestMessage['images'][number] {
  const [, type, data] = /^data:(image\/(?:png|jpeg|gif|webp));base64,([A-Za-z0-9+/=]+)$/.exec(url) ?? []
  if (!type || !data) throw new InvalidRequest('Invalid image.', param)
  return { type, bytes: Buffer.byteLength(data, 'base64') }
}

export const parsePositive = (value: unknown) => (typeof value === 'number' && value > 0 ? value : undefined)

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
