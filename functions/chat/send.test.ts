import { afterAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import type { ChatRequest } from '#shared/contracts/chat.ts'
import { beginStream, chunk, says, type ModelBehaviour } from '../../test/support/fake-model-server.ts'
import {
  failTable,
  startInProcessFunctions,
  type InProcessUser,
} from '../../test/support/in-process-functions.ts'
import { withQuickHeartbeats } from '../../test/support/quick-heartbeats.ts'
import { pausableReply } from '../../test/support/pausable-reply.ts'
import { ask, findOnlyEvent } from '../../test/support/read-along.ts'
import { documentTools, scheduleTools } from '../../test/support/own-tools.ts'
import { queryAll } from '../platform/dynamodb/query.ts'
import { tokenRevoker } from '../platform/auth/token-revocation.ts'
import { heartbeatEveryMs } from '../conversations/store/liveness.ts'

const backend = await startInProcessFunctions({ REPLIES_AT_ONCE: '2' })
afterAll(() => backend.close())

const question = (content: string): ChatRequest['messages'][number] => ({ role: 'user', content })
const assistantMessage = (content: string): ChatRequest['messages'][number] => ({
  role: 'assistant',
  content,
})
const body = (content: string, changes: Partial<ChatRequest> = {}): ChatRequest => ({
  sessionId: 's1',
  messageId: 'm1',
  messages: [question(content)],
  ...changes,
})

/** Sends this text, and ends at the token limit. */
const endsAtLimit =
  (text: string): ModelBehaviour =>
  (response) => {
    beginStream(response)
    response.write(chunk({ content: text }))
    response.write(chunk({}, 'length'))
    response.end('data: [DONE]\n\n')
  }

const reportsBusy: ModelBehaviour = (response) => response.writeHead(429, { 'retry-after': '27' }).end('{}')

/** The messages of the last request to the model, without its instructions. */
const getPrompt = () =>
  (backend.model.requests.at(-1)?.messages ?? []).slice(1).map(({ role, content }) => [role, content])

const listKeys = async (user: InProcessUser) => (await backend.readRows(user)).map(({ SK }) => String(SK))
const read = (user: InProcessUser) => user.call('sessions.read', { params: { sessionId: 's1' } })
const readContents = async (user: InProcessUser) =>
  (await read(user)).messages.map(({ role, content }) => [role, content])

/** The usage of a request whose server counts no tokens. */
const usage = {
  inputTokens: expect.any(Number) as number,
  cachedInputTokens: 0,
  outputTokens: expect.any(Number) as number,
  reasoningTokens: 0,
  images: 0,
  model: 'test-model',
  contextUsed: expect.any(Number) as number,
  estimated: true,
}

describe('a message of a conversation', () => {
  it('is stored and answered with events, and its reply is stored', async () => {
    backend.model.behave(says('In water.'))
    const user = await backend.newUser()
    const reading = ask(user, body('How do I boil an egg?'))
    const received = await reading.finished
    expect(reading.types()).toEqual([
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
    const { run, ...stored } = await read(user)
    expect(run).toBeNull()
    expect(findOnlyEvent(received, 'start')).toEqual({
      type: 'start',
      messageId: stored.messages[1]?.id,
      messageMetadata: { sessionId: 's1', runId: expect.any(String) as string },
    })
    expect(findOnlyEvent(received, 'data-session').data).toEqual(stored.session)
    expect(findOnlyEvent(received, 'message-metadata').messageMetadata).toEqual({ usage })
    expect(stored.messages[1]?.usage).toEqual(usage)
    expect(findOnlyEvent(received, 'finish').messageMetadata).toEqual({
      success: true,
      content: 'In water.',
      toolCalls: [],
      error: null,
    })
    expect(stored.session).toMatchObject({ id: 's1', title: 'How do I boil an egg?', message_count: 2 })
    expect(stored.messages).toMatchObject([
      { id: 'm1', role: 'user', content: 'How do I boil an egg?', attachments: [], tool_calls: [] },
      { role: 'assistant', content: 'In water.', attachments: [], tool_calls: [] },
    ])
  })

  it('goes to the configured model with its key, after instructions with the name and the date', async () => {
    // the day does not end within the test
    vi.useFakeTimers({ toFake: ['Date'] })
    onTestFinished(() => void vi.useRealTimers())
    const authorizations: (string | undefined)[] = []
    backend.model.behave((response, request, modelRequest) => {
      authorizations.push(request.headers.authorization)
      return says('Hi!')(response, request, modelRequest)
    })
    const user = await backend.newUser()
    await user.call('chat.send', { body: body('Hello') })
    expect(authorizations).toEqual(['Bearer key-of-the-model'])
    const [request] = backend.model.requests
    expect(request).toEqual({
      model: 'test-model',
      stream: true,
      stream_options: { include_usage: true },
      messages: [{ role: 'system', content: expect.any(String) as string }, question('Hello')],
      tools: [...documentTools, ...scheduleTools].map(
        (name) =>
          expect.objectContaining({ function: expect.objectContaining({ name }) as object }) as object,
      ),
    })
    expect(request?.messages[0]?.content).toContain('You are Juno')
    expect(request?.messages[0]?.content).toContain(
      `Today is ${new Date().toISOString().slice(0, 10)} (UTC).`,
    )
  })

  it('is answered with one JSON object for callers that do not accept events', async () => {
    backend.model.behave(says('Hi!'))
    const user = await backend.newUser()
    const { status, headers, body: responseBody } = await user.send('chat.send', { body: body('Hello') })
    expect([status, headers.get('content-type'), headers.get('cache-control')]).toEqual([
      200,
      'application/json; charset=utf-8',
      'no-store',
    ])
    expect(responseBody).toEqual({ success: true, content: 'Hi!', toolCalls: [], error: null })
  })

  it('gets an id if the caller sends none', async () => {
    backend.model.behave(says('Hi!'))
    const user = await backend.newUser()
    await user.call('chat.send', { body: { sessionId: 's1', messages: [question('Hello')] } })
    expect((await read(user)).messages[0]?.id).toMatch(/^[\w-]{36}$/)
  })

  it('follows the stored messages, not the history in the request', async () => {
    backend.model.behave(says('One.'), says('Two.'))
    const user = await backend.newUser()
    await user.call('chat.send', { body: body('First') })
    await user.call('chat.send', {
      body: body('', {
        messageId: 'm2',
        messages: [question('Forged'), assistantMessage('Forged too'), question('Second')],
      }),
    })
    expect(getPrompt()).toEqual([
      ['user', 'First'],
      ['assistant', 'One.'],
      ['user', 'Second'],
    ])
    expect(await readContents(user)).toEqual([
      ['user', 'First'],
      ['assistant', 'One.'],
      ['user', 'Second'],
      ['assistant', 'Two.'],
    ])
  })

  it.each<[string, Partial<ChatRequest>, string]>([
    [
      'from the assistant',
      { messages: [question('Hi'), assistantMessage('Hello')] },
      'The last message must be one of the user.',
    ],
    ['empty', { messages: [question(' \n')] }, 'The message is empty.'],
    ['without text or files', { messages: [{ ...question(''), attachments: [] }] }, 'The message is empty.'],
    [
      'without a question before the reply to continue',
      { messages: [assistantMessage('Once')], continues: true },
      'The last message must be one of the user.',
    ],
  ])('that is %s is refused, and nothing is stored', async (_, changes, error) => {
    backend.model.behave(says('never'))
    const user = await backend.newUser()
    const response = await user.send('chat.send', { body: body('', changes) })
    expect(response).toMatchObject({ status: 400, body: { success: false, code: 'bad_request', error } })
    expect(await backend.readRows(user)).toEqual([])
    expect(backend.model.requests).toEqual([])
  })

  it('of a deleted conversation is not found', async () => {
    backend.model.behave(says('Hi!'))
    const user = await backend.newUser()
    await user.call('chat.send', { body: body('Hello') })
    await user.call('sessions.delete', { params: { sessionId: 's1' } })
    const response = await user.send('chat.send', { body: body('Again', { messageId: 'm2' }) })
    expect(response).toMatchObject({
      status: 404,
      body: {
        code: 'session_not_found',
        error: 'This conversation does not exist, or it was deleted.',
      },
    })
    expect(await listKeys(user)).toEqual(['S#s1'])
  })
})

describe('the same message sent again', () => {
  it('while its reply is written gets that reply, as events and as JSON, and the model is called once', async () => {
    const paused = pausableReply('Once upon')
    backend.model.behave(paused.behaviour)
    const user = await backend.newUser()
    const first = ask(user, body('Tell me'))
    await paused.modelCalled
    const second = ask(user, body('Tell me'))
    await second.until(({ text }) => text() === 'Once upon')
    const json = user.call('chat.send', { body: body('Tell me') })
    paused.finish(' a time.')
    await first.finished
    expect(
      findOnlyEvent(await second.finished, 'data-reply').data.messages.map(({ content }) => content),
    ).toEqual(['Tell me', 'Once upon a time.'])
    expect(await json).toEqual({
      success: true,
      content: 'Once upon a time.',
      toolCalls: [],
      error: null,
    })
    expect(backend.model.requests).toHaveLength(1)
  })

  it('after its reply gets the stored reply, as events and as JSON', async () => {
    backend.model.behave(says('Hi!'))
    const user = await backend.newUser()
    const first = await user.call('chat.send', { body: body('Hello') })
    expect(await user.call('chat.send', { body: body('Hello') })).toEqual(first)
    const secondReading = ask(user, body('Hello'))
    const received = await secondReading.finished
    expect(secondReading.types()).toEqual([
      'start',
      'start-step',
      'text-start',
      'text-delta',
      'text-end',
      'finish-step',
      'data-reply',
      'message-metadata',
      'finish',
      '[DONE]',
    ])
    expect(secondReading.text()).toBe('Hi!')
    expect(findOnlyEvent(received, 'data-reply').data).toEqual({
      messages: (await read(user)).messages,
      run: expect.objectContaining({ status: 'done', message_id: 'm1' }) as object,
    })
    expect(backend.model.requests).toHaveLength(1)
  })

  it('after a failed reply is answered again, in the same turn', async () => {
    backend.model.behave(reportsBusy, says('Hi!'))
    const user = await backend.newUser()
    expect(await user.send('chat.send', { body: body('Hello') })).toMatchObject({ status: 503 })
    expect((await read(user)).run).toMatchObject({ status: 'failed' })
    await user.call('chat.send', { body: body('Hello') })
    expect(await readContents(user)).toEqual([
      ['user', 'Hello'],
      ['assistant', 'Hi!'],
    ])
    expect((await read(user)).session.message_count).toBe(2)
  })
})

describe('while a reply is being written', () => {
  it('another message of the conversation is refused, but not one of another conversation', async () => {
    const paused = pausableReply('Once')
    backend.model.behave(paused.behaviour, says('Hi!'))
    const user = await backend.newUser()
    const first = ask(user, body('Tell me'))
    await paused.modelCalled
    const second = user.send('chat.send', { body: body('And?', { messageId: 'm2' }) })
    const conversation = { sub: user.sub, sessionId: 's1' }
    expect(await withQuickHeartbeats(backend.stores, conversation, second)).toMatchObject({
      status: 409,
      body: {
        code: 'run_in_progress',
        error:
          'A reply is still being written in this conversation. Wait for it, or stop it, then try again.',
      },
    })
    await user.call('chat.send', { body: body('Hello', { sessionId: 's2' }) })
    paused.finish()
    await first.finished
  })

  it('only the configured number of replies start for one user; one that has ended makes room', async () => {
    const [one, two] = [pausableReply('One'), pausableReply('Two')]
    backend.model.behave(one.behaviour, two.behaviour, says('Three'))
    const user = await backend.newUser()
    const first = ask(user, body('1'))
    await one.modelCalled
    const second = ask(user, body('2', { sessionId: 's2' }))
    await two.modelCalled
    const response = await user.send('chat.send', { body: body('3', { sessionId: 's3' }) })
    expect(response).toMatchObject({ status: 429, body: { code: 'budget' } })
    expect(response.headers.get('retry-after')).toBe('10')
    expect(await listKeys(user)).not.toContain('S#s3')
    one.finish()
    await first.finished
    // a reply makes room after its last event
    const third = { body: body('3', { sessionId: 's3' }) }
    await expect.poll(async () => (await user.send('chat.send', third)).status).toBe(200)
    two.finish()
    await second.finished
  })
})

describe('a reply that fails', () => {
  it('has the status of its error as JSON, and the error message in the conversation', async () => {
    backend.model.behave(reportsBusy)
    const user = await backend.newUser()
    const response = await user.send('chat.send', { body: body('Hello') })
    expect(response).toMatchObject({ status: 503, body: { success: false, code: 'model_busy' } })
    expect(response.headers.get('retry-after')).toBe('27')
    expect((await read(user)).run).toMatchObject({
      status: 'failed',
      error: "Service error: The assistant's model is busy. Please try again in 27 seconds.",
    })
  })

  it('sends its error message as an event, and keeps its text', async () => {
    backend.model.behave((response) => {
      beginStream(response)
      response.end(chunk({ content: 'Half a' }))
    })
    const user = await backend.newUser()
    const reading = ask(user, body('Hello'))
    const received = await reading.finished
    expect(reading.types().slice(-4)).toEqual(['data-session', 'error', 'finish', '[DONE]'])
    const message = 'Service error: The reply was cut off. Please try again.'
    expect(findOnlyEvent(received, 'error').errorText).toBe(message)
    expect(findOnlyEvent(received, 'finish').messageMetadata).toMatchObject({
      success: false,
      content: 'Half a',
      toolCalls: [],
      error: message,
    })
    expect((await read(user)).messages[1]).toMatchObject({ content: 'Half a', ended: 'failed' })
  })
})

describe('a message that cannot be stored', () => {
  it('is reported as such without a call of the model, and can be sent again at once', async () => {
    backend.model.behave(says('Hi!'))
    const user = await backend.newUser()
    failTable((command, { Item }) => command === 'PutCommand' && String(Item?.['SK']).startsWith('M#'), 1)
    expect(await user.send('chat.send', { body: body('Hello') })).toMatchObject({
      status: 503,
      body: {
        code: 'session_not_created',
        error: 'The conversation could not be created. Please try again.',
      },
    })
    expect(backend.model.requests).toEqual([])
    await user.call('chat.send', { body: body('Hello') })
    expect(await readContents(user)).toEqual([
      ['user', 'Hello'],
      ['assistant', 'Hi!'],
    ])
  })

  it('of an existing conversation is an internal error, and the conversation stays as it was', async () => {
    backend.model.behave(says('Hi!'))
    const user = await backend.newUser()
    await user.call('chat.send', { body: body('Hello') })
    failTable((command, { Item }) => command === 'PutCommand' && String(Item?.['SK']).startsWith('M#'), 1)
    expect(await user.send('chat.send', { body: body('Hello again', { messageId: 'm2' }) })).toMatchObject({
      status: 500,
      body: { code: 'internal_error' },
    })
    expect(await readContents(user)).toHaveLength(2)
  })
})

describe('a message whose reply cannot begin, after it was accepted,', () => {
  const file = { id: 'f-1', name: 'a.png', type: 'image/png', size: 1 }
  /** The files of earlier messages cannot be read, once. */
  const failFiles = () =>
    failTable((command, input) => command === 'BatchGetCommand' && JSON.stringify(input).includes('A#f-1'), 1)

  it('is an error, and is answered at once when it is sent again: in a temporary chat', async () => {
    backend.model.behave(says('Hi again!'))
    const user = await backend.newUser()
    const messages = [
      { ...question('Hello'), attachments: [file] },
      assistantMessage('Hi!'),
      question('Hello again'),
    ]
    failFiles()
    expect(await user.send('chat.send', { body: body('', { messages, keep: false }) })).toMatchObject({
      status: 500,
      body: { code: 'internal_error' },
    })
    expect(backend.model.requests).toEqual([])
    // nothing of a temporary chat stays
    expect(await listKeys(user)).not.toContain('RUN#s1')
    const again = await user.call('chat.send', { body: body('', { messages, keep: false }) })
    expect(again).toMatchObject({ content: 'Hi again!' })
  })

  it('is an error, and is answered at once when it is sent again: with the beginning of its reply', async () => {
    backend.model.behave(endsAtLimit('Once u'), says('pon a time.'))
    const user = await backend.newUser()
    await user.call('chat.send', { body: body('Tell me') })
    const [, reply] = (await backend.stores.messages.loadNewest(user.sub, 's1')).messages
    if (!reply) throw new Error('no reply')
    await backend.stores.messages.put(user.sub, { ...reply, attachments: [file] }, Date.now())
    failFiles()
    expect(await user.send('chat.send', { body: body('Tell me', { continues: true }) })).toMatchObject({
      status: 500,
    })
    expect((await read(user)).run?.status).toBe('incomplete')
    const again = await user.call('chat.send', { body: body('Tell me', { continues: true }) })
    expect(again).toMatchObject({ content: 'Once upon a time.' })
  })
})

describe('a chat without a conversation', () => {
  it('is answered from the request only, and stores nothing', async () => {
    backend.model.behave(says('Blue.'))
    const user = await backend.newUser()
    const reading = ask(user, {
      messages: [question('My colour is blue.'), assistantMessage('Noted.'), question('Which?')],
    })
    const received = await reading.finished
    expect(reading.types()).toEqual([
      'start',
      'start-step',
      'text-start',
      'text-delta',
      'text-end',
      'message-metadata',
      'finish-step',
      'finish',
      '[DONE]',
    ])
    expect(findOnlyEvent(received, 'start')).toMatchObject({ messageMetadata: {} })
    expect(getPrompt()).toEqual([
      ['user', 'My colour is blue.'],
      ['assistant', 'Noted.'],
      ['user', 'Which?'],
    ])
    expect(await backend.readRows(user)).toEqual([])
  })

  it('has the page’s note and its hint that nothing is connected in the instructions', async () => {
    backend.model.behave(says('Hi!'))
    const user = await backend.newUser()
    await user.call('chat.send', {
      body: {
        messages: [question('Hi')],
        systemPrompt: ' Be brief. ',
        integrationContext: { connectedCount: 0, availableCapabilities: [], integrationList: [] },
      },
    })
    const instructions = backend.model.requests[0]?.messages[0]?.content ?? ''
    expect(instructions).toContain('"""\nBe brief.\n"""')
    expect(instructions).toContain('The user has connected no integrations.')
  })

  it('continues an incomplete reply at the end of the request', async () => {
    backend.model.behave(says('pon a time.'))
    const user = await backend.newUser()
    expect(
      await user.call('chat.send', {
        body: {
          messages: [
            question('Hi'),
            assistantMessage('Hello'),
            question('Tell me'),
            assistantMessage('Once u'),
          ],
          continues: true,
        },
      }),
    ).toMatchObject({ content: 'Once upon a time.' })
    expect(getPrompt().slice(0, 4)).toEqual([
      ['user', 'Hi'],
      ['assistant', 'Hello'],
      ['user', 'Tell me'],
      ['assistant', 'Once u'],
    ])
    expect(getPrompt()[4]?.[1]).toContain('Go on exactly where it ended')
  })

  it('fails with the status of its error', async () => {
    backend.model.behave(reportsBusy)
    const user = await backend.newUser()
    expect(await user.send('chat.send', { body: { messages: [question('Hi')] } })).toMatchObject({
      status: 503,
      body: { code: 'model_busy' },
    })
  })
})

describe('a temporary chat', () => {
  it.each([
    [
      'of a user who stores no conversations',
      async (user: InProcessUser) => {
        await backend.putRow({ PK: `U#${user.sub}`, SK: 'SETTINGS', keep_conversations: false })
        return {}
      },
    ],
    ['of the page', async () => ({ keep: false })],
  ])('%s takes its messages from the request, and stores nothing', async (_, prepare) => {
    backend.model.behave(says('Blue.'))
    const user = await backend.newUser()
    const changes = await prepare(user)
    const messages = [question('My colour is blue.'), assistantMessage('Noted.'), question('Which?')]
    const reading = ask(user, body('', { messages, ...changes }))
    expect(findOnlyEvent(await reading.finished, 'start').messageMetadata).toMatchObject({
      sessionId: 's1',
      kept: false,
    })
    expect(reading.types()).not.toContain('data-session')
    expect(getPrompt()).toHaveLength(3)
    expect((await listKeys(user)).filter((key) => key !== 'SETTINGS')).toEqual([])
  })

  it.each([{}, { keep: true }])(
    'is not the default: with the setting on and %j, the conversation is stored',
    async (changes) => {
      backend.model.behave(says('Hi!'))
      const user = await backend.newUser()
      await user.call('chat.send', { body: body('Hello', changes) })
      expect(await readContents(user)).toHaveLength(2)
    },
  )
})

describe('a message that replaces an earlier one', () => {
  it('is answered with the messages before that, and replaces it and all that followed', async () => {
    backend.model.behave(says('One.'), says('Two.'), says('Three.'), says('Two, anew.'))
    const user = await backend.newUser()
    await user.call('chat.send', { body: body('First') })
    await user.call('chat.send', { body: body('Second', { messageId: 'm2' }) })
    await user.call('chat.send', { body: body('Third', { messageId: 'm3' }) })
    const reading = ask(user, body('Second, edited', { messageId: 'm4', replaces: 'm2' }))
    const received = await reading.finished
    expect(getPrompt()).toEqual([
      ['user', 'First'],
      ['assistant', 'One.'],
      ['user', 'Second, edited'],
    ])
    expect(await readContents(user)).toEqual([
      ['user', 'First'],
      ['assistant', 'One.'],
      ['user', 'Second, edited'],
      ['assistant', 'Two, anew.'],
    ])
    expect(findOnlyEvent(received, 'data-session').data).toMatchObject({ title: 'First', message_count: 4 })
    expect((await read(user)).session.message_count).toBe(4)
  })

  it('renames the conversation when it is the first message', async () => {
    backend.model.behave(says('One.'), says('Anew.'))
    const user = await backend.newUser()
    await user.call('chat.send', { body: body('First') })
    await user.call('chat.send', { body: body('Better', { messageId: 'm2', replaces: 'm1' }) })
    expect((await read(user)).session.title).toBe('Better')
  })

  it('keeps a title that the user has set', async () => {
    backend.model.behave(says('One.'), says('Anew.'))
    const user = await backend.newUser()
    await user.call('chat.send', { body: body('First') })
    await user.call('sessions.update', { params: { sessionId: 's1' }, body: { title: 'Mine' } })
    await user.call('chat.send', { body: body('Better', { messageId: 'm2', replaces: 'm1' }) })
    expect((await read(user)).session.title).toBe('Mine')
  })

  it('changes nothing when the model fails, and says which message it replaces', async () => {
    backend.model.behave(says('One.'), reportsBusy, says('Anew.'))
    const user = await backend.newUser()
    await user.call('chat.send', { body: body('First') })
    const editedMessage = body('Better', { messageId: 'm2', replaces: 'm1' })
    await user.send('chat.send', { body: editedMessage })
    const conversation = await read(user)
    expect(conversation.messages.map(({ content }) => content)).toEqual(['First', 'One.'])
    expect(conversation.run).toMatchObject({ status: 'failed', message_id: 'm2', replaces: 'm1' })
    expect(conversation).toMatchObject({
      attempt: { content: 'Better' },
      session: { title: 'First', message_count: 2 },
    })
    await user.call('chat.send', { body: body('Better', { messageId: 'm2' }) })
    expect(await readContents(user)).toEqual([
      ['user', 'Better'],
      ['assistant', 'Anew.'],
    ])
  })

  it.each(['unknown', 'the reply'])('is not found when it replaces %s', async (replacedMessage) => {
    backend.model.behave(says('One.'))
    const user = await backend.newUser()
    await user.call('chat.send', { body: body('First') })
    const replyId = (await read(user)).messages[1]?.id ?? ''
    const replaces = replacedMessage === 'unknown' ? 'm9' : replyId
    expect(
      await user.send('chat.send', { body: body('Better', { messageId: 'm2', replaces }) }),
    ).toMatchObject({
      status: 404,
      body: {
        code: 'message_not_found',
        error: 'This message does not exist any more. Reload the conversation and try again.',
      },
    })
    expect(await readContents(user)).toHaveLength(2)
  })
})

/** The counters of the user's day. */
async function readDay({ sub }: InProcessUser) {
  const [row = {}] = await queryAll(backend.table, { partition: `RATE#${sub}`, prefix: 'replies#' })
  return row
}

// 20,000 for a prompt and 2,000 for a reply; a token has three bytes
it.each<[string, Partial<ChatRequest>, number]>([
  ['all of them, if nothing is stored', { sessionId: undefined, messageId: undefined }, 22_400],
  ['the last one, if the others are stored', {}, 22_100],
])('DEC-027 a reply reserves tokens for its messages: %s', async (_, changes, tokens) => {
  const user = await backend.newUser()
  let reserved: unknown
  backend.model.behave(async (...exchange) => {
    reserved = (await readDay(user))['tokens']
    says('Yes.')(...exchange)
  })
  const messages = [question('x'.repeat(600)), assistantMessage('x'.repeat(300)), question('x'.repeat(300))]
  await ask(user, body('', { messages, ...changes })).finished
  expect(reserved).toBe(tokens)
})

it('an incomplete reply and its continuation count as one', async () => {
  const user = await backend.newUser()
  backend.model.behave(endsAtLimit('Once u'), says('pon a time.'))
  await ask(user, body('Tell me')).finished
  await expect.poll(async () => (await readDay(user))['replies']).toBe(1)
  await ask(user, body('Tell me', { continues: true })).finished
  await expect.poll(async () => Number((await readDay(user))['output_tokens'])).toBeGreaterThan(4)
  await expect.poll(async () => ((await readDay(user))['open'] as Set<string> | undefined)?.size ?? 0).toBe(0)
  expect((await readDay(user))['replies']).toBe(1)
})

describe('an incomplete reply', () => {
  it('is stored and sent as incomplete, and continued as the same reply', async () => {
    backend.model.behave(endsAtLimit('Once u'), says('pon a time.'))
    const user = await backend.newUser()
    const first = ask(user, body('Tell me'))
    expect(findOnlyEvent(await first.finished, 'data-run').data).toMatchObject({ status: 'incomplete' })
    const incompleteReason = 'length'
    expect(findOnlyEvent(await first.finished, 'finish').messageMetadata).toMatchObject({ incompleteReason })
    const before = await read(user)
    expect(before.messages[1]).toMatchObject({
      content: 'Once u',
      ended: 'incomplete',
      incomplete_reason: incompleteReason,
    })
    // the same message once more, in the JSON form: it is not asked again
    expect(await user.call('chat.send', { body: body('Tell me') })).toMatchObject({
      content: 'Once u',
      incompleteReason,
    })
    const rest = ask(user, body('Tell me', { continues: true }))
    const received = await rest.finished
    expect(rest.text()).toBe('Once upon a time.')
    expect(findOnlyEvent(received, 'start').messageId).toBe(before.messages[1]?.id)
    expect(getPrompt().slice(0, 2)).toEqual([
      ['user', 'Tell me'],
      ['assistant', 'Once u'],
    ])
    expect(await readContents(user)).toEqual([
      ['user', 'Tell me'],
      ['assistant', 'Once upon a time.'],
    ])
    // the beginning is counted once
    const { session, messages } = await read(user)
    expect(messages[1]).not.toHaveProperty('incomplete_reason')
    expect(findOnlyEvent(received, 'finish').messageMetadata).not.toHaveProperty('incompleteReason')
    expect(session.usage?.inputTokens).toBeGreaterThan(before.session.usage?.inputTokens ?? Infinity)
    expect(session.usage).toMatchObject({
      inputTokens: messages[1]?.usage?.inputTokens,
      outputTokens: messages[1]?.usage?.outputTokens,
    })
  })
})

it('DEC-192 a reply ends soon after its user was disabled, and keeps its text', async () => {
  const reply = pausableReply('In water')
  backend.model.behave(reply.behaviour)
  const user = await backend.newUser()
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  onTestFinished(() => void vi.useRealTimers())
  const reading = ask(user, body('How do I boil an egg?'))
  await reply.modelCalled
  await tokenRevoker(backend.table).revoke(user.sub, 'signed-out', Date.now() + 1_000)
  await vi.advanceTimersByTimeAsync(heartbeatEveryMs)
  reply.say('.')
  await reading.until(({ text }) => text() === 'In water.')
  await tokenRevoker(backend.table).revoke(user.sub, 'disabled', Date.now() + 1_000)
  await vi.advanceTimersByTimeAsync(heartbeatEveryMs)
  await reply.cut
  expect(findOnlyEvent(await reading.finished, 'data-run').data.status).toBe('incomplete')
  const messages = (await backend.stores.messages.loadNewest(user.sub, 's1')).messages
  expect(messages.at(-1)).toMatchObject({ content: 'In water.', ended: 'incomplete' })
  expect(messages.at(-1)).not.toHaveProperty('incomplete_reason')
})
