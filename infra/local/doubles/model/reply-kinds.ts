import type { ToolCall } from './tool-choice.ts'
import type { WebSearch } from './web-search.ts'

/** What the demo model does with a request. */
export type Reply =
  | { kind: 'text'; text: string; maxTokens?: number; search?: WebSearch }
  | { kind: 'tools'; calls: ToolCall[] }
  /** text with a silence after every other token */
  | { kind: 'slow'; text: string; silenceMs: number }
  /** text, then the connection breaks */
  | { kind: 'cut'; text: string }
  | { kind: 'error'; status: number }
  /** headers, then nothing until the client disconnects */
  | { kind: 'hang' }
