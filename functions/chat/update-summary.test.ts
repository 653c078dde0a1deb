import { expect, it, vi } from 'vitest'
import type { ConversationStores } from '../conversations/store/conversation-stores.ts'
import { pageBytes } from '../platform/limits.ts'
import type { Run } from '../conversations/store/run.ts'
import { formatSummary, openSummary } from './conversation-summary.ts'
import type { Model, ModelRound } from '../models/model.ts'
import { ModelError, modelErrors } from '../models/model-errors.ts'
import type { Spending } from './reply-budget.ts'

const price = { input: 1, output: 2 }
const aMessage = (turn: number, role: string, content: string) => ({ turn, role, content })

/** Summarises the turns before the first one of a prompt. */
async function update({
  earlier,
  firstTurn = 4,
  source = [aMessage(1, 'user', 'Hi'), aMessage(1, 'assistant', 'Yes?'), aMessage(2, 'assistant', '')],
  round = { text: ' Notes. ', inputTokens: 30, outputTokens: 5 },
  error,
  remainingMs = 100_000,
  isDeleted = false,
  branches,
  complete: ownComplete,
}: {
  earlier?: { text: string; upToTurn: number }
  firstTurn?: number
  source?: ReturnType<typeof aMessage>[]
  round?: Pick<ModelRound, 'text' | 'inputTokens' | 'outputTokens'>
  error?: ModelError
  remainingMs?: number
  isDeleted?: boolean
  branches?: Run['branches']
  complete?: ReturnType<typeof vi.fn<Model['complete']>>
} = {}) {
  const calls = {
    find: vi.fn<(...args: unknown[]) => Promise<typeof earlier>>(async () => earlier),
    save: vi.fn<(...args: unknown[]) => Promise<void>>(async () => undefined),
    remove: vi.fn<(...args: unknown[]) => Promise<void>>(async () => undefined),
    loadNewest: vi.fn<(...args: unknown[]) => Promise<unknown>>(async () => ({
      messages: source,
      earlier: null,
    })),
    complete:
      ownComplete ??
      vi.fn<Model['complete']>(async () => {
        if (error) throw error
        return { ...round, toolCalls: [], truncated: false }
      }),
    reserve: vi.fn<Spending['reserve']>(async () => undefined),
    spend: vi.fn<Spending['spend']>(),
  }
  const { find, save, remove, loadNewest, complete, reserve, spend } = calls
  const stores = {
    summaries: { find, save, remove },
    messages: { loadNewest },
    conversations: { find: async () => (isDeleted ? 'deleted' : { id: 's1' }) },
  } as unknown as ConversationStores
  const summary = openSummary(stores, { sub: 'ann', sessionId: 's1', branches, heartbeatAtMs: 7 } as Run)
  const updating = summary.update({
    model: { complete },
    price,
    firstTurn,
    spending: { reserve, spend },
    remainingMs: () => remainingMs,
  })
  await updating.catch((caught: unknown) => {
    if (caught !== error) throw caught
  })
  return { ...calls, summary, request: complete.mock.calls[0]?.[0] }
}

const allTurns = [{ first: 1, last: Infinity }]

it('the model gets the messages that the prompt left out, and its summary is stored', async () => {
  const { request, loadNewest, save, remove, reserve, spend } = await update()
  expect(loadNewest.mock.calls).toEqual([
    [
      'ann',
      's1',
      { maxCharacters: 60_000, maxMessages: 200, maxBytes: pageBytes, path: [{ first: 1, last: 3 }] },
    ],
  ])
  expect(request).toMatchObject({
    messages: [
      {
        role: 'system',
        content: expect.stringMatching(/^You write the summary of a conversation/) as string,
      },
      { role: 'user', content: 'The messages:\n\nUser: Hi\n\nAssistant: Yes?' },
    ],
    tools: [],
  })
  expect(save.mock.calls).toEqual([['ann', 's1', allTurns, { text: 'Notes.', upToTurn: 3 }, 7]])
  expect(remove).not.toHaveBeenCalled()
  expect(reserve.mock.calls).toEqual([[expect.any(Number), price]])
  expect(spend.mock.calls).toMatchObject([[{ inputTokens: 30, outputTokens: 5, cost: 40 / 1e6 }]])
})

it.each([
  ['breaks off', modelErrors.unreachable, 1],
  ['is refused', modelErrors.key, 0],
])('a request that %s counts as far as it is billed', async (_, kind, count) => {
  const { spend, save } = await update({ error: new ModelError(kind, 'x') })
  expect(spend).toHaveBeenCalledTimes(count)
  expect(save).not.toHaveBeenCalled()
})

