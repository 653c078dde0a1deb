import { expect, it } from 'vitest'
import { replyNotices } from '#shared/chat-texts.ts'
import { restoreExtras, createProgress, toExtras } from './progress.ts'

const noUsage = { inputTokens: 0, cachedInputTokens: 0, outputTokens: 0, reasoningTokens: 0, images: 0 }
const usage = { ...noUsage, inputTokens: 3, outputTokens: 4 }
const reasoning = { text: 'Hm.', durationMs: 5 }
const sources = [{ url: 'https://example.org' }]
const file = { id: 'f', name: 'a.png', type: 'image/png', size: 1 }

it('a new reply begins with nothing', () => {
  expect(createProgress(undefined)).toEqual({
    progress: {
      content: '',
      toolCalls: [],
      attachments: [],
      notices: [],
      reasoning: { text: '', durationMs: 0 },
      sources: [],
      usage: noUsage,
      roundMessages: [],
      inputTokens: 0,
      outputTokens: 0,
    },
    continues: false,
  })
})

it('an incomplete reply continues with all its parts, and the model sees its end', () => {
  const parts = {
    content: 'Half',
    attachments: [file],
    notices: [replyNotices.model],
    reasoning,
    sources,
    usage,
  }
  const partialReply = structuredClone(parts)
  const { progress, continues } = createProgress(partialReply)
  expect(continues).toBe(true)
  expect(progress).toMatchObject({ ...parts, toolCalls: [], earlierUsage: usage })
  expect(progress.roundMessages).toEqual([
    { role: 'assistant', content: 'Half' },
    { role: 'user', content: expect.stringContaining('Go on exactly where it ended') as string },
  ])
  // the stored message does not grow with it
  progress.reasoning.text += 'More.'
  progress.sources.push({ url: 'https://example.org/2' })
  progress.attachments.push(file)
  progress.notices.push(replyNotices.images)
  expect(partialReply).toEqual(parts)
})

it('an incomplete reply without text and calls begins again', () => {
  expect(createProgress({ content: '' }).progress.roundMessages).toMatchObject([
    { role: 'assistant', content: '' },
    { role: 'user' },
  ])
})

it('only the parts that a reply has are stored', () => {
  const { progress } = createProgress(undefined)
  expect(toExtras(progress)).toStrictEqual({})
  expect(toExtras({ ...progress, reasoning, sources, usage })).toStrictEqual({ reasoning, sources, usage })
  expect(toExtras({ ...progress, usage: { ...noUsage, outputTokens: 1 } })).toStrictEqual({
    usage: { ...noUsage, outputTokens: 1 },
  })
  expect(toExtras({ ...progress, attachments: [file] })).toStrictEqual({ usage: { ...noUsage, images: 1 } })
  expect(restoreExtras({ usage })).toEqual({
    notices: [],
    reasoning: { text: '', durationMs: 0 },
    sources: [],
    usage,
  })
})
