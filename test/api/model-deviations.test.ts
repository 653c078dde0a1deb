/** @module-tag long */
import { describe, expect, it } from 'vitest'
import { replyNotices } from '#shared/chat-texts.ts'
import { connectProvider } from '../support/connect-provider.ts'
import {
  countsNoCalls,
  diesInArguments,
  refusesPictures,
  wantsReasoning,
  wantsSignature,
  wantsTurns,
  writesTenMegabytes,
} from '../support/deviating-model.ts'
import { says, type ModelBehaviour } from '../support/fake-model-server.ts'
import { stackWithModel } from '../support/stack-with-model.ts'
import type { StackUser } from '../support/stack-user.ts'
import { png } from '../support/document-samples.ts'
import { uploadFile } from '../support/upload.ts'

const { model, stack } = await stackWithModel('Fine.')
const ann = await stack.newUser()
for (const mcpId of ['gmail', 'google-drive']) await connectProvider(stack, ann, mcpId)

const message = (content: string, sessionId: string) => ({
  sessionId,
  messageId: crypto.randomUUID(),
  messages: [{ role: 'user' as const, content }],
})
const send = (content: string, sessionId: string) =>
  ann.send('chat.send', { body: message(content, sessionId) })

/** Approves the one request of a conversation. */
async function approve(user: StackUser, sessionId: string) {
  const params = { sessionId }
  const { run } = await user.call('sessions.read', { params })
  const callId = run?.questions?.[0]?.call_id ?? ''
  return user.call('runs.answer', { params, body: { runId: run?.run_id ?? '', callId, approved: true } })
}

const mail = { to: 'bo@example.org', subject: 'Invoice', body: 'Please pay 500.' }

describe.each<[string, (name: string, args: object) => ModelBehaviour]>([
  ['reasoning', wantsReasoning],
  ['signatures', wantsSignature],
])('a server that wants its %s back', (_, wants) => {
  it('gets it within the turn, and in the next one, which a reload has stored', async () => {
    const sessionId = crypto.randomUUID()
    model.behave(wants('gmail_get_emails', { maxResults: 1 }))
    expect(await ann.call('chat.send', { body: message('Read', sessionId) })).toMatchObject({
      content: 'Done.',
      toolCalls: [{ tool: 'gmail_get_emails', result: { success: true } }],
    })
    expect(await ann.call('chat.send', { body: message('And?', sessionId) })).toMatchObject({
      content: 'Later.',
    })
    expect(JSON.stringify(await ann.call('sessions.read', { params: { sessionId } }))).not.toContain(
      'transcript',
    )
  })

  it('gets it after the user has approved the call, which is made once, and the reply says nothing else', async () => {
    const sessionId = crypto.randomUUID()
    model.behave(wants('gmail_send_email', mail))
    await send('Send', sessionId)
    const reply = await approve(ann, sessionId)
    expect(reply).toMatchObject({
      content: 'Done.',
      toolCalls: [{ tool: 'gmail_send_email', result: { success: true } }],
    })
    expect(reply).not.toHaveProperty('notices')
  })
})

it('two calls without an index are two calls', async () => {
  model.behave(countsNoCalls)
  expect(await ann.call('chat.send', { body: message('Both', crypto.randomUUID()) })).toMatchObject({
    content: 'Both are there.',
    toolCalls: [
      { tool: 'gmail_get_emails', result: { success: true } },
      { tool: 'google-drive_list_files', result: { success: true } },
    ],
  })
})

it.each<[string, ModelBehaviour, number]>([
  ['fails', (response) => response.writeHead(400, { 'x-should-retry': 'false' }).end('{"error":{}}'), 502],
  ['dies in the arguments of a call', diesInArguments, 502],
  ['writes ten megabytes at once', writesTenMegabytes, 200],
])(
  'a conversation goes on after a server that %s, also where roles have to alternate',
  async (_, behaviour, status) => {
    const sessionId = crypto.randomUUID()
    model.behave(behaviour)
    expect((await send('One', sessionId)).status).toBe(status)
    model.behave(wantsTurns('In turn.'))
    expect(await ann.call('chat.send', { body: message('Two', sessionId) })).toMatchObject({
      content: 'In turn.',
    })
  },
)

it('a reply that was cut by an error can be continued', async () => {
  const sessionId = crypto.randomUUID()
  model.behave(diesInArguments)
  const body = message('Send', sessionId)
  expect((await ann.send('chat.send', { body })).status).toBe(502)
  model.behave(says(' And here is the rest.'))
  const continued = { ...body, continues: true }
  expect(await ann.call('chat.send', { body: continued })).toMatchObject({
    content: 'I send it. And here is the rest.',
  })
  const { messages } = await ann.call('sessions.read', { params: { sessionId } })
  expect(messages.at(-1)).not.toHaveProperty('ended')
})

it('a picture that a server refuses with 500 is left out with a notice, also from later messages', async () => {
  const sessionId = crypto.randomUUID()
  const file = await uploadFile(ann, { name: 'a.png', type: 'image/png', content: png(8, 8) })
  model.behave(refusesPictures('I have the text.'))
  const body = message('What is this?', sessionId)
  const withFile = {
    ...body,
    messages: body.messages.map((one) => ({ ...one, attachments: [{ id: file.id }] })),
  }
  for (const one of [withFile, message('And now?', sessionId)])
    expect(await ann.call('chat.send', { body: one })).toMatchObject({
      content: 'I have the text.',
      notices: [replyNotices.refusedImages],
    })
})

it('reasoning in tags is reasoning, in the reply and after a reload', async () => {
  const sessionId = crypto.randomUUID()
  model.behave(says('<think>\nThey greet.\n</think>\n\nHello, `<think>` is a tag.'))
  const reply = {
    content: 'Hello, `<think>` is a tag.',
    reasoning: { text: expect.stringContaining('They greet.') as string },
  }
  expect(await ann.call('chat.send', { body: message('Hi', sessionId) })).toMatchObject(reply)
  const { messages } = await ann.call('sessions.read', { params: { sessionId } })
  expect(messages.at(-1)).toMatchObject(reply)
})

it('reasoning whose opening tag is missing leaves the text at its end', async () => {
  const sessionId = crypto.randomUUID()
  model.behave(says('They greet.\n</think>\n\nHello.'))
  const reply = { content: 'Hello.', reasoning: { text: 'They greet.' } }
  expect(await ann.call('chat.send', { body: message('Hi', sessionId) })).toMatchObject(reply)
})
