import { toEarlierEvents } from './replies/ended-events.ts'
import { ReplyLog } from './store/reply-log.ts'
import { GetCommand, QueryCommand } from '@aws-sdk/lib-dynamodb'
import { describe, expect, it } from 'vitest'
import { replyNotices } from '#shared/chat-texts.ts'
import { deniedByUser } from '#shared/denied-call.ts'
import {
  newConversationIds,
  aMessage,
  aRun,
  openSharedStores,
  toTranscript,
} from '../../test/support/conversations.ts'
import { fileRepository } from '../files/file-repository.ts'
import { openObjectStore } from '../platform/s3/object-store.ts'
import type { LogPart } from './store/reply-log.ts'
import type { Run } from './store/run.ts'
import { readConversation } from './read-conversation.ts'
import { searchCorpus } from './search-corpus.ts'
import { showVersion } from './show-version.ts'
import { replyMessages, finishRun, type EndedReply } from './turns/finish-run.ts'
import { openConversationStores } from './store/conversation-stores.ts'

const sharedStores = await openSharedStores()
const { table } = sharedStores
const files = fileRepository(table)
// nothing is read from the bucket here: links are signed without asking it
Object.assign(process.env, {
  AWS_REGION: 'eu-central-1',
  AWS_ACCESS_KEY_ID: 'test',
  AWS_SECRET_ACCESS_KEY: 'test',
})
const stores = openConversationStores(table, { files, store: openObjectStore('uploads') })

const secondsAgo = (seconds: number) => Date.now() - seconds * 1_000
const toEndedReply = (content: string, changes: Partial<EndedReply> = {}): EndedReply => ({
  status: 'done',
  content,
  toolCalls: [],
  attachments: [],
  hasCheckpoints: false,
  ...changes,
})

/** Starts a conversation: one question, and the run that answers it. */
async function startConversation(changes: Partial<Run> = {}) {
  const conversation = newConversationIds()
  const run = await stores.runs.claim(aRun({ ...conversation, ...changes }), undefined)
  await putQuestion(run, 1, 'Hello')
  const at = new Date(run.startedAtMs).toISOString()
  await stores.conversations.upsert(conversation.sub, conversation.sessionId, {
    title: 'Hello',
    addedMessages: 1,
    at,
    replacesTitle: false,
  })
  return run
}
const putQuestion = ({ sub, sessionId, startedAtMs }: Run, turn: number, content: string) =>
  stores.messages.put(sub, aMessage({ id: `m${turn}`, session_id: sessionId, turn, content }), startedAtMs)
const lostTimes = { heartbeatAtMs: secondsAgo(60), startedAtMs: secondsAgo(90) }
const textPart = (from: number, words: string): LogPart => ({
  from,
  to: from + words.length,
  textId: 't',
  text: words,
})
const eventPart = (from: number, event: object) => ({ from, to: from + 1, event }) as LogPart

async function readRow({ sub, sessionId }: Run) {
  const Key = { PK: `U#${sub}`, SK: `RUN#${sessionId}` }
  return (await table.client.send(new GetCommand({ TableName: table.name, Key }))).Item
}
async function listKeys({ sub }: Run) {
  const { Items = [] } = await table.client.send(
    new QueryCommand({
      TableName: table.name,
      KeyConditionExpression: 'PK = :pk',
      ExpressionAttributeValues: { ':pk': `U#${sub}` },
    }),
  )
  return Items.map(({ SK }) => String(SK))
}

