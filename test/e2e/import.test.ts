/** @module-tag long */
import { strToU8, zipSync } from 'fflate'
import type { Page, Request, Route } from 'playwright-core'
import { expect, it } from 'vitest'
import { downloadExport } from '../support/download-export.ts'
import { findViolations } from '../support/axe.ts'
import { expectFailures, screenshotEachLook } from '../support/browser.ts'
import { png } from '../support/document-samples.ts'
import {
  chatGpt2023,
  chatGpt2024,
  chatGpt2026,
  chatGptOf,
  chatGptWithoutMapping,
  claude2026,
  isoAt,
  node,
  text,
} from '../support/export-samples.ts'
import { openHistory, signedInPage } from '../support/page-steps.ts'
import { scriptedStack } from '../support/shared-stack.ts'
import { openSettings } from '../support/settings-steps.ts'
import { uploadFile } from '../support/upload.ts'

const { stack } = await scriptedStack('Hello.')

const exportOf = (...conversations: unknown[]) => ({
  name: 'export.zip',
  mimeType: 'application/zip',
  buffer: Buffer.from(
    zipSync({
      'conversations.json': strToU8(JSON.stringify(conversations)),
      'file-UserPicture1-dog.png': new Uint8Array(png(60, 40)),
      'dalle-generations/file-Generated1-12345678.png': new Uint8Array(png(40, 60)),
      'user.json': strToU8('{"email":"CANARY"}'),
    }),
  ),
})
const choose = (page: Page, file: ReturnType<typeof exportOf>) =>
  page.getByLabel('Files of an export').setInputFiles(file)

