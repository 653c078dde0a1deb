/** @module-tag long */
import { expect, it } from 'vitest'
import { demoStack } from '../support/shared-stack.ts'
import type { StackUser } from '../support/stack-user.ts'

const stack = await demoStack()

const question = { role: 'user' as const, content: '/short 20' }
const toReply = (content: string) => ({ role: 'assistant' as const, content })

/** The demo model's reply without a limit. */
async function fetchWholeReply(user: StackUser) {
  const { content } = await user.call('chat.send', {
    body: { messages: [{ ...question, content: '/short 9999' }] },
  })
  return content
}

it('an incomplete reply continues as the same reply, and the stored part counts', async () => {
  const user = await stack.newUser()
  const request = { messages: [question], sessionId: crypto.randomUUID(), messageId: crypto.randomUUID() }
  const first = await user.call('chat.send', { body: request })
  const { messages: before } = await user.call('sessions.read', { params: request })
  expect(before.at(-1)).toMatchObject({ content: first.content, ended: 'incomplete' })
  const forgedMessages = [question, toReply('Something else, ')]
  const rest = await user.call('chat.send', {
    body: { ...request, messages: forgedMessages, continues: true },
  })
  expect(rest.content).toBe(await fetchWholeReply(user))
  const { messages, session } = await user.call('sessions.read', { params: request })
  expect(messages.map(({ id }) => id)).toEqual(before.map(({ id }) => id))
  expect(messages.at(-1)).toMatchObject({ content: rest.content })
  expect(session.message_count).toBe(2)
  // complete by now: repeating the request starts no new reply
  expect(await user.call('chat.send', { body: { ...request, continues: true } })).toMatchObject({
    content: rest.content,
  })
})

it.each([
  ['of a chat that is not kept', { keep: false, sessionId: crypto.randomUUID() }],
  ['of a bare body', {}],
])('an incomplete reply %s continues from the text in the request', async (_, chat) => {
  const user = await stack.newUser()
  const request = { ...chat, messageId: crypto.randomUUID() }
  const { content } = await user.call('chat.send', { body: { ...request, messages: [question] } })
  const rest = await user.call('chat.send', {
    body: { ...request, messages: [question, toReply(content)], continues: true },
  })
  expect(rest.content).toBe(await fetchWholeReply(user))
  expect(await user.call('sessions.list', {})).toEqual({ sessions: [] })
})

it('a reply as the last message is refused unless the request asks to continue it', async () => {
  const user = await stack.newUser()
  const reply = await user.send('chat.send', { body: { messages: [question, toReply('Half a')] } })
  expect(reply).toMatchObject({ status: 400, body: { success: false } })
})
