import { act, renderHook } from '@testing-library/react'
import { expect, it } from 'vitest'
import { usePreview, type PreviewableMessage } from './use-preview.ts'

const block = (...cells: string[]) => `\`\`\`csv\ncity,people\n${cells.join('\n')}\n\`\`\``
const reply = (content: string): PreviewableMessage => ({ role: 'assistant', content })
const [first, second, third] = [1, 2, 3].map((people) =>
  reply(block(`Bern,${people}`, 'Basel,20', 'Genf,30', 'Zug,40')),
) as [PreviewableMessage, PreviewableMessage, PreviewableMessage]

it('the chosen version stays when an older one comes back and becomes the newest', () => {
  const source = { kind: 'csv', code: 'city,people\nBern,3\nBasel,20\nGenf,30\nZug,40' } as const
  const { result, rerender } = renderHook(
    ({ messages }) => usePreview({ messages, streamingText: '' }, source),
    { initialProps: { messages: [first, second, third] } },
  )
  expect(result.current.count).toBe(3)
  act(() => result.current.choose(1))
  expect(result.current.shown.code).toContain('Bern,2')
  rerender({ messages: [first, second, third, reply(first.content)] })
  expect(result.current.shown.code).toContain('Bern,2')
  expect([result.current.index, result.current.count]).toEqual([0, 3])
})

it('a version that is being written is counted, but is not the newest that can be shown', () => {
  const page = (rest: string) => `\`\`\`html\n<h1>Clock</h1>\n<p>It is ten.</p>\n${rest}`
  const messages: PreviewableMessage[] = [{ role: 'assistant', content: page('```'), usage: {} }]
  const source = { kind: 'html', code: '<h1>Clock</h1>\n<p>It is ten.</p>' } as const
  const { result } = renderHook(() =>
    usePreview({ messages, streamingText: page('<p>And a half.</p>') }, source),
  )
  expect(result.current).toMatchObject({ index: 0, count: 2, isWriting: true, newestIndex: 0 })
})

it('a version that is opened while its reply goes on is shown', () => {
  const page = (rest: string) => `\`\`\`html\n<h1>Clock</h1>\n<p>It is ten.</p>\n${rest}\`\`\``
  const messages: PreviewableMessage[] = [{ role: 'assistant', content: page(''), usage: {} }]
  const source = { kind: 'html', code: '<h1>Clock</h1>\n<p>It is ten.</p>\n<p>And a half.</p>' } as const
  const { result } = renderHook(() =>
    usePreview({ messages, streamingText: `${page('<p>And a half.</p>\n')}\n\nIt has` }, source),
  )
  expect(result.current).toMatchObject({ index: 1, count: 2, isCode: false, isQuestion: false })
})