describe('a lost run', () => {
  it('keeps its paragraphs, images and notices', async () => {
    const run = await startConversation(lostTimes)
    const image = { id: 'f1', name: 'cat.png', type: 'image/png', size: 1 }
    await files.put(run.sub, { ...image, state: 'ready', created_at: new Date().toISOString() })
    const notice = { code: 'tools_unavailable', text: 'No tools.' }
    await stores.logs.append(run, [
      eventPart(0, { type: 'start', messageId: run.replyId, messageMetadata: {} }),
      eventPart(1, { type: 'text-start', id: 'text-0' }),
      textPart(2, 'One. '),
      eventPart(7, { type: 'text-end', id: 'text-0' }),
      eventPart(8, { type: 'data-notice', data: notice }),
      eventPart(9, { type: 'data-attachment', data: { ...image, url: 'https://store.example/x' } }),
      eventPart(10, { type: 'text-start', id: 'text-1' }),
      textPart(11, 'Two.'),
    ])
    const { messages, session, run: view } = await readConversation(stores, run)
    expect(messages[1]).toMatchObject({
      id: run.replyId,
      role: 'assistant',
      content: 'One. \n\nTwo.',
      ended: 'interrupted',
      attachments: [image],
      notices: [notice],
      tool_calls: [],
    })
    expect(view).toMatchObject({ status: 'interrupted' })
    expect(session.message_count).toBe(2)
    expect((await files.find(run.sub, 'f1')).used_in).toEqual(new Set([run.sessionId]))
  })

  it('keeps an image without text', async () => {
    const run = await startConversation(lostTimes)
    const image = { id: 'f1', name: 'cat.png', type: 'image/png', size: 1 }
    await stores.logs.append(run, [eventPart(0, { type: 'data-attachment', data: image })])
    expect((await readConversation(stores, run)).messages[1]).toMatchObject({
      content: '',
      attachments: [image],
    })
  })

  it('leaves no empty reply when it had no text', async () => {
    const run = await startConversation(lostTimes)
    await stores.logs.append(run, [eventPart(0, { type: 'text-start', id: 't' }), textPart(1, ' \n')])
    const { messages, run: view } = await readConversation(stores, run)
    expect(toTranscript(messages)).toEqual([['user', 'Hello']])
    expect(view).toMatchObject({ status: 'interrupted' })
  })

  it('keeps its tool calls with their results, also when rounds repeat an id', async () => {
    const run = await startConversation(lostTimes)
    const call = (from: number, toolCallId: string, to: string) =>
      eventPart(from, {
        type: 'tool-input-available',
        toolCallId,
        toolName: 'mail_send',
        input: { to },
        providerMetadata: { juno: { kind: 'other', title: 'Send a mail', integration: 'Mail' } },
      })
    await stores.logs.append(run, [
      eventPart(0, { type: 'start', messageId: run.replyId, messageMetadata: {} }),
      call(1, 'c1', 'ann'),
      eventPart(2, { type: 'tool-output-available', toolCallId: 'c1', output: { sent: true } }),
      call(3, 'c1', 'bob'),
      call(4, 'c2', 'eve'),
      eventPart(5, { type: 'tool-output-error', toolCallId: 'c1', errorText: 'No such address.' }),
    ])
    await stores.logs.append(run, [
      call(6, 'c3', 'dan'),
      eventPart(7, { type: 'tool-output-denied', toolCallId: 'c3' }),
    ])
    const { messages } = await readConversation(stores, run)
    expect(messages[1]).toMatchObject({ content: '', ended: 'interrupted' })
    const base = { tool: 'mail_send', action: 'Send a mail', integration: 'Mail' }
    expect(messages[1]?.tool_calls).toMatchObject([
      { ...base, parameters: { to: 'ann' }, result: { success: true, data: { sent: true } } },
      { ...base, parameters: { to: 'bob' }, result: { success: false, error: 'No such address.' } },
      {
        ...base,
        parameters: { to: 'eve' },
        result: { success: false, error: 'Interrupted before it answered. It may have been done.' },
      },
      { ...base, parameters: { to: 'dan' }, result: { success: false, error: deniedByUser } },
    ])
  })

  it('that continued a reply keeps the earlier part, and changes nothing when it wrote nothing', async () => {
    const earlierCall = { tool: 't', action: 'T', parameters: {}, result: { success: true } }
    const image = { id: 'f1', name: 'cat.png', type: 'image/png', size: 1 }
    for (const words of ['One, two', '']) {
      const run = await startConversation({ ...lostTimes, replyId: 'r' })
      const partialReply = {
        ...aMessage({ session_id: run.sessionId, role: 'assistant', kind: 'reply', content: 'One,' }),
        id: 'r',
        tool_calls: [earlierCall],
        attachments: [image],
        notices: [replyNotices.model],
      }
      await stores.messages.put(run.sub, partialReply, run.startedAtMs - 1)
      const events = new ReplyLog()
      const text = { type: 'text-delta' as const, id: 'text-1', delta: words }
      for (const event of [...toEarlierEvents({ ...partialReply, toolCalls: [earlierCall] }), text])
        events.push(event)
      if (words !== '') await stores.logs.append(run, events.readAfter(0))
      for (let reading = 0; reading < 2; reading += 1) {
        const { messages } = await readConversation(stores, run)
        expect(messages[1]).toMatchObject({
          content: words || 'One,',
          tool_calls: [earlierCall],
          attachments: [image],
          notices: [replyNotices.model],
        })
      }
    }
  })

  it('becomes stopped when the user had requested a stop', async () => {
    const run = await startConversation(lostTimes)
    await stores.logs.append(run, [textPart(0, 'Once')])
    await stores.runs.requestStop(run, secondsAgo(30))
    const { messages, run: view, session } = await readConversation(stores, run)
    expect(toTranscript(messages)).toEqual([
      ['user', 'Hello'],
      ['assistant', 'Once'],
    ])
    expect(messages[1]).toMatchObject({ ended: 'stopped' })
    expect(view).toMatchObject({ status: 'stopped' })
    expect((await readConversation(stores, run)).session).toEqual(session)
  })

  it('does not delete the checkpoints of the next run', async () => {
    const run = await startConversation(lostTimes)
    await stores.logs.append(run, [textPart(0, 'Once')])
    const next = { ...run, runId: 'next' }
    await stores.logs.append(next, [textPart(0, 'Twice')])
    await readConversation(stores, run)
    expect(await stores.logs.read(run, 0)).toEqual([])
    expect(await stores.logs.read(next, 0)).toHaveLength(1)
  })

  it('is recovered by the next request when the first one only marked it', async () => {
    const run = await startConversation(lostTimes)
    await stores.logs.append(run, [textPart(0, 'Once')])
    await stores.runs.interrupt(run)
    expect(toTranscript((await readConversation(stores, run)).messages)).toEqual([
      ['user', 'Hello'],
      ['assistant', 'Once'],
    ])
  })

  it('is recovered although its conversation has no row yet', async () => {
    const run = await stores.runs.claim(aRun({ ...newConversationIds(), ...lostTimes }), undefined)
    await putQuestion(run, 1, 'Hello')
    await stores.logs.append(run, [textPart(0, 'Once')])
    await expect(readConversation(stores, run)).rejects.toMatchObject({ code: 'session_not_found' })
    expect(toTranscript((await stores.messages.loadNewest(run.sub, run.sessionId)).messages)).toEqual([
      ['user', 'Hello'],
      ['assistant', 'Once'],
    ])
    expect(await stores.logs.read(run, 0)).toEqual([])
  })

  it('is not lost while its heartbeat is recent', async () => {
    const run = await startConversation({ heartbeatAtMs: secondsAgo(15), startedAtMs: secondsAgo(90) })
    await stores.logs.append(run, [textPart(0, 'Once')])
    expect(await readConversation(stores, run)).toMatchObject({
      messages: [{ content: 'Hello' }],
      run: { status: 'running' },
    })
  })

  it('of a temporary chat is deleted completely', async () => {
    const run = await stores.runs.claim(
      aRun({ ...newConversationIds(), ...lostTimes, isSaved: false }),
      undefined,
    )
    await expect(readConversation(stores, run)).rejects.toMatchObject({ code: 'session_not_found' })
    expect(await listKeys(run)).toEqual([])
  })
})

