/** @module-tag long */
import { expect, it } from 'vitest'
import { replyNotices } from '#shared/chat-texts.ts'
import { reasonsByDefault, says, takesNoTools } from '../support/fake-model-server.ts'
import { ask, findOnlyEvent, listTypes } from '../support/read-along.ts'
import { stackWithModel } from '../support/stack-with-model.ts'

// with an image model each reply has a tool
const { model, stack } = await stackWithModel('Hello', { OPENAI_IMAGE_MODEL: 'images' })

// first, because the product remembers for a while what a server rejects
it('a model that reasons by default gets the tools, without a notice', async () => {
  const ann = await stack.newUser()
  model.behave(reasonsByDefault(says('With tools')))
  const received = await ask(ann, {
    sessionId: crypto.randomUUID(),
    messages: [{ role: 'user', content: 'Draw a cat' }],
  }).finished
  expect(listTypes(received)).not.toContain('data-notice')
  // its server says that Responses supports them
  expect(model.requests.at(-1)).toMatchObject({ input: expect.any(Array), tools: expect.any(Array) })
})

it('a reply whose tools the server rejected says so in the stream, in the JSON form, and after a reload', async () => {
  const ann = await stack.newUser()
  model.behave(takesNoTools(says('Without tools')))
  const sessionId = crypto.randomUUID()
  const received = await ask(ann, {
    sessionId,
    messages: [{ role: 'user', content: 'Draw a cat' }],
  }).finished

  expect(findOnlyEvent(received, 'data-notice').data).toEqual(replyNotices.tools)
  expect(listTypes(received).indexOf('data-notice')).toBeLessThan(listTypes(received).indexOf('text-start'))
  expect(findOnlyEvent(received, 'finish').messageMetadata).toMatchObject({ notices: [replyNotices.tools] })
  const { messages } = await ann.call('sessions.read', { params: { sessionId } })
  expect(messages.at(-1)).toMatchObject({ content: 'Without tools', notices: [replyNotices.tools] })
  const json = await ann.call('chat.send', { body: { messages: [{ role: 'user', content: 'Draw a cat' }] } })
  expect(json).toMatchObject({ content: 'Without tools', notices: [replyNotices.tools] })
})
