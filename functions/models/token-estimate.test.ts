import { expect, it } from 'vitest'
import type { ModelMessage } from './model.ts'
import { estimatePromptTokens, estimateTextTokens } from './token-estimate.ts'

it.each([
  ['English', 'What does the contract say about notice?', 14],
  ['Chinese', '\u5408\u540c\u4e2d\u5173\u4e8e\u901a\u77e5', 7],
  ['nothing', '', 0],
])('%s is estimated by its bytes', (_, text, tokens) => {
  expect(estimateTextTokens(text)).toBe(tokens)
})

it('a prompt counts its texts, calls, images and tools', () => {
  const text = 'x'.repeat(300)
  const url = `data:image/png;base64,${'A'.repeat(4_000_000)}`
  const image = { type: 'image_url', image_url: { url } } as const
  const tools = [{ type: 'function' as const, function: { name: 'add', description: text } }]
  const call = { id: '1', type: 'function' as const, function: { name: 'add', arguments: text } }
  expect(estimatePromptTokens([{ role: 'user', content: text }], [])).toBe(100)
  expect(estimatePromptTokens([{ role: 'user', content: [{ type: 'text', text }, image] }], [])).toBe(2_600)
  const asks = (content: string | null): ModelMessage => ({ role: 'assistant', content, tool_calls: [call] })
  // 371 bytes of JSON, 374 with the text, and 364 of the tool
  expect(estimatePromptTokens([asks(null)], [])).toBe(124)
  expect(estimatePromptTokens([asks('xxx')], [])).toBe(125)
  expect(estimatePromptTokens([{ role: 'assistant', content: null }], [])).toBe(0)
  expect(estimatePromptTokens([{ role: 'user', content: '' }], tools)).toBe(122)
  const images = [{ url }, { fileId: 'f' }]
  expect(estimatePromptTokens([{ role: 'tool', tool_call_id: '1', content: text, images }], [])).toBe(2_600)
})