describe('the messages of a reply', () => {
  const run = aRun({ ...newConversationIds(), startedAtMs: Date.now() + 60_000 })

  it('have later times than the question, and no links', () => {
    const attachments = [
      { id: 'f1', name: 'a', type: 'image/png', size: 1, url: 'https://x', previewUrl: 'https://y' },
    ]
    const messages = replyMessages(run, toEndedReply('Half', { status: 'stopped', attachments }))
    expect(messages).toMatchObject([
      { id: run.replyId, kind: 'reply', turn: 1, ended: 'stopped', content: 'Half', tool_calls: [] },
    ])
    expect(messages[0]?.attachments).toEqual([{ id: 'f1', name: 'a', type: 'image/png', size: 1 }])
    expect(messages.map(({ created_at }) => Date.parse(created_at) - run.startedAtMs)).toEqual([1])
  })

  it.each<[string, Partial<EndedReply>, number]>([
    ['nothing', { content: ' \n' }, 0],
    [
      'a call',
      { content: '', toolCalls: [{ tool: 't', action: 'T', parameters: {}, result: { success: true } }] },
      1,
    ],
    ['an image', { content: '', attachments: [{ id: 'f', name: 'a', type: 'image/png', size: 1 }] }, 1],
  ])('exist only if there is something to show: %s', (_, changes, count) => {
    expect(replyMessages(run, toEndedReply('', changes))).toHaveLength(count)
  })

  it('have only the fields that apply, within the size of a row', () => {
    expect(replyMessages(run, toEndedReply('ok \ud83d'))[0]).toMatchObject({ content: 'ok \ufffd' })
    expect(replyMessages(run, toEndedReply('ok'))[0]).not.toHaveProperty('ended')
    expect(replyMessages(run, toEndedReply('ok'))[0]).not.toHaveProperty('notices')
    expect(replyMessages(run, toEndedReply('ok'))[0]).not.toHaveProperty('reasoning')
    expect(replyMessages(run, toEndedReply('ok'))[0]).not.toHaveProperty('sources')
    const reasoning = { text: 'Hm.', durationMs: 1_200 }
    const sources = [{ url: 'https://a.example/' }]
    expect(replyMessages(run, toEndedReply('ok', { reasoning, sources }))[0]).toMatchObject({
      reasoning,
      sources,
    })
    // the row has room for the reply first
    const longReply = '漢'.repeat(100_000)
    const extras = { reasoning: { text: '漢'.repeat(20_000), durationMs: 1 }, sources }
    const [fittedReply] = replyMessages(run, toEndedReply(longReply, extras))
    expect(fittedReply?.sources).toEqual(sources)
    expect(fittedReply?.reasoning?.text).toHaveLength(20_000)
    const calls = Array.from({ length: 8 }, () => ({
      tool: 'n',
      action: 'n',
      parameters: {},
      result: { success: true, data: 'x'.repeat(11_000) },
    }))
    const [crowdedReply] = replyMessages(run, toEndedReply(longReply, { ...extras, toolCalls: calls }))
    expect(crowdedReply).toMatchObject({ content: longReply, tool_calls: calls })
    expect(crowdedReply).not.toHaveProperty('reasoning')
    expect(replyMessages(run, toEndedReply('ok', { status: 'incomplete' }))[0]).toMatchObject({
      ended: 'incomplete',
    })
  })
})

