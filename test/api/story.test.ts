import { DefaultChatTransport, readUIMessageStream, uiMessageChunkSchema, type UIMessage } from 'ai'
import { describe, expect, it } from 'vitest'
import type { ChatEvent } from '#shared/chat-events.ts'
import { chatResponse, type ChatResponse } from '#shared/contracts/chat.ts'
import { session as sessionSchema } from '#shared/contracts/messages.ts'
import { routePath } from '#shared/routes.ts'
import { ask, joinText, findOnlyEvent, listTypes } from '../support/read-along.ts'
import { demoStack } from '../support/shared-stack.ts'
import type { StackUser } from '../support/stack-user.ts'

const stack = await demoStack()
const ann = await stack.newUser({ name: 'Ann Ávila' })

const message = (content: string) => ({ role: 'user' as const, content })
const conversation = (content: string) => ({
  messages: [message(content)],
  sessionId: crypto.randomUUID(),
  messageId: crypto.randomUUID(),
})

describe('a user', () => {
  it('AUTH-18 gets a mail with a link to the product’s own address and the code that confirms the account', async () => {
    const [mail] = await stack.mail(ann.email)
    const links = mail?.text.match(/https?:\S+/g) ?? []
    expect(links.length).toBeGreaterThan(0)
    for (const link of links) {
      const url = new URL(link)
      expect(url.origin).toBe(stack.origin)
      expect(url.pathname).toBe('/auth')
      expect(url.searchParams.get('code')).toMatch(/^\d{6}$/)
    }
  })

  it('asks the demo model for a web search, and gets the reply with numbered sources', async () => {
    const body = conversation('Search the web for sourdough')
    const received = await ask(ann, body).finished
    const sources = received.flatMap(({ event }) =>
      typeof event === 'object' && event.type === 'source-url' ? [event.sourceId, event.url] : [],
    )
    expect(sources).toEqual([
      'source-1',
      'https://example.com/?q=sourdough',
      'source-2',
      'https://example.org/?q=sourdough',
    ])
    const { messages } = await ann.call('sessions.read', { params: { sessionId: body.sessionId } })
    expect(messages[1]?.sources).toMatchObject([{ url: sources[1] }, { url: sources[3] }])
  })

  it('DEC-177 with a new account and nothing connected, is remembered without an approval until a search was made', async () => {
    const user = await stack.newUser()
    await user.call('account.settings', { body: { memory: true } })
    const body = conversation('Remember that I live in Oslo')
    await ask(user, body).finished
    const send = async (content: string) => {
      await ask(user, { ...body, messageId: crypto.randomUUID(), messages: [message(content)] }).finished
      const { run } = await user.call('sessions.read', { params: { sessionId: body.sessionId } })
      return run
    }
    expect((await send('Remember that my cat is called Tom'))?.status).not.toBe('waiting')
    const texts = async () => (await user.call('memory.list')).memories.map(({ text }) => text)
    expect(await texts()).toEqual(['I live in Oslo', 'My cat is called Tom'])
    await send('Search the web for sourdough')
    // not the user's words of that message
    const run = await send('Forget that my cat is called Tom')
    expect(run?.questions).toMatchObject([{ tool: 'forget', untrusted: [{ kind: 'web', names: [] }] }])
  })

  it('CHAT-52 HIST-12 HIST-26 asks, reads the streamed reply, finds it again, deletes it', async () => {
    const user = await stack.newUser()
    expect(await user.call('sessions.list')).toEqual({ sessions: [] })
    const body = conversation('/echo One two three four five.')
    const received = await ask(user, body).finished
    expect(listTypes(received)).toEqual([
      'start',
      'start-step',
      'text-start',
      'text-delta',
      'text-end',
      'message-metadata',
      'finish-step',
      'data-session',
      'finish',
      '[DONE]',
    ])
    expect(joinText(received)).toBe('One two three four five.')

    const { sessions } = await user.call('sessions.list')
    expect(sessions).toEqual([
      {
        id: body.sessionId,
        user_id: user.sub,
        title: '/echo One two three four five.',
        created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/) as string,
        updated_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/) as string,
        message_count: 2,
        model: 'juno-demo',
        usage: {
          inputTokens: expect.any(Number) as number,
          cachedInputTokens: 0,
          outputTokens: 5,
          images: 0,
          unpricedTokens: expect.any(Number) as number,
        },
      },
    ])
    expect(findOnlyEvent(received, 'data-session').data).toEqual(sessions[0])

    const params = { sessionId: body.sessionId }
    const read = await user.call('sessions.read', { params })
    expect(read).toMatchObject({ session: sessions[0], earlier: null, run: null })
    expect(read.messages).toMatchObject([
      { id: body.messageId, role: 'user', content: '/echo One two three four five.', attachments: [] },
      { id: findOnlyEvent(received, 'start').messageId, role: 'assistant', tool_calls: [] },
    ])
    expect(read.messages[1]).toMatchObject({
      content: 'One two three four five.',
      session_id: body.sessionId,
    })

    expect(await user.call('sessions.delete', { params })).toEqual({ success: true })
    expect(await user.call('sessions.list')).toEqual({ sessions: [] })
    expect(await user.send('sessions.read', { params })).toMatchObject({
      status: 404,
      body: { success: false, code: 'session_not_found' },
    })
  })

  it('HIST-24 HIST-25 DATA-02 sees only their own conversations, newest update first', async () => {
    const [one, other] = await Promise.all([stack.newUser(), stack.newUser()])
    const first = conversation('/echo first')
    const second = conversation('/echo second')
    await ask(one, first).finished
    await ask(one, second).finished
    const listTitles = async () => (await one.call('sessions.list')).sessions.map(({ title }) => title)
    expect(await listTitles()).toEqual(['/echo second', '/echo first'])
    await ask(one, { ...first, messageId: crypto.randomUUID() }).finished
    expect(await listTitles()).toEqual(['/echo first', '/echo second'])
    const [newest] = (await one.call('sessions.list')).sessions
    expect(newest).toMatchObject({ message_count: 4, user_id: one.sub })
    expect(await other.call('sessions.list')).toEqual({ sessions: [] })
  })

  it('DATA-13 DEC-005 continues a conversation: the server sets the order, and times strictly increase', async () => {
    const body = conversation('/echo one')
    await ask(ann, body).finished
    await ask(ann, { ...body, messages: [message('/echo two')], messageId: crypto.randomUUID() }).finished
    const { messages } = await ann.call('sessions.read', { params: { sessionId: body.sessionId } })
    expect(messages.map(({ content }) => content)).toEqual(['/echo one', 'one', '/echo two', 'two'])
    const times = messages.map(({ created_at }) => created_at)
    expect(times).toEqual([...new Set(times)].toSorted())
  })
})

