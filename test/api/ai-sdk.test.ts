/** @module-tag long */
import '../support/dom-globals.ts'
import { useChat } from '@ai-sdk/react'
import { act, renderHook } from '@testing-library/react'
import { isToolUIPart, lastAssistantMessageIsCompleteWithApprovalResponses, type UIMessage } from 'ai'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { AssistantTransport } from '../../docs/examples/ai-sdk-transport.ts'
import { beginStream, calls, chunk, says, type ModelBehaviour } from '../support/fake-model-server.ts'
import { startMcpServer } from '../support/mcp-server.ts'
import { pausableReply } from '../support/pausable-reply.ts'
import { stackWithModel } from '../support/stack-with-model.ts'

const server = await startMcpServer()
afterAll(() => server.close())
const { model, stack } = await stackWithModel('Fine.', {
  RATE_LIMIT_FACTOR: '10',
  OUTBOUND_ALLOW: server.host,
})
const ann = await stack.newUser()
const unmounts: (() => void)[] = []
afterEach(() => {
  for (const end of unmounts.splice(0)) end()
})

/** A page with `useChat`. @param onConnection called with each connection, and a function that breaks it */
function openChat(
  sessionId: string,
  options: { resume?: boolean; onConnection?: (connection: Connection) => void } = {},
) {
  const transport = new AssistantTransport({
    origin: stack.origin,
    getAccessToken: async () => ann.accessToken,
    fetch: async (url, init) => {
      const response = await fetch(url as string, init)
      if (!response.body || !options.onConnection) return response
      const broken = Promise.withResolvers<never>()
      const body = response.body.pipeThrough(
        new TransformStream<Uint8Array, Uint8Array>({
          start: (controller) => void broken.promise.catch((error: unknown) => controller.error(error)),
        }),
      )
      options.onConnection({
        url: response.url,
        breakOff: () => broken.reject(new Error('the connection broke')),
      })
      return new Response(body, { status: response.status, headers: response.headers })
    },
  })
  const hook = renderHook(() =>
    useChat({
      id: sessionId,
      transport,
      resume: options.resume ?? false,
      sendAutomaticallyWhen: lastAssistantMessageIsCompleteWithApprovalResponses,
    }),
  )
  unmounts.push(hook.unmount)
  const chat = () => hook.result.current
  return {
    chat,
    until: (condition: (chat: ReturnType<typeof useChat>) => boolean) =>
      vi.waitUntil(() => condition(chat())),
    send: (text: string) => act(async () => void chat().sendMessage({ text })),
  }
}

interface Connection {
  url: string
  breakOff: () => void
}

const joinText = (message: UIMessage | undefined) =>
  (message?.parts ?? [])
    .map((part) => (part.type === 'text' ? part.text : ''))
    .join('\n\n')
    .trim()
const lastMessage = (chat: ReturnType<typeof useChat>) => chat.messages.at(-1)
const read = (sessionId: string) => ann.call('sessions.read', { params: { sessionId } })
const partTypes = (message: UIMessage | undefined) => message?.parts.map(({ type }) => type)

const reasons =
  (thought: string, text: string): ModelBehaviour =>
  (response) => {
    beginStream(response)
    response.write(chunk({ reasoning_content: thought }))
    response.write(chunk({ content: text }))
    response.write(chunk({}, 'stop'))
    response.end('data: [DONE]\n\n')
  }