describe('a stored reply', () => {
  it('clears its checkpoints, and updates the time of its conversation', async () => {
    const run = await startConversation({ startedAtMs: secondsAgo(30) })
    await stores.logs.append(run, [textPart(0, 'Hi')])
    const stored = await finishRun(stores, run, toEndedReply('Hi!', { hasCheckpoints: true }))
    expect(stored?.messages).toMatchObject([{ content: 'Hi!' }])
    expect(stored?.session).toMatchObject({ message_count: 2, updated_at: stored?.messages[0]?.created_at })
    expect(await stores.logs.read(run, 0)).toEqual([])
    expect(await readRow(run)).toMatchObject({ status: 'done' })
  })

  it('counts the message that it answers, if that was not counted yet', async () => {
    const run = await startConversation()
    const stored = await finishRun(stores, run, toEndedReply('Hi!', { uncounted: 1 }))
    expect(stored?.session.message_count).toBe(3)
  })

  it('has its conversation counted anew if nobody knows whether the message was counted', async () => {
    const run = await startConversation()
    const stored = await finishRun(stores, run, toEndedReply('Hi!', { uncounted: undefined }))
    expect(stored?.session.message_count).toBe(2)
  })

  it('leaves checkpoints alone when it ended without any', async () => {
    const run = await startConversation()
    await stores.logs.append(run, [textPart(0, 'Hi')])
    await finishRun(stores, run, toEndedReply('Hi!'))
    expect(await stores.logs.read(run, 0)).toHaveLength(1)
  })

  it('records that its conversation uses its images, except deleted ones', async () => {
    const run = await startConversation()
    const image = { id: 'f1', name: 'cat.png', type: 'image/png', size: 1 }
    await files.put(run.sub, { ...image, state: 'ready', created_at: new Date().toISOString() })
    await finishRun(stores, run, toEndedReply('Hi!', { attachments: [image, { ...image, id: 'gone' }] }))
    expect((await files.find(run.sub, 'f1')).used_in).toEqual(new Set([run.sessionId]))
  })

  it('with an error keeps the message in the run', async () => {
    const run = await startConversation()
    await finishRun(
      stores,
      run,
      toEndedReply('', { status: 'failed', failure: { error: 'Service error: no.' } }),
    )
    expect(await readRow(run)).toMatchObject({ status: 'failed', error: 'Service error: no.' })
    expect((await stores.messages.loadNewest(run.sub, run.sessionId)).messages).toHaveLength(1)
  })
})