describe('the forms of a reply', () => {
  const askForJson = async (user: StackUser, body: unknown) => {
    const reply = await user.send('chat.send', { body })
    expect(reply.status).toBe(200)
    return reply.body as ChatResponse
  }

  it('CHAT-53 answers the specification’s bare body as JSON, and stores nothing', async () => {
    const user = await stack.newUser()
    const body = { messages: [{ role: 'user', content: '/echo Plain.', attachments: [] }] }
    const reply = await user.send('chat.send', { body })
    expect(reply.status).toBe(200)
    expect(reply.headers.get('content-type')).toBe('application/json; charset=utf-8')
    expect(reply.body).toEqual({ success: true, content: 'Plain.', toolCalls: [], error: null })
    expect(await user.call('sessions.list')).toEqual({ sessions: [] })
  })

  it('accepts the specification’s whole body', async () => {
    const reply = await askForJson(ann, {
      messages: [message('Hi'), { role: 'assistant', content: 'Hello' }, message('/echo All of it.')],
      connectedTools: [{ mcp_id: 'gmail', mcp_name: 'Gmail' }],
      systemPrompt: 'Be kind.',
      integrationContext: {
        connectedCount: 1,
        availableCapabilities: ['get_emails'],
        integrationList: ['Gmail'],
      },
    })
    expect(reply).toEqual({ success: true, content: 'All of it.', toolCalls: [], error: null })
  })

  it('DEC-010 the last event of a stream carries the fields of the JSON form', async () => {
    const events = await ask(ann, { messages: [message('/markdown')] }).finished
    const last = findOnlyEvent(events, 'finish').messageMetadata
    expect(Object.keys(last).toSorted()).toEqual(
      Object.keys(
        chatResponse.omit({
          attachments: true,
          notices: true,
          reasoning: true,
          sources: true,
          incompleteReason: true,
          code: true,
          params: true,
          requestId: true,
        }).shape,
      ).toSorted(),
    )
    expect(last).toEqual(await askForJson(ann, { messages: [message('/markdown')] }))
    expect(last.content).toBe(joinText(events))
    expect(events.at(-1)?.event).toBe('[DONE]')
  })

  it('INFRA-08 a stream names its type, and gives every event its position', async () => {
    const response = await fetch(`${stack.origin}${routePath('chat.send', {})}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${ann.accessToken}`, accept: 'text/event-stream' },
      body: JSON.stringify(conversation('/echo Zoë says 👋 to everyone')),
    })
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
    expect(response.headers.get('cache-control')).toBe('no-cache, no-transform')
    expect(response.headers.get('x-vercel-ai-ui-message-stream')).toBe('v1')
    const frames = (await response.text()).split('\n\n').filter((frame) => frame.startsWith('id: '))
    let position = 0
    for (const frame of frames) {
      const [, id, data = ''] = /^id: (\d+)\ndata: (.*)$/.exec(frame) ?? []
      const event = JSON.parse(data) as ChatEvent
      position += event.type === 'text-delta' ? event.delta.length : 1
      expect(Number(id)).toBe(position)
    }
    expect(frames.length).toBeGreaterThan(4)
  })

  it('repeating a message returns its reply, in either form, without another model call', async () => {
    const body = conversation('/echo Once only.')
    const first = await ask(ann, body).finished
    const { requests } = await stack.modelRequests()
    const again = await ask(ann, body).finished
    expect(joinText(again)).toBe(joinText(first))
    expect(findOnlyEvent(again, 'finish')).toEqual(findOnlyEvent(first, 'finish'))
    expect(await askForJson(ann, body)).toEqual(findOnlyEvent(first, 'finish').messageMetadata)
    expect((await stack.modelRequests()).requests).toBe(requests)
  })
})

