import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { newConversationIds, openSharedStores } from '../../test/support/conversations.ts'
import { sendingTool, replyingModel, turnRunner } from '../../test/support/turns.ts'
import { readJsonResponse } from '../../test/support/read-json-response.ts'
import { readConversation } from '../conversations/read-conversation.ts'
import { stopRun } from '../conversations/turns/stop-run.ts'
import type { RunSchedule } from '../conversations/store/run.ts'
import type { Tool } from '../tools/calls/tool.ts'
import type { Model } from '../models/model.ts'

process.env['LOG_LEVEL'] = 'silent'
const stores = await openSharedStores()
const { startRun, write, decide, follow } = turnRunner(stores)

async function startWaitingReply(schedule?: RunSchedule) {
  const { tool, callingModel, sent } = sendingTool()
  const run = await startRun(newConversationIds(), 'm1', 'Hello', { schedule })
  await write(run, callingModel, [tool]).ended
  return { tool, sent, run }
}

it('DEC-143 a call that needs approval makes the run wait; the answer resumes it once', async () => {
  const { run, tool, sent } = await startWaitingReply()
  const allow = (sub?: string) => decide(run, replyingModel('Sent.'), tool, true, { sub })
  expect(sent).toEqual([])
  expect((await readConversation(stores, run)).run).toMatchObject({ status: 'waiting' })
  expect((await follow(run)).at(-2)).toMatchObject({ type: 'data-run', data: { status: 'waiting' } })
  await expect(allow('stranger')).rejects.toMatchObject({ status: 404 })
  expect(await readJsonResponse(await allow())).toMatchObject({ success: true, content: 'Sent.' })
  await expect(allow()).rejects.toMatchObject({ status: 404 })
  expect(sent).toEqual([{ to: 'ann' }])
  const { messages } = await readConversation(stores, run)
  expect(messages.at(-1)).toMatchObject({ content: 'Sent.', tool_calls: [{ tool: 'send' }] })
})

it.each([
  ['all of them', null, ['One', 'assistant', 'Two']],
  // a prompt of which the beginning is missing begins with a group of turns
  ['a part of them, if not all were read', 'a cursor', ['Two']],
])('a reply that continues gets the messages before it: %s', async (_, earlier, beginning) => {
  const { tool, callingModel } = sendingTool()
  const conversation = newConversationIds()
  for (const [turn, content] of ['One', 'Two'].entries())
    await write(await startRun(conversation, `m${turn}`, content), replyingModel('Yes.')).ended
  const run = await startRun(conversation, 'm2', 'Three')
  await write(run, callingModel, [tool]).ended
  const loadNewest = stores.messages.loadNewest.bind(stores.messages)
  vi.spyOn(stores.messages, 'loadNewest').mockImplementation(async (...input) => {
    const { messages } = await loadNewest(...input)
    const later = messages.slice(-1).map((one) => ({ ...one, turn: run.turn + 1, content: 'Later' }))
    return { messages: [...messages, ...later], earlier }
  })
  const prompts: unknown[] = []
  const model: Model = {
    complete(call) {
      prompts.push(call.messages.map(({ role, content }) => (role === 'user' ? content : role)))
      return replyingModel('Sent.').complete(call)
    },
  }
  await decide(run, model, tool)
  expect(prompts).toEqual([['system', ...beginning, 'assistant', 'Three', 'assistant', 'tool']])
})

it('a denied call never runs', async () => {
  const { run, tool, sent } = await startWaitingReply()
  expect(await readJsonResponse(await decide(run, replyingModel('Well.'), tool, false))).toMatchObject({
    toolCalls: [{ result: { success: false, error: 'The user denied this call.' } }],
  })
  expect(sent).toEqual([])
})

