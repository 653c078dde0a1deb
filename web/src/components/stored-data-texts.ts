import { plural } from '@lingui/core/macro'

export const storedItems = {
  conversations: (count: number) => plural(count, { one: '# conversation', other: '# conversations' }),
  messages: (count: number) => plural(count, { one: '# message', other: '# messages' }),
  files: (count: number) => plural(count, { one: '# file', other: '# files' }),
  integrations: (count: number) => plural(count, { one: '# integration', other: '# integrations' }),
  credentials: (count: number) => plural(count, { one: '# credential', other: '# credentials' }),
  custom_tools: (count: number) => plural(count, { one: '# custom tool', other: '# custom tools' }),
  tool_calls: (count: number) => plural(count, { one: '# tool call', other: '# tool calls' }),
  memories: (count: number) => plural(count, { one: '# memory', other: '# memories' }),
  projects: (count: number) => plural(count, { one: '# project', other: '# projects' }),
}