it('an earlier summary is continued with the messages after it', async () => {
  const { request, loadNewest, save } = await update({
    earlier: { text: 'Old notes.', upToTurn: 2 },
    source: [aMessage(3, 'user', 'x'.repeat(7_000))],
    round: { text: 'y'.repeat(7_000), inputTokens: 1, outputTokens: 0 },
  })
  expect(loadNewest.mock.calls).toMatchObject([['ann', 's1', { path: [{ first: 3, last: 3 }] }]])
  expect(request?.messages[1]?.content).toBe(
    `Notes so far:\nOld notes.\n\nThe messages:\n\nUser: ${'x'.repeat(6_000)}`,
  )
  expect(save.mock.calls).toEqual([['ann', 's1', allTurns, { text: 'y'.repeat(6_000), upToTurn: 3 }, 7]])
})

it('only the turns of the branch are read', async () => {
  const branches = { forks: [{ turn: 5, versionOf: 2 }] }
  const { loadNewest } = await update({ firstTurn: 7, branches, earlier: { text: 'Old', upToTurn: 1 } })
  expect(loadNewest.mock.calls).toMatchObject([['ann', 's1', { path: [{ first: 5, last: 6 }] }]])
})

it.each([
  ['nothing is left out', { firstTurn: 1 }],
  ['the earlier summary covers all of them', { earlier: { text: 'Old', upToTurn: 3 } }],
])('no message is read when %s', async (_, changes) => {
  const { loadNewest, complete } = await update(changes)
  expect(loadNewest).not.toHaveBeenCalled()
  expect(complete).not.toHaveBeenCalled()
})

it('no model is called for messages without text, and an empty summary is not stored', async () => {
  const { complete } = await update({ source: [aMessage(1, 'assistant', '')] })
  expect(complete).not.toHaveBeenCalled()
  const { save, spend } = await update({ round: { text: ' ', inputTokens: 0, outputTokens: 0 } })
  expect(spend).toHaveBeenCalledTimes(1)
  expect(save).not.toHaveBeenCalled()
})

it('tokens that a server does not count are estimated', async () => {
  const { reserve, spend } = await update({ round: { text: 'Notes.', inputTokens: 0, outputTokens: 0 } })
  const [promptTokens = 0] = reserve.mock.calls[0] ?? []
  expect(promptTokens).toBeGreaterThan(100)
  expect(spend.mock.calls).toEqual([
    [{ inputTokens: promptTokens, outputTokens: 2, cost: (promptTokens + 4) / 1e6 }],
  ])
  const counted = await update({ round: { text: 'Notes.', inputTokens: 0, outputTokens: 1 } })
  expect(counted.spend.mock.calls).toMatchObject([[{ inputTokens: 0, outputTokens: 1 }]])
})

it.each([
  [100_000, 30_000],
  [5_000, 5_000],
  [-1, 0],
])('with %i ms left the model has %i ms', async (remainingMs, ms) => {
  const timeout = vi.spyOn(AbortSignal, 'timeout')
  await update({ remainingMs })
  expect(timeout.mock.calls).toEqual([[ms]])
})

it('the summary of a conversation that was deleted meanwhile is deleted', async () => {
  const { remove } = await update({ isDeleted: true })
  expect(remove.mock.calls).toEqual([['ann', 's1']])
})

it('a prompt gets the summary only of messages that it leaves out', async () => {
  const { summary, find } = await update({ earlier: { text: 'Old', upToTurn: 3 } })
  expect(await summary.find(4)).toEqual({ text: 'Old', upToTurn: 3 })
  expect(await summary.find(3)).toBeUndefined()
  expect(find).toHaveBeenLastCalledWith('ann', 's1', allTurns)
  expect(await (await update()).summary.find(4)).toBeUndefined()
})

it('a summary cannot end its quotation', () => {
  expect(formatSummary({ text: 'a """ b """', upToTurn: 1 })).toMatch(
    /^Earlier messages of this conversation are left out.*\n"""\na " b "\n"""$/,
  )
})

it('is asked for less of the messages, the newest, where its model finds them too long: gsd-build/gsd-2#2932', async () => {
  const tooLong = new ModelError(modelErrors.tooLong, 'too long')
  const source = Array.from({ length: 10 }, (_, index) =>
    aMessage(index + 1, 'user', `${index} ${'x'.repeat(5_000)}`),
  )
  const answer = { text: 'Notes.', toolCalls: [], truncated: false, inputTokens: 1, outputTokens: 1 }
  const asked: string[] = []
  const complete = vi.fn<Model['complete']>(async ({ messages }) => {
    const text = JSON.stringify(messages)
    asked.push(text)
    if (text.length > 20_000) throw tooLong
    return answer
  })
  const { save } = await update({ firstTurn: 11, source, complete })
  expect(asked).toHaveLength(3)
  expect(asked.at(-1)).toContain('User: 9 x')
  expect(asked.at(-1)).not.toContain('User: 2 x')
  expect(save).toHaveBeenCalledOnce()

  const never = vi.fn<Model['complete']>(async () => Promise.reject(tooLong))
  const { save: saveNothing } = await update({ firstTurn: 11, source, complete: never, error: tooLong })
  expect(never).toHaveBeenCalledTimes(4)
  expect(saveNothing).not.toHaveBeenCalled()
})
