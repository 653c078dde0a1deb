import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { newConversationIds, openSharedStores } from '../../test/support/conversations.ts'
import { metricLines } from '../../test/support/metric-lines.ts'
import { sendingTool, failingModel, replyingModel, turnRunner } from '../../test/support/turns.ts'
import type { Model } from '../models/model.ts'

process.env['LOG_LEVEL'] = 'silent'
const stores = await openSharedStores()
const { startRun, startNew, write, decide } = turnRunner(stores)

const startMs = Date.now()
let output: string[]
/** called for each line of metrics */
let onLine: () => void
beforeEach(() => {
  vi.stubEnv('METRICS_NAMESPACE', 'juno-test')
  vi.useFakeTimers({ toFake: ['Date'], now: startMs })
  output = []
  onLine = () => undefined
  vi.spyOn(process.stdout, 'write').mockImplementation((chunk) => {
    if (metricLines(String(chunk)).length > 0) onLine()
    return output.push(String(chunk)) > 0
  })
})
afterEach(() => {
  vi.useRealTimers()
})

const readMetrics = () => metricLines(output.join('')).map(({ values }) => values)

/** The model, after a while of thinking. */
const delayModel = (ms: number, model: Model): Model => ({
  async complete(call) {
    vi.setSystemTime(Date.now() + ms)
    return { ...(await model.complete(call)), inputTokens: 20, outputTokens: 3 }
  },
})

it('a reply is measured when it ends, in one line: the time to its first token, and its tokens', async () => {
  const run = await startRun(newConversationIds())
  const { reply, ended } = write(run, delayModel(700, replyingModel('In water.')))
  let linesAfterClose = 0
  onLine = () => (linesAfterClose += Number(reply.isClosed))
  await ended
  expect(readMetrics()).toEqual([
    { TimeToFirstToken: 700, InputTokens: 20, OutputTokens: 3, FailedReplies: 0 },
  ])
  expect(linesAfterClose).toBe(1)
})

it('the first tool call counts as the first token; a resumed reply has none', async () => {
  const { tool, callingModel } = sendingTool()
  const run = await startRun(newConversationIds())
  await write(run, delayModel(900, callingModel), [tool]).ended
  vi.setSystemTime(startMs + 60_000)
  await decide(run, delayModel(100, replyingModel('Sent.')), tool)
  expect(readMetrics().filter((values) => 'FailedReplies' in values)).toEqual([
    { TimeToFirstToken: 900, InputTokens: 20, OutputTokens: 3, FailedReplies: 0 },
    { InputTokens: 20, OutputTokens: 3, FailedReplies: 0 },
  ])
  expect(readMetrics().filter((values) => 'FailedToolCalls' in values)).toEqual([{ FailedToolCalls: 0 }])
})

it('a denied call is not measured', async () => {
  const { tool, callingModel } = sendingTool()
  const run = await startRun(newConversationIds())
  await write(run, callingModel, [tool]).ended
  await decide(run, replyingModel('Well.'), tool, false)
  expect(readMetrics().some((values) => 'FailedToolCalls' in values)).toBe(false)
})

it('a continued reply has no first token of its own', async () => {
  const conversation = newConversationIds()
  await write(await startRun(conversation), replyingModel('One', true)).ended
  const { run, partialReply } = await startNew(conversation, 'm1', 'Hello', { continues: true })
  output = []
  await write(run, delayModel(500, replyingModel(' two.')), [], { partialReply }).ended
  expect(readMetrics()).toEqual([{ InputTokens: 20, OutputTokens: 3, FailedReplies: 0 }])
})

it('a reply that failed and one that could not be stored are each measured once as failed', async () => {
  await write(await startRun(newConversationIds()), failingModel('Half a')).ended
  const run = await startRun(newConversationIds())
  const put = vi.spyOn(stores.messages, 'put').mockRejectedValue(new Error('table down'))
  await write(run, failingModel()).ended
  put.mockRestore()
  expect(readMetrics().map(({ FailedReplies }) => FailedReplies)).toEqual([1, 1])
})
