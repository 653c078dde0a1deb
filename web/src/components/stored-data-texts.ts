import { plural } from '../lib/plural.ts'

const countItems = (count: number, forms: { one: string; other: string }) =>
  `${count.toLocaleString()} ${plural(count, forms)}`

export const storedItems = {
  conversations: (count: number) => countItems(count, { one: 'conversation', other: 'conversations' }),
  messages: (count: number) => countItems(count, { one: 'message', other: 'messages' }),
  files: (count: number) => countItems(count, { one: 'file', other: 'files' }),
  integrations: (count: number) => countItems(count, { one: 'integration', other: 'integrations' }),
  credentials: (count: number) => countItems(count, { one: 'credential', other: 'credentials' }),
  custom_tools: (count: number) => countItems(count, { one: 'custom tool', other: 'custom tools' }),
  tool_calls: (count: number) => countItems(count, { one: 'tool call', other: 'tool calls' }),
  memories: (count: number) => countItems(count, { one: 'memory', other: 'memories' }),
  projects: (count: number) => countItems(count, { one: 'project', other: 'projects' }),
}