describe('a replaced message', () => {
  /** Three turns, the last of which replaces the second. */
  async function startReplacement(changes: Partial<Run> = {}) {
    const run = await startConversation({ turn: 3, replaces: { messageId: 'm2', turn: 2 }, ...changes })
    await putQuestion(run, 2, 'Second')
    await putQuestion(run, 3, 'Second, edited')
    return run
  }
  const readContents = async (run: Run) =>
    (await readConversation(stores, run)).messages.map(({ content }) => content)

  it.each(['done', 'stopped', 'incomplete', 'failed'] as const)(
    'DEC-163 becomes an earlier version once the new reply is %s',
    async (status) => {
      const run = await startReplacement()
      const stored = await finishRun(stores, run, toEndedReply('Anew', { status }))
      expect((await readContents(run)).slice(0, 3)).toEqual(['Hello', 'Second, edited', 'Anew'])
      expect(stored?.session.message_count).toBe(3)
      expect(await readRow(run)).not.toHaveProperty('replaces')
      expect(await readRow(run)).toMatchObject({ branches: { forks: [{ turn: 3, versionOf: 2 }] } })
      expect((await readConversation(stores, run)).messages).toMatchObject([
        {},
        { content: 'Second, edited', versions: { shown: 2, count: 2 } },
        {},
      ])
      await showVersion(stores, { ...run, messageId: 'm2' })
      expect(await readContents(run)).toEqual(['Hello', 'Second'])
    },
  )

  it.each<[string, Partial<EndedReply>]>([
    ['failed', { status: 'failed' }],
    ['was stopped', { status: 'stopped' }],
    ['was interrupted after reasoning', { status: 'interrupted', reasoning: { text: 'Hm', durationMs: 1 } }],
    ['reached a limit', { status: 'incomplete' }],
    ['has blanks alone', { status: 'done', content: ' ' }],
  ])('DEC-163 stays when the new reply %s before its first word', async (_, changes) => {
    const run = await startReplacement()
    const before = await stores.conversations.find(run.sub, run.sessionId)
    await finishRun(stores, run, toEndedReply('', changes))
    const read = await readConversation(stores, run)
    expect(read).toMatchObject({
      messages: [{ content: 'Hello' }, { content: 'Second' }],
      session: { message_count: 2 },
      run: { message_id: run.messageId, replaces: 'm2' },
      attempt: { content: 'Second, edited' },
    })
    expect(read.messages[1]).not.toHaveProperty('versions')
    expect(before).toMatchObject({ title: read.session.title })
  })

  it('DEC-163 becomes an earlier version at the next read after a crash', async () => {
    const run = await startReplacement()
    const reply = aMessage({
      session_id: run.sessionId,
      turn: 3,
      kind: 'reply',
      role: 'assistant',
      content: 'Anew',
    })
    await stores.messages.put(run.sub, reply, run.startedAtMs)
    expect(await readContents(run)).toEqual(['Hello', 'Second', 'Second, edited', 'Anew'])
    await stores.runs.end(run, 'done')
    const read = await readConversation(stores, run)
    expect(toTranscript(read.messages)).toEqual([
      ['user', 'Hello'],
      ['user', 'Second, edited'],
      ['assistant', 'Anew'],
    ])
    expect(read.session.message_count).toBe(3)
    expect(await readRow(run)).not.toHaveProperty('replaces')
    expect(await stores.messages.loadContents(run.sub, run.sessionId)).toHaveLength(4)
  })
})

