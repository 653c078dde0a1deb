/** @module-tag long */
import { expect, it } from 'vitest'
import { calls, says } from '../support/fake-model-server.ts'
import { stackWithModel } from '../support/stack-with-model.ts'
import { uploadFile } from '../support/upload.ts'

const { model, stack } = await stackWithModel('Fine.', { OPENAI_MODEL: 'fake' })

it('a file is found by what it means once a model for embeddings is named, also one from before', async () => {
  const user = await stack.newUser()
  const other = 'The canteen opens at noon. '.repeat(150)
  const content = `${other}The wages are paid on the third. ${other}`
  const before = await uploadFile(user, { name: 'before.txt', type: 'text/plain', content })
  const search = async () => {
    const call = { id: 'c1', name: 'search_files', arguments: '{"wordings":["sueldo"]}' }
    model.behave(calls(call), says('On the third.'))
    await user.call('chat.send', {
      body: {
        sessionId: crypto.randomUUID(),
        messageId: crypto.randomUUID(),
        messages: [{ role: 'user', content: 'When?', attachments: [{ id: before.id }] }],
      },
    })
    return model.requests.at(-1)?.messages.find(({ role }) => role === 'tool')?.content
  }
  expect(await search()).toContain('"passages":[]')
  expect(model.embedded).toEqual([])

  await stack.restart({ EMBEDDING_MODEL: 'nomic-embed-text' })
  await search()
  const sent = () => model.embedded.flat()
  await expect.poll(() => sent().some((text) => text.includes('The wages are paid'))).toBe(true)
  expect(sent().every((text) => text.startsWith('search_document: '))).toBe(true)
  await expect.poll(search).toContain('The wages are paid')
  expect(sent()).toContain('search_query: sueldo')
  // each text once
  const passages = sent().filter((text) => text.startsWith('search_document: '))
  expect(passages.filter((text) => text.includes('The wages are paid'))).toHaveLength(1)
})
