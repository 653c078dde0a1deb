/** @module-tag long */
import { describe, expect, it } from 'vitest'
import { builtInProviders } from '../../functions/providers/built-in.ts'
import { cases } from '../support/integration-cases.ts'
import { connectProvider } from '../support/connect-provider.ts'
import { demoStack } from '../support/shared-stack.ts'

const stack = await demoStack()
const ann = await stack.newUser({ name: 'Ann' })
for (const { id } of builtInProviders) await connectProvider(stack, ann, id)

const question = (content: string) => ({
  messages: [{ role: 'user' as const, content }],
  sessionId: crypto.randomUUID(),
  messageId: crypto.randomUUID(),
})

/** Sends a request, and approves what needs an approval. */
async function ask(content: string) {
  const body = question(content)
  const first = await ann.call('chat.send', { body })
  const { run } = await ann.call('sessions.read', { params: { sessionId: body.sessionId } })
  const [pendingQuestion] = run?.questions ?? []
  if (!run || !pendingQuestion) return { ...first, pendingQuestion: undefined }
  const response = await ann.call('runs.answer', {
    params: { sessionId: body.sessionId },
    body: { runId: run.run_id, callId: pendingQuestion.call_id, approved: true },
  })
  return { ...response, pendingQuestion }
}

it('CAP-01 an entry lists its tools before it is connected', async () => {
  const { entry } = await ann.call('registry.one', { params: { entryId: 'trello' } })
  expect(entry.tools).toEqual(['List boards', 'List cards', 'Create a card'])
})

const writes = Object.entries(cases).flatMap(
  ([provider, { chat }]): [string, string, string, Record<string, unknown>][] =>
    chat.write ? [[provider, ...chat.write]] : [],
)
const reads = Object.entries(cases).flatMap(([provider, { chat }]) =>
  chat.reads.map((one): [string, string, string, string] => [provider, ...one]),
)

// with this many tools the model gets a search instead of the definitions
const searchCall = { tool: 'search_tools', result: { success: true } }

describe('CAP-01 in chat, with everything connected', () => {
  it.each(writes)('%s: "%s"', async (provider, message, id, parameters) => {
    const tool = `${provider}_${id}`
    const { pendingQuestion, toolCalls } = await ask(message)
    expect(pendingQuestion).toMatchObject({ kind: 'approval', tool, arguments: parameters })
    expect(toolCalls).toMatchObject([searchCall, { tool, parameters, result: { success: true } }])
  })

  it.each(reads)('%s: "%s"', async (provider, message, id, found) => {
    const { content, toolCalls } = await ask(message)
    expect(toolCalls).toMatchObject([searchCall, { tool: `${provider}_${id}`, result: { success: true } }])
    expect(content).toContain(found)
  })
})