describe('useChat', () => {
  it('sends a message and receives the reply with its reasoning and usage', async () => {
    model.behave(reasons('Let me think.', 'Water boils.'))
    const sessionId = crypto.randomUUID()
    const page = openChat(sessionId)
    await page.send('What does water do?')
    await page.until((chat) => chat.status === 'ready' && chat.messages.length === 2)
    const reply = lastMessage(page.chat())
    expect(partTypes(reply)).toEqual(['step-start', 'reasoning', 'text'])
    expect(reply?.parts[1]).toMatchObject({ type: 'reasoning', text: 'Let me think.', state: 'done' })
    const { messages } = await read(sessionId)
    expect(messages.map(({ id }) => id)).toEqual(page.chat().messages.map(({ id }) => id))
    expect(messages[1]).toMatchObject({ content: 'Water boils.', reasoning: { text: 'Let me think.' } })
    expect(reply?.metadata).toMatchObject({ sessionId, usage: messages[1]?.usage })
  })

  it('regenerates a reply and edits a message, each as a new version', async () => {
    model.behave(says('One.'), says('Two.'), says('Three.'))
    const sessionId = crypto.randomUUID()
    const page = openChat(sessionId)
    await page.send('Count')
    await page.until((chat) => chat.status === 'ready' && joinText(lastMessage(chat)) === 'One.')
    await act(async () => void page.chat().regenerate())
    await page.until((chat) => chat.status === 'ready' && joinText(lastMessage(chat)) === 'Two.')
    const [question] = page.chat().messages
    await act(async () => void page.chat().sendMessage({ text: 'Count on', messageId: question?.id ?? '' }))
    await page.until((chat) => chat.status === 'ready' && joinText(lastMessage(chat)) === 'Three.')
    const { messages } = await read(sessionId)
    expect(messages.map(({ content }) => content)).toEqual(['Count on', 'Three.'])
    expect(messages[0]?.versions).toEqual({ shown: 3, count: 3 })
  })

  it('resumes after the connection broke in the middle of a word', async () => {
    const reply = pausableReply('Once up')
    model.behave(reply.behaviour)
    const connections: Connection[] = []
    const page = openChat(crypto.randomUUID(), { onConnection: (connection) => connections.push(connection) })
    await page.send('Tell me a story')
    await page.until((chat) => joinText(lastMessage(chat)) === 'Once up')
    connections[0]?.breakOff()
    await vi.waitUntil(() => connections.length === 2)
    expect(connections[1]?.url).toContain('/run/events')
    reply.finish('on a time.')
    await page.until((chat) => chat.status === 'ready')
    expect(joinText(lastMessage(page.chat()))).toBe('Once upon a time.')
    expect(partTypes(lastMessage(page.chat()))).toEqual(['step-start', 'text'])
  })

  it('receives the whole reply if it ended while nobody was connected', async () => {
    const reply = pausableReply('Once up')
    model.behave(reply.behaviour)
    const sessionId = crypto.randomUUID()
    const connections: Connection[] = []
    const page = openChat(sessionId, {
      onConnection: (connection) => {
        connections.push(connection)
        // the second connection breaks as well, and the reply ends meanwhile
        if (connections.length === 2) connection.breakOff()
      },
    })
    await page.send('Tell me a story')
    await page.until((chat) => joinText(lastMessage(chat)) === 'Once up')
    connections[0]?.breakOff()
    await vi.waitUntil(() => connections.length === 2)
    reply.finish('on a time.')
    await page.until((chat) => chat.status === 'ready')
    expect(joinText(lastMessage(page.chat()))).toBe('Once upon a time.')
    expect(joinText(lastMessage(page.chat()))).toBe((await read(sessionId)).messages[1]?.content)
  })

  it('a page that is opened later resumes the reply from the beginning', async () => {
    const reply = pausableReply('Once up')
    model.behave(reply.behaviour)
    const sessionId = crypto.randomUUID()
    const first = openChat(sessionId)
    await first.send('Tell me a story')
    await first.until((chat) => joinText(lastMessage(chat)) === 'Once up')
    const second = openChat(sessionId, { resume: true })
    await second.until((chat) => joinText(lastMessage(chat)) === 'Once up')
    reply.finish('on a time.')
    for (const page of [first, second]) {
      await page.until(
        (chat) => chat.status === 'ready' && joinText(lastMessage(chat)) === 'Once upon a time.',
      )
      expect(lastMessage(page.chat())?.id).toBe((await read(sessionId)).messages[1]?.id)
    }
    const newPage = openChat(crypto.randomUUID(), { resume: true })
    await newPage.until((chat) => chat.status === 'ready')
    expect(newPage.chat().messages).toEqual([])
  })

  it('stops a reply on the server', async () => {
    const reply = pausableReply('Once up')
    model.behave(reply.behaviour)
    const sessionId = crypto.randomUUID()
    const page = openChat(sessionId)
    await page.send('Tell me a story')
    await page.until((chat) => joinText(lastMessage(chat)) === 'Once up')
    await act(async () => page.chat().stop())
    await reply.cut
    await page.until((chat) => chat.status === 'ready')
    expect(joinText(lastMessage(page.chat()))).toBe('Once up')
    await vi.waitUntil(async () => (await read(sessionId)).messages.length === 2)
    expect((await read(sessionId)).messages[1]).toMatchObject({ content: 'Once up', ended: 'stopped' })
  })

  it("reports an error with the server's text", async () => {
    model.behave((response) => response.writeHead(429, { 'retry-after': '30' }).end('{}'))
    const page = openChat(crypto.randomUUID())
    await page.send('Hello')
    await page.until((chat) => chat.status === 'error')
    expect(page.chat().error?.message).toContain("The assistant's model is busy.")
  })
})

describe('a call that needs approval', () => {
  beforeAll(async () => {
    server.behaviour.tools = [{ name: 'send_note' }]
    await ann.call('customTools.add', {
      body: {
        name: 'Notes',
        description: '',
        config: { serverUrl: server.url, apiKey: '', customFields: {} },
      },
    })
  })
  const callSendNote: ModelBehaviour = (response, request, body) => {
    const name = body.tools?.find((tool) => tool.function.name.includes('send_note'))?.function.name ?? ''
    return calls({ id: 'call-1', name, arguments: '{"to":"ann"}' })(response, request, body)
  }

  it.each([
    [true, 'output-available', 'Sent.'],
    [false, 'output-denied', 'Then not.'],
  ])('waits for the user, and continues in the same message: approved %s', async (approved, state, text) => {
    model.behave(callSendNote, says(text))
    const sessionId = crypto.randomUUID()
    const page = openChat(sessionId)
    await page.send('Send a note to Ann')
    await page.until((chat) => chat.status === 'ready' && chat.messages.length === 2)
    const toolPart = lastMessage(page.chat())?.parts.find(isToolUIPart)
    expect(toolPart).toMatchObject({
      state: 'approval-requested',
      input: { to: 'ann' },
      approval: { id: 'call-1' },
    })
    await act(async () => void page.chat().addToolApprovalResponse({ id: 'call-1', approved }))
    await page.until((chat) => chat.status === 'ready' && joinText(lastMessage(chat)) === text)
    expect(lastMessage(page.chat())?.parts.find(isToolUIPart)).toMatchObject({ state })
    expect(page.chat().messages).toHaveLength(2)
    expect((await read(sessionId)).messages.map(({ content }) => content)).toEqual([
      'Send a note to Ann',
      text,
    ])
  })
})
