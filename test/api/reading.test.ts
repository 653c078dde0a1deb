/** @module-tag long */
import { expect, it } from 'vitest'
import type { Attachment } from '#shared/contracts/files.ts'
import { importBody } from '../support/belongings.ts'
import { connectProvider } from '../support/connect-provider.ts'
import { docx } from '../support/documents.ts'
import { calls, says } from '../support/fake-model-server.ts'
import { scriptedStack } from '../support/shared-stack.ts'
import type { StackUser } from '../support/stack-user.ts'
import { uploadFile } from '../support/upload.ts'

// Clients that know nothing of analyze-document: they upload, complete and send.

const { model, stack } = await scriptedStack('Fine.')

const ask = (user: StackUser, content: string, attachments: readonly Attachment[]) =>
  user.call('chat.send', {
    body: {
      sessionId: crypto.randomUUID(),
      messageId: crypto.randomUUID(),
      messages: [{ role: 'user', content, attachments: attachments.map(({ id }) => ({ id })) }],
    },
  })
const lastPrompt = () => JSON.stringify(model.requests.at(-1)?.messages)
const listReadings = async (user: StackUser) =>
  (await user.call('files.list', { query: { limit: 100, offset: 0 } })).attachments.map(
    ({ name, reading }) => [name, reading?.state] as const,
  )

it('DOC-01 the text of a file is in the prompt of a client that uploads, completes and sends', async () => {
  const user = await stack.newUser()
  const attachment = await uploadFile(user, {
    name: 'a.docx',
    type: '',
    content: docx(['The secret word is heliotrope.']),
  })
  await ask(user, 'What is the word?', [attachment])
  expect(lastPrompt()).toContain('The secret word is heliotrope.')
})

it('the list of files tells what was read, what could not be, and what nothing reads', async () => {
  const user = await stack.newUser()
  const content = Buffer.from('89504e470d0a1a0a00', 'hex')
  for (const file of [
    { name: 'notes.txt', type: 'text/plain', content: 'Text' },
    { name: 'broken.pdf', type: 'application/pdf', content: '%PDF-1.7 and nothing more' },
    { name: 'photo.png', type: 'image/png', content },
  ])
    await uploadFile(user, file)
  await expect
    .poll(() => listReadings(user))
    .toEqual([
      ['broken.pdf', 'unreadable'],
      ['notes.txt', 'read'],
      ['photo.png', undefined],
    ])
})

it('a file of a connected drive is read, too', async () => {
  const user = await stack.newUser()
  await connectProvider(stack, user, 'google-drive')
  const { files } = await user.call('drive.list', { query: { query: 'travel' } })
  const { attachment } = await user.call('drive.upload', { body: { file_id: files[0]?.id ?? '' } })
  await user.call('files.complete', { params: { attachmentId: attachment.id } })
  await ask(user, 'Where to?', [attachment])
  expect(lastPrompt()).toContain('Lisbon')
})

it('a file of an imported conversation is read, too', async () => {
  const user = await stack.newUser()
  const file = { name: 'plan.docx', type: '', content: docx(['The trip goes to Trieste.']) }
  const { id } = await uploadFile(user, file)
  await user.call('imports.add', { body: importBody(crypto.randomUUID(), 'See the plan', [id]) })
  const { sessions } = await user.call('sessions.list')
  await user.call('chat.send', {
    body: {
      sessionId: sessions[0]?.id ?? '',
      messageId: crypto.randomUUID(),
      messages: [{ role: 'user', content: 'Where to?' }],
    },
  })
  expect(lastPrompt()).toContain('The trip goes to Trieste.')
})

it('a file of a project is read, too', async () => {
  const user = await stack.newUser()
  const { project } = await user.call('projects.create', { body: { name: 'Trip' } })
  const file = { name: 'plan.docx', type: '', content: docx(['The trip goes to Trieste.']) }
  const { id } = await uploadFile(user, file)
  await user.call('projects.update', { params: { projectId: project.id }, body: { add_files: [id] } })
  await user.call('chat.send', {
    body: {
      sessionId: crypto.randomUUID(),
      messageId: crypto.randomUUID(),
      project_id: project.id,
      messages: [{ role: 'user', content: 'Where to?' }],
    },
  })
  expect(lastPrompt()).toContain('The trip goes to Trieste.')
})

it('DEC-111 the last sentence of a million characters is found by a search, and read', async () => {
  const user = await stack.newUser()
  const end = 'The deposit of the heliotrope is 340 euros.'
  const content = `${'The pump is cleaned every week by the staff.\n'.repeat(22_300)}${end}`
  const attachment = await uploadFile(user, { name: 'manual.txt', type: 'text/plain', content })
  const search = {
    id: 'c1',
    name: 'search_files',
    arguments: '{"wordings":["heliotrope deposit","Kaution"]}',
  }
  const from = content.length - end.length
  const read = { id: 'c2', name: 'read_attachment', arguments: JSON.stringify({ id: attachment.id, from }) }
  model.behave(calls(search), calls(read), says('340 euros.'))
  const { toolCalls } = await ask(user, 'How much is the deposit?', [attachment])
  expect(toolCalls.map(({ result }) => result.success)).toEqual([true, true])
  const results = model.requests.at(-1)?.messages.filter(({ role }) => role === 'tool') ?? []
  expect(results[0]?.content).toContain(end)
  expect(results[0]?.content).toContain(`"characters":${content.length}`)
  expect(results[1]?.content).toContain(end)
  // the conversation keeps which passages were found, and not their text
  expect(JSON.stringify(toolCalls)).not.toContain(end)
})