it('imports an export with its pictures and branches, names what is left out, and undoes it', async () => {
  const { page, user } = await signedInPage(stack)
  await openSettings(page)
  await choose(page, exportOf(chatGpt2023, chatGpt2024, chatGptWithoutMapping, chatGpt2026, claude2026))
  await page.getByRole('heading', { name: 'Import finished' }).waitFor()
  await page.getByText('4 conversations, 18 messages, 2 files', { exact: true }).waitFor()
  const leftOut = page.getByRole('list', { name: 'Left out' })
  await expect
    .poll(async () => (await leftOut.getByRole('listitem').allInnerTexts()).map((one) => one.split('\n')[0]))
    .toEqual(
      expect.arrayContaining([
        'Conversations that could not be read: 1',
        'Programs that the assistant ran, with what they wrote: 1',
        'Settings, connections and other data of the account: 1 (user.json)',
        'Files that the export does not have, or that are larger than 20 MB: 3 (lost.pdf, sketch.png, …)',
        'Parts of messages that have no place here: 2 (hologram_v9, hologram)',
      ]),
    )
  // what to do about it stands beside it
  await leftOut.getByText(/^Archives of one export belong together/).waitFor()
  expect(await findViolations(page)).toEqual([])
  await screenshotEachLook(page, 'import-result')

  await page.getByRole('button', { name: 'Back' }).click()
  await openHistory(page)
  await page.getByRole('button', { name: /^Boiling eggs/ }).click()
  await page.getByText('About seven minutes.').waitFor()
  await page.getByText('And hard ones?').waitFor()
  expect(await page.getByText('ostrich').count()).toBe(0)

  const { sessions } = await user.call('sessions.list')
  const cat = sessions.find(({ archived }) => archived)
  const { messages } = await user.call('sessions.read', { params: { sessionId: cat?.id ?? '' } })
  expect(messages.map(({ attachments }) => attachments.map(({ name }) => name))).toEqual([
    ['dog.png'],
    ['file-Generated1-12345678.png'],
    [],
    [],
  ])

  await openSettings(page)
  // the same file again makes no copies
  await page.getByRole('button', { name: 'Import another file' }).click()
  await choose(page, exportOf(chatGpt2023, chatGpt2024, claude2026))
  await page.getByText('3 conversations are here already and stay as they are.').waitFor()
  expect((await user.call('sessions.list')).sessions).toHaveLength(4)
  expect((await user.call('files.list')).total).toBe(2)

  await page.getByRole('button', { name: /^Undo import: .*: 4 conversations$/ }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Undo import' }).click()
  await page.getByText('Import undone').waitFor()
  expect((await user.call('sessions.list')).sessions).toEqual([])
  expect((await user.call('files.list')).total).toBe(0)
})

it('continues when the connection is back, and can be cancelled', async () => {
  const { page, user } = await signedInPage(stack)
  await openSettings(page)
  const address = '**/api/imports'
  expectFailures(page, { url: /\/api\/imports$/, status: 'network' })
  const isList = (route: Route) => route.request().method() === 'GET'
  await page.route(address, (route) => (isList(route) ? route.fallback() : route.abort('connectionreset')))
  await choose(page, exportOf(chatGpt2023))
  await page.getByText('Waiting for the service. The import continues by itself.').waitFor()
  await page.getByRole('progressbar', { name: 'Progress of the import' }).waitFor()
  await page.unroute(address)
  await page.evaluate(() => dispatchEvent(new Event('online')))
  await page.getByText('1 conversation, 8 messages, 0 files', { exact: true }).waitFor()

  await page.getByRole('button', { name: 'Import another file' }).click()
  await page.route(address, (route) => (isList(route) ? route.fallback() : undefined))
  await choose(page, exportOf(chatGpt2026))
  await page.getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('heading', { name: 'The import was cancelled.' }).waitFor()
  expect((await user.call('sessions.list')).sessions).toHaveLength(1)
})

it('goes on after a reload, once', async () => {
  const { page, user } = await signedInPage(stack)
  await openSettings(page)
  page.on('dialog', (question) => void question.accept())
  const address = '**/api/imports'
  const isPost = (request: Request) => request.method() === 'POST' && request.url().endsWith('/api/imports')
  // the service has nothing yet
  await page.route(address, (route) => (isPost(route.request()) ? undefined : route.fallback()))
  const sent = page.waitForRequest(isPost)
  await choose(page, exportOf(chatGpt2023, claude2026))
  await sent
  await page.unroute(address)
  await page.reload()
  await page.getByRole('heading', { name: 'Import finished' }).waitFor()
  expect((await user.call('sessions.list')).sessions).toHaveLength(2)
  await page.reload()
  await page.getByRole('button', { name: 'Choose files' }).waitFor()
  expect((await user.call('imports.list')).imports).toHaveLength(1)
})

it('says that a file is no export, and takes another one by drop', async () => {
  const { page } = await signedInPage(stack)
  await openSettings(page)
  await choose(page, { name: 'a.json', mimeType: 'application/json', buffer: Buffer.from('PK nonsense') })
  await page.getByText('This file could not be read. Please download the export again.').waitFor()
  await page.getByRole('button', { name: 'Import another file' }).click()
  const data = await page.evaluateHandle(
    (json) => {
      const transfer = new DataTransfer()
      for (const [index, one] of json.entries())
        transfer.items.add(new File([one], `conversations-00${index}.json`, { type: 'application/json' }))
      return transfer
    },
    [JSON.stringify([chatGpt2023]), JSON.stringify([claude2026])],
  )
  const target = page.getByText('or drop them here, or their folder')
  await target.dispatchEvent('dragover', { dataTransfer: data })
  await target.dispatchEvent('drop', { dataTransfer: data })
  await page.getByText('2 conversations, 12 messages, 0 files', { exact: true }).waitFor()
})

it('brings single files of LibreChat and Open WebUI together', async () => {
  const { page } = await signedInPage(stack)
  await openSettings(page)
  const question = { messageId: 'q', isCreatedByUser: true, files: [{ file_id: 'f', filename: 'map.png' }] }
  const reply = (id: string, minute: number, more: object) => ({
    messageId: id,
    parentMessageId: 'q',
    createdAt: isoAt(minute),
    ...more,
  })
  const libreChat = {
    conversationId: 'c1',
    title: 'Ferries',
    messages: [
      { ...question, text: 'When?', createdAt: isoAt(1) },
      reply('a', 2, { text: 'At midnight.' }),
      reply('b', 3, {
        content: [
          { type: 'think', think: 'Let me see.' },
          { type: 'text', text: 'At **23:15**.' },
        ],
      }),
    ],
  }
  const messages = { a: { role: 'user', content: 'Energy?', timestamp: 1_700_000_000 } }
  const openWebUi = [
    { id: 'o', title: 'Physics', meta: { tags: ['school'] }, chat: { history: { messages } } },
  ]
  const toFile = (name: string, content: unknown) => ({
    name,
    mimeType: 'application/json',
    buffer: Buffer.from(JSON.stringify(content)),
  })
  await page
    .getByLabel('Files of an export')
    .setInputFiles([toFile('ferries.json', libreChat), toFile('chat-export-1.json', openWebUi)])
  await page.getByText('2 conversations, 5 messages, 0 files', { exact: true }).waitFor()
  const leftOut = page.getByRole('list', { name: 'Left out' })
  await leftOut.getByText('Tags of conversations: 1 (school)', { exact: true }).waitFor()
  // the file of a question with two versions is one
  await leftOut.getByText(/: 1 \(map\.png\)/).waitFor()
  await page.getByRole('button', { name: 'Back' }).click()
  await openHistory(page)
  await page.getByRole('button', { name: /^Ferries/ }).click()
  await page.getByText('At 23:15.').waitFor()
  // nobody knows how long they took
  await page.getByRole('button', { name: 'Thoughts', exact: true }).waitFor()
})

it('says what to do with a list of downloads', async () => {
  const { page } = await signedInPage(stack)
  await openSettings(page)
  const links = { files: [{ name: 'conversations-000.zip', url: 'https://files.example.org/1' }] }
  await choose(page, {
    name: 'manifest-1.json',
    mimeType: 'application/json',
    buffer: Buffer.from(JSON.stringify(links)),
  })
  await page.getByText(/^This file only has the links to your export\./).waitFor()
})

it('brings an account whole from one installation to another, once', async () => {
  const from = await stack.newUser()
  const { project } = await from.call('projects.create', {
    body: { name: 'Boats', instructions: 'Be a boat builder.' },
  })
  const plan = await uploadFile(from, { name: 'plan.txt', type: 'text/plain', content: 'Oak.' })
  const notes = await uploadFile(from, { name: 'notes.txt', type: 'text/plain', content: 'Forty two.' })
  await from.call('projects.update', { params: { projectId: project.id }, body: { add_files: [plan.id] } })
  await from.call('prompts.create', { body: { name: 'Short', text: 'Be short.' } })
  await from.call('memory.add', { body: { text: 'Likes boats' } })
  await from.call('account.settings', { body: { instructions: 'No jokes.' } })
  const sessionId = crypto.randomUUID()
  const messageId = crypto.randomUUID()
  const send = (content: string, more: object) =>
    from.call('chat.send', {
      body: { sessionId, messages: [{ role: 'user', content, attachments: [{ id: notes.id }] }], ...more },
    })
  await send('First version.', { messageId, project_id: project.id })
  await send('Second version.', { messageId: crypto.randomUUID(), replaces: messageId })
  await from.call('sessions.update', { params: { sessionId }, body: { pinned: true, title: 'Boat talk' } })
  const { bytes } = await downloadExport(await from.call('account.export'))

  const { page, user } = await signedInPage(stack)
  await openSettings(page)
  const archive = { name: 'export.zip', mimeType: 'application/zip', buffer: Buffer.from(bytes) }
  await choose(page, archive)
  await page.getByText('1 conversation, 4 messages, 2 files', { exact: true }).waitFor()
  await page.getByText('1 project, 1 saved prompt, 1 memory, custom instructions', { exact: true }).waitFor()
  await page.getByText(/^All replies follow these instructions/).waitFor()
  const read = async () => {
    const { sessions } = await user.call('sessions.list')
    const { projects } = await user.call('projects.list')
    const [own] = projects
    return {
      sessions: sessions.map(({ title, pinned, project_id: id }) => [title, pinned, id === own?.id]),
      messages: (await user.call('sessions.read', { params: { sessionId: sessions[0]?.id ?? '' } })).messages,
      project: (await user.call('projects.read', { params: { projectId: own?.id ?? '' } })).project,
      prompts: (await user.call('prompts.list')).prompts.map(({ name, text }) => [name, text]),
      memories: (await user.call('memory.list')).memories.map(({ text }) => text),
      instructions: (await user.call('account.read')).settings.instructions,
      files: (await user.call('files.list', { query: { limit: 100, offset: 0 } })).total,
    }
  }
  const first = await read()
  expect(first).toMatchObject({
    sessions: [['Boat talk', true, true]],
    messages: [
      { content: 'Second version.', versions: { shown: 2, count: 2 }, attachments: [{ name: 'notes.txt' }] },
      { content: 'Hello.' },
    ],
    project: { name: 'Boats', instructions: 'Be a boat builder.', files: [{ name: 'plan.txt' }] },
    prompts: [['Short', 'Be short.']],
    memories: ['Likes boats'],
    instructions: 'No jokes.',
    files: 2,
  })
  await page.getByRole('button', { name: 'Import another file' }).click()
  await choose(page, archive)
  await page.getByText('1 conversation is here already and stays as it is.').waitFor()
  expect(await read()).toEqual({ ...first, messages: expect.any(Array), project: expect.any(Object) })
})

it('adds what a newer export has, and leaves what was written here', async () => {
  const { page, user } = await signedInPage(stack)
  await openSettings(page)
  const nodes = [node('q', null, text('user', 1, 'First')), node('a', 'q', text('assistant', 2, 'One.'))]
  const more = [node('q2', 'a', text('user', 40, 'Second')), node('a2', 'q2', text('assistant', 41, 'Two.'))]
  await choose(page, exportOf(chatGptOf(nodes)))
  await page.getByText('1 conversation, 2 messages, 0 files', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Import another file' }).click()
  await choose(page, exportOf(chatGptOf([...nodes, ...more])))
  await page.getByText('1 conversation of an earlier import got its new messages.').waitFor()
  const [session] = (await user.call('sessions.list')).sessions
  const { messages } = await user.call('sessions.read', { params: { sessionId: session?.id ?? '' } })
  expect(messages.map(({ content }) => content)).toEqual(['First', 'One.', 'Second', 'Two.'])
})