describe('a message', () => {
  it('is not overwritten by an earlier run, and is removed only by its own run', async () => {
    const run = await startConversation({ startedAtMs: 1_000 })
    const reply = (content: string) =>
      aMessage({ session_id: run.sessionId, role: 'assistant', kind: 'reply', content })
    expect(await stores.messages.put(run.sub, reply('New'), 2_000)).toBe(1)
    expect(await stores.messages.put(run.sub, reply('Old'), 1_999)).toBe(0)
    expect(await stores.messages.put(run.sub, reply('Newer'), 2_000)).toBe(0)
    expect(await stores.messages.put(run.sub, reply(' '), 2_001)).toBe(-1)
    expect(await stores.messages.put(run.sub, reply('Back'), 2_002)).toBe(1)
    await stores.messages.deleteOwn(run.sub, reply('Back'), 2_001)
    expect((await stores.messages.loadNewest(run.sub, run.sessionId)).messages.at(-1)?.content).toBe('Back')
    await stores.messages.deleteOwn(run.sub, reply('Back'), 2_002)
    expect((await stores.messages.loadNewest(run.sub, run.sessionId)).messages.at(-1)?.content).toBe('Hello')
  })

  it('is read in pages of a given size, each with the cursor of the previous one', async () => {
    const run = await startConversation()
    for (let turn = 2; turn <= 5; turn += 1) await putQuestion(run, turn, `no ${turn}`)
    const page = (before?: string, maxMessages = 2) =>
      stores.messages.loadNewest(run.sub, run.sessionId, { before, maxMessages })
    const first = await page()
    expect(first.messages.map(({ turn }) => turn)).toEqual([4, 5])
    expect(first.earlier).toBe('000004#1')
    const second = await page(first.earlier ?? undefined)
    expect(second.messages.map(({ turn }) => turn)).toEqual([2, 3])
    expect((await page(second.earlier ?? undefined)).messages.map(({ turn }) => turn)).toEqual([1])
    expect(await stores.messages.loadNewest(run.sub, 'none')).toEqual({ messages: [], earlier: null })
  })

  it('of another branch is neither read nor counted', async () => {
    const run = await startConversation()
    for (let turn = 2; turn <= 31; turn += 1) await putQuestion(run, turn, 'x')
    const path = [
      { first: 31, last: Infinity },
      { first: 1, last: 2 },
    ]
    for (const maxMessages of [1, 2, 3]) {
      const found = []
      for (let before: string | null | undefined; before !== null;) {
        const page = await stores.messages.loadNewest(run.sub, run.sessionId, { path, before, maxMessages })
        found.unshift(...page.messages)
        before = page.earlier
      }
      expect(found.map(({ turn }) => turn)).toEqual([1, 2, 31])
    }
    expect(await stores.messages.loadContents(run.sub, run.sessionId, path)).toHaveLength(3)
    expect(await stores.messages.findTurn(run.sub, run.sessionId, 'm2')).toBe(2)
    expect(await stores.messages.findTurn(run.sub, run.sessionId, 'none')).toBeUndefined()
    expect(await stores.messages.hasReply(run.sub, run.sessionId, 1)).toBe(false)
  })
})

it('a search that has read the conversation before finds a reply that was recovered since', async () => {
  const hourAgo = secondsAgo(3_600)
  const run = await startConversation({ startedAtMs: hourAgo, heartbeatAtMs: hourAgo })
  await stores.logs.append(run, [textPart(0, 'Recovered words')])
  const since = new Date(hourAgo + 600_000).toISOString()
  const search = async () => (await searchCorpus(stores, run.sub, { since })).messages
  expect(await search()).toEqual([])
  await readConversation(stores, run)
  expect((await search()).map(({ content }) => content)).toContain('Recovered words')
  expect(await stores.conversations.find(run.sub, run.sessionId)).not.toHaveProperty('changed_at')
})
