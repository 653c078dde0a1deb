/** What the demo model reads of a request. */
export interface ModelRequest {
  model: string
  messages: RequestMessage[]
  tools: OfferedTool[]
  toolChoice: 'auto' | 'none' | 'required' | { name: string }
  stream: boolean
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

export const mayCall = ({ toolChoice, tools }: Pick<ModelRequest, 'toolChoice' | 'tools'>, name: string) =>
  toolChoice !== 'none' && tools.some((tool) => tool.name === name)

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export const listRecords = (value: unknown): Record<string, unknown>[] =>
  Array.isArray(value) ? value.filter(isRecord) : []

export const toOfferedTool = ({ name, description, parameters }: Record<string, unknown>): OfferedTool => ({
  name: String(name),
  description: typeof description === 'string' ? description : '',
  parameters: isRecord(parameters) ? parameters : {},
})