describe('the public protocol', () => {
  const transportFor = (user: StackUser, sessionId: string) =>
    new DefaultChatTransport<UIMessage>({
      api: `${stack.origin}${routePath('chat.send', {})}`,
      headers: { authorization: `Bearer ${user.accessToken}`, accept: 'text/event-stream' },
      prepareSendMessagesRequest: ({ messages }) => {
        const last = messages.at(-1)
        const text = last?.parts.map((part) => (part.type === 'text' ? part.text : '')).join('') ?? ''
        return { body: { messages: [message(text)], sessionId, messageId: last?.id } }
      },
      prepareReconnectToStreamRequest: () => ({
        api: `${stack.origin}${routePath('runs.events', { sessionId })}`,
      }),
    })

  async function readLastState(stream: Parameters<typeof readUIMessageStream>[0]['stream']) {
    const problems: unknown[] = []
    let state: UIMessage | undefined
    for await (const next of readUIMessageStream({ stream, onError: (error) => problems.push(error) }))
      state = next
    expect(problems).toEqual([])
    return state
  }

  it('its own client reads our stream, when it is first sent and when it is resumed', async () => {
    const sessionId = crypto.randomUUID()
    const transport = transportFor(ann, sessionId)
    const question: UIMessage = {
      id: crypto.randomUUID(),
      role: 'user',
      parts: [{ type: 'text', text: '/markdown' }],
    }
    const sentMessage = await readLastState(
      await transport.sendMessages({
        chatId: sessionId,
        messages: [question],
        trigger: 'submit-message',
        messageId: undefined,
        abortSignal: undefined,
      }),
    )
    const { session, messages } = await ann.call('sessions.read', { params: { sessionId } })
    const [, storedReply] = messages
    expect(sentMessage).toMatchObject({
      id: storedReply?.id,
      role: 'assistant',
      metadata: { sessionId, success: true, content: storedReply?.content, toolCalls: [], error: null },
    })
    const text = { type: 'text', text: storedReply?.content, state: 'done' }
    expect(sentMessage?.parts).toEqual([
      { type: 'step-start' },
      text,
      { type: 'data-session', data: session },
    ])

    const stream = await transport.reconnectToStream({ chatId: sessionId })
    if (!stream) throw new Error('there is no stream')
    const resumedMessage = await readLastState(stream)
    expect(resumedMessage?.id).toBe(storedReply?.id)
    expect(resumedMessage?.parts.slice(0, 2)).toEqual([{ type: 'step-start' }, text])
  })

  const session = sessionSchema.parse({
    id: 's',
    user_id: 'u',
    title: 't',
    created_at: 'c',
    updated_at: 'u',
    message_count: 1,
  })
  const run = { run_id: 'r', status: 'waiting', message_id: 'm', reply_id: 'a' } as const
  const everyEvent: Record<ChatEvent['type'], ChatEvent> = {
    start: { type: 'start', messageId: 'a', messageMetadata: { sessionId: 's', runId: 'r' } },
    'start-step': { type: 'start-step' },
    'finish-step': { type: 'finish-step' },
    'reasoning-start': { type: 'reasoning-start', id: 'reasoning-0-0' },
    'reasoning-delta': { type: 'reasoning-delta', id: 'reasoning-0-0', delta: 'Hm.' },
    'reasoning-end': {
      type: 'reasoning-end',
      id: 'reasoning-0-0',
      providerMetadata: { juno: { durationMs: 1 } },
    },
    'text-start': { type: 'text-start', id: 'text-0' },
    'text-delta': { type: 'text-delta', id: 'text-0', delta: 'Hello' },
    'text-end': { type: 'text-end', id: 'text-0' },
    'data-retracted-text': { type: 'data-retracted-text', data: { characters: 1 } },
    'tool-input-start': {
      type: 'tool-input-start',
      toolCallId: 'c',
      toolName: 'n',
      title: 'N',
      providerMetadata: { juno: { kind: 'other' } },
    },
    'tool-input-delta': { type: 'tool-input-delta', toolCallId: 'c', inputTextDelta: '{' },
    'tool-input-available': { type: 'tool-input-available', toolCallId: 'c', toolName: 'n', input: { a: 1 } },
    'tool-approval-request': { type: 'tool-approval-request', approvalId: 'c', toolCallId: 'c' },
    'tool-approval-response': { type: 'tool-approval-response', approvalId: 'c', approved: true },
    'source-url': { type: 'source-url', sourceId: 'source-1', url: 'https://example.com/', title: 'E' },
    'message-metadata': {
      type: 'message-metadata',
      messageMetadata: {
        usage: { inputTokens: 1, cachedInputTokens: 0, outputTokens: 1, reasoningTokens: 0, images: 0 },
      },
    },
    'tool-output-available': { type: 'tool-output-available', toolCallId: 'c', output: [1] },
    'tool-output-error': { type: 'tool-output-error', toolCallId: 'c', errorText: 'No.' },
    'tool-output-denied': { type: 'tool-output-denied', toolCallId: 'c' },
    'data-result-extras': {
      type: 'data-result-extras',
      data: { toolCallId: 'c', links: [{ url: 'https://example.com/', title: 'E' }], notes: ['No.'] },
    },
    'data-session': { type: 'data-session', data: session },
    file: { type: 'file', url: 'https://b.example/o', mediaType: 'image/png' },
    'data-attachment': {
      type: 'data-attachment',
      data: { id: 'f', name: 'a.png', type: 'image/png', size: 1, isGenerated: true, prompt: 'p' },
    },
    'data-reading': {
      type: 'data-reading',
      data: { id: 'f', name: 'a.pdf', reading: { state: 'pending' } },
    },
    'data-notice': { type: 'data-notice', data: { code: 'tools_unavailable', text: 'No tools.' } },
    'data-reply': { type: 'data-reply', data: { messages: [], run } },
    'data-run': { type: 'data-run', data: run },
    abort: { type: 'abort' },
    error: { type: 'error', errorText: 'Service error: No.' },
    finish: { type: 'finish', messageMetadata: { success: true, content: '', toolCalls: [], error: null } },
  }

  it.each(Object.values(everyEvent))('knows our event $type', async (event) => {
    const { validate } = uiMessageChunkSchema()
    expect(await validate?.(event)).toEqual({ success: true, value: event })
  })

  it('rejects an event of another name', async () => {
    const { validate } = uiMessageChunkSchema()
    expect(await validate?.({ ...everyEvent.abort, type: 'stopped' })).toMatchObject({ success: false })
  })
})
