import { expect, it } from 'vitest'
import type { ToolCall } from '#shared/contracts/chat.ts'
import { hasUntrustedContent } from './untrusted-content.ts'

const call = (tool: string, integration?: string): ToolCall => ({
  tool,
  action: tool,
  parameters: {},
  result: { success: true },
  ...(integration !== undefined && { integration }),
})
const file = { id: 'f', name: 'a.png', type: 'image/png', size: 1 }
const source = { url: 'https://example.org' }
const trustedInput = { history: [], tools: [], progress: { toolCalls: [], sources: [] }, hasSummary: false }
type Input = Partial<Parameters<typeof hasUntrustedContent>[0]>

it.each<[string, Input]>([
  [
    'a file of this message or an earlier one',
    { history: [{ role: 'user', content: '', attachments: [file] }] },
  ],
  [
    'the result of a tool in an earlier reply',
    { history: [{ role: 'assistant', content: '', tool_calls: [call('gmail_get', 'Gmail')] }] },
  ],
  ['a web page in an earlier reply', { history: [{ role: 'assistant', content: '', sources: [source] }] }],
  [
    'the result of a tool in this reply',
    { progress: { toolCalls: [call('remember'), call('read_attachment')], sources: [] } },
  ],
  [
    'a server’s tool with the name of one of ours',
    { progress: { toolCalls: [call('remember', 'Eve')], sources: [] } },
  ],
  ['a web page in this reply', { progress: { toolCalls: [], sources: [source] } }],
  [
    'what a server says about its tools',
    { tools: [{ serverHints: { description: '', destructive: false } }] },
  ],
  ['a summary, which may quote any of it', { hasSummary: true }],
])('%s is untrusted', (_, input) => {
  expect(hasUntrustedContent({ ...trustedInput, ...input })).toBe(true)
})

it('messages of the user, replies, and results of the product’s own tools are trusted', () => {
  const ownCalls = ['remember', 'forget', 'generate_image'].map((tool) => call(tool))
  const history = [
    { role: 'user' as const, content: 'Draw a cat and remember me' },
    { role: 'assistant' as const, content: 'Done', attachments: [file], tool_calls: ownCalls },
  ]
  expect(hasUntrustedContent({ ...trustedInput, history, tools: [{}] })).toBe(false)
  expect(hasUntrustedContent({ ...trustedInput, progress: { toolCalls: ownCalls, sources: [] } })).toBe(false)
})