describe('a tool that is always allowed', () => {
  it('is the tool of the approval request', async () => {
    const { run, tool, sent } = await startWaitingReply()
    const alwaysAllowedTools: Tool[] = []
    await decide(run, replyingModel('Sent.'), tool, true, {
      onAlways: (allowedTool) => alwaysAllowedTools.push(allowedTool),
    })
    expect(alwaysAllowedTools).toEqual([tool])
    expect(sent).toEqual([{ to: 'ann' }])
  })

  it('is not stored, and does not run, if the tool has changed since', async () => {
    const { run, tool, sent } = await startWaitingReply()
    const alwaysAllowedTools: Tool[] = []
    const changedTool = { ...tool, description: 'Sends to everybody' }
    await decide(run, replyingModel('Well.'), changedTool, true, {
      onAlways: (allowedTool) => alwaysAllowedTools.push(allowedTool),
    })
    expect(alwaysAllowedTools).toEqual([])
    expect(sent).toEqual([])
  })

  it('is not stored if the tool is gone, and the reply continues', async () => {
    const { run, sent } = await startWaitingReply()
    const alwaysAllowedTools: Tool[] = []
    const responding = decide(run, replyingModel('Well.'), undefined, true, {
      onAlways: (allowedTool) => alwaysAllowedTools.push(allowedTool),
    })
    expect(await readJsonResponse(await responding)).toMatchObject({ success: true, content: 'Well.' })
    expect(alwaysAllowedTools).toEqual([])
    expect(sent).toEqual([])
  })

  it('is not stored where somebody else’s assistant may have led to the call, also when it is gone by now', async () => {
    const { tool, callingModel, sent } = sendingTool()
    const assistant = { id: 'a1', name: 'Bot', version: 1 }
    const run = await startRun(newConversationIds(), 'm1', 'Hello', { assistant })
    await write(run, callingModel, [tool]).ended
    const alwaysAllowedTools: Tool[] = []
    await decide(run, replyingModel('Sent.'), tool, true, {
      onAlways: (allowedTool) => alwaysAllowedTools.push(allowedTool),
    })
    expect(alwaysAllowedTools).toEqual([])
    // this call was approved
    expect(sent).toEqual([{ to: 'ann' }])
  })

  it('is not stored when the call is denied', async () => {
    const { run, tool } = await startWaitingReply()
    const alwaysAllowedTools: Tool[] = []
    await decide(run, replyingModel('Well.'), tool, false, {
      onAlways: (allowedTool) => alwaysAllowedTools.push(allowedTool),
    })
    expect(alwaysAllowedTools).toEqual([])
  })
})

describe('a call of a schedule', () => {
  const hourMs = 3_600_000

  it.each([
    ['a chat', undefined, 23, true],
    ['a chat', undefined, 25, false],
    ['a schedule', { id: 'monday', writes: [] }, 71, true],
    ['a schedule', { id: 'monday', writes: [] }, 73, false],
  ])('that was asked for in %s is made after %s %i hours: %s', async (_, schedule, hours, isMade) => {
    const { run, tool, sent } = await startWaitingReply(schedule)
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + hours * hourMs })
    onTestFinished(() => void vi.useRealTimers())
    await readJsonResponse(await decide(run, replyingModel('Well.'), tool))
    expect(sent).toEqual(isMade ? [{ to: 'ann' }] : [])
  })

  it('says when it lapses, and its tool is not always allowed in chats', async () => {
    const { run, tool, sent } = await startWaitingReply({ id: 'monday', writes: [] })
    const [question] = (await readConversation(stores, run)).run?.questions ?? []
    const openMs = Date.parse(question?.lapses_at ?? '') - Date.parse(question?.asked_at ?? '')
    expect(openMs).toBe(72 * hourMs)
    const alwaysAllowedTools: Tool[] = []
    await decide(run, replyingModel('Sent.'), tool, true, {
      onAlways: (allowedTool) => alwaysAllowedTools.push(allowedTool),
    })
    expect({ alwaysAllowedTools, sent }).toEqual({ alwaysAllowedTools: [], sent: [{ to: 'ann' }] })
  })

  it('leaves nothing to the message that a person sends next', async () => {
    const ids = newConversationIds()
    const schedule = { id: 'monday', writes: [] }
    const run = await startRun(ids, 'm1', 'Hello', { schedule })
    expect(run).toMatchObject({ schedule })
    await write(run, replyingModel('Hi.')).ended
    await startRun(ids, 'm2', 'Hello')
    expect((await stores.runs.find(ids.sub, ids.sessionId))?.schedule).toBeUndefined()
  })
})

it('a waiting run can be stopped without a writer', async () => {
  const { run } = await startWaitingReply()
  expect(await stopRun(stores, run)).toMatchObject({ status: 'stopped' })
  expect((await readConversation(stores, run)).messages.at(-1)).toMatchObject({
    role: 'assistant',
    ended: 'stopped',
  })
})
