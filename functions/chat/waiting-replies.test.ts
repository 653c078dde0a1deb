import { randomBytes } from 'node:crypto'
import { expect, it } from 'vitest'
import * as z from 'zod'
import { newConversationIds, openSharedStores } from '../../test/support/conversations.ts'
import { sendingTool, replyingModel, turnRunner } from '../../test/support/turns.ts'
import type { UntrustedFile } from '../platform/untrusted-file.ts'
import { buildPrompt, buildRunInput, buildWriteDeps } from '../../test/support/reply-input.ts'
import { zodParameters, type Tool } from '../tools/calls/tool.ts'
import type { Model, ModelMessage, ToolImage } from '../models/model.ts'
import { parseTranscript } from './prompt/transcript.ts'
import { runReply } from './run-reply.ts'

const stores = await openSharedStores()
const { startNew, write, decide } = turnRunner(stores)

const fullResult = '漢'.repeat(19_000)
const readTool: Tool = {
  name: 'read_page',
  description: 'Reads',
  parameters: zodParameters(z.object({ page: z.number() })),
  writes: false,
  activity: 'other',
  timeoutMs: 10_000,
  run: async () => fullResult,
}
const round = { text: '', truncated: false, inputTokens: 0, outputTokens: 0 }

/** Reads 24 pages in two rounds, then asks to send something. */
function readingModel(): Model {
  let rounds = 0
  return {
    async complete() {
      rounds += 1
      if (rounds > 2) return { ...round, toolCalls: [{ id: 'c1', name: 'send', arguments: '{"to":"ann"}' }] }
      const pages = Array.from({ length: 12 }, (_, at) => rounds * 100 + at)
      return {
        ...round,
        toolCalls: pages.map((page) => ({
          id: `p${page}`,
          name: 'read_page',
          arguments: JSON.stringify({ page }),
        })),
      }
    },
  }
}

it('DEC-143 a reply with 24 tool results of full size waits, and continues with all of them', async () => {
  const conversation = newConversationIds()
  const { sent, tool } = sendingTool()
  const { run } = await startNew(conversation)
  await write(run, readingModel(), [readTool, tool]).ended
  const waitingRun = await stores.runs.find(conversation.sub, conversation.sessionId)
  expect(waitingRun).toMatchObject({
    status: 'waiting',
    pending: [{ callId: 'c1', arguments: '{"to":"ann"}' }],
  })

  const prompt: ModelMessage[] = []
  const recordingModel: Model = {
    complete: async (request) => {
      prompt.push(...request.messages)
      return replyingModel('Sent.').complete(request)
    },
  }
  await decide(run, recordingModel, tool)
  expect(sent).toEqual([{ to: 'ann' }])
  const results = prompt.filter(({ role, content }) => role === 'tool' && content === fullResult)
  expect(results).toHaveLength(24)
  const { messages } = await stores.messages.loadNewest(conversation.sub, conversation.sessionId)
  expect(messages.at(-1)).toMatchObject({ content: 'Sent.' })
  expect(messages.at(-1)?.tool_calls).toHaveLength(25)
})

it('a waiting reply keeps encrypted reasoning of any size, each item with its round', async () => {
  const conversation = newConversationIds()
  const { tool } = sendingTool()
  const { run } = await startNew(conversation)
  // it cannot be compressed, and two of these do not fit into one row
  const items = ['rs_1', 'rs_2'].map((id) => ({
    api: 'responses' as const,
    model: 'm',
    items: [
      { type: 'reasoning', id, summary: [], encrypted_content: randomBytes(225_000).toString('base64') },
    ],
  }))
  let rounds = 0
  const thinkingModel: Model = {
    async complete() {
      rounds += 1
      const call =
        rounds === 1
          ? { id: 'p1', name: 'read_page', arguments: '{"page":1}' }
          : { id: 'c1', name: 'send', arguments: '{"to":"ann"}' }
      return { ...round, toolCalls: [call], answer: items[rounds - 1] } as Awaited<
        ReturnType<Model['complete']>
      >
    },
  }
  await write(run, thinkingModel, [readTool, tool]).ended
  expect(await stores.runs.find(conversation.sub, conversation.sessionId)).toMatchObject({
    status: 'waiting',
  })

  const prompt: ModelMessage[] = []
  const recordingModel: Model = {
    complete: async (request) => {
      prompt.push(...request.messages)
      return replyingModel('Sent.').complete(request)
    },
  }
  await decide(run, recordingModel, tool)
  const reasoningByRound = prompt.flatMap((message) =>
    message.role === 'assistant' && message.answer
      ? [[message.answer, message.tool_calls?.map(({ id }) => id)]]
      : [],
  )
  expect(reasoningByRound).toEqual([
    [items[0], ['p1']],
    [items[1], ['c1']],
  ])
})

it('a waiting reply stores references to the images of its tools, not the images', async () => {
  const conversation = newConversationIds()
  const { tool } = sendingTool()
  const { run } = await startNew(conversation)
  const url = 'data:image/png;base64,AAAA'
  // first a stored file and one that is not stored, then only one that is not stored
  const imagesByName: Record<string, ToolImage[]> = {
    '1': [{ url, fileId: 'file-1' }, { url }],
    '2': [{ url }],
  }
  const imageTool: Tool = {
    ...readTool,
    run: async ({ page }, _, __, rich) => {
      rich?.files.push({ name: String(page) } as UntrustedFile)
      return 'a page'
    },
  }
  let rounds = 0
  const model: Model = {
    async complete() {
      rounds += 1
      const read = (page: number) => ({ id: `p${page}`, name: 'read_page', arguments: `{"page":${page}}` })
      const send = { id: 'c1', name: 'send', arguments: '{"to":"ann"}' }
      return { ...round, toolCalls: rounds === 1 ? [read(1), read(2)] : [send] }
    },
  }
  const prompt = buildPrompt({
    tools: [imageTool, tool],
    showFiles: async ([file]) => ({ notes: [], images: imagesByName[file?.name ?? ''] ?? [] }),
  })
  await runReply(
    { ...buildWriteDeps(), stores },
    run,
    buildRunInput(model, { prompt: Promise.resolve(prompt) }),
  )
  const waitingRun = await stores.runs.find(conversation.sub, conversation.sessionId)
  const stored = parseTranscript(waitingRun?.transcript?.turn ?? '')
  expect(stored?.messages.filter(({ role }) => role === 'tool')).toEqual([
    {
      role: 'tool',
      tool_call_id: 'p1',
      content: expect.stringContaining('a page') as string,
      images: [{ fileId: 'file-1' }],
    },
    { role: 'tool', tool_call_id: 'p2', content: expect.stringContaining('a page') as string },
  ])
})
