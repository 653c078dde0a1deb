import { beforeEach, expect, it, vi } from 'vitest'
import type { PublishRequest } from '#shared/contracts/assistants.ts'
import { pngOf } from '../../test/support/png-of.ts'
import { aReadDocument, anUnreadableDocument } from '../../test/support/read-documents.ts'
import { openTableAndStore } from '../../test/support/table-and-store.ts'
import { fileRepository } from '../files/file-repository.ts'
import type { StoredFile } from '../files/file-row.ts'
import type { StartReading } from '../files/start-reading.ts'
import { readerVersion } from '../files/stored-text.ts'
import { putRow } from '../platform/dynamodb/rows.ts'
import { maxListedAssistants } from '../platform/limits.ts'
import { openObjectStore, type ObjectStore } from '../platform/s3/object-store.ts'
import { putObject } from '../platform/s3/object-writer.ts'
import { changeProject } from '../projects/project-files.ts'
import { projectRepository } from '../projects/project-repository.ts'
import { promptRepository } from '../projects/prompt-repository.ts'
import { assistantRepository, type AssistantRepository } from './assistant-repository.ts'
import { publishedPictureKey } from './assistant-picture.ts'
import { publishAssistant } from './publish-assistant.ts'
import { publishedKey } from './published-files.ts'

const table = await openTableAndStore('uploads')
const sub = 'pia'
const user = {
  sub,
  username: sub,
  groups: ['sales', 'full'],
  issuedAt: 0,
  signedInAt: 0,
  signInId: '',
  hasSelfServiceScope: false,
  mustSetUpTwoFactor: false,
}
const projects = projectRepository(table)
const prompts = promptRepository(table)

let store: ObjectStore
let assistants: AssistantRepository
beforeEach(() => {
  store = openObjectStore('uploads')
  assistants = assistantRepository(table, { store, quota: fileRepository(table) })
})

/** @param meanwhile runs after the number of the version is taken, and before it is shown */
const publishFiles = (
  projectId: string,
  request: PublishRequest,
  {
    meanwhile = async () => {},
    storageGb,
    files = fileRepository(table, storageGb),
    sleep = async () => {},
    startReading = async () => {},
    connected = [],
  }: {
    connected?: { id: string; name: string }[]
    meanwhile?: () => Promise<unknown>
    storageGb?: number
    files?: ReturnType<typeof fileRepository>
    sleep?: (ms: number) => Promise<unknown>
    startReading?: StartReading
  } = {},
) =>
  publishAssistant(
    {
      assistants,
      projects,
      prompts,
      files,
      store,
      startReading,
      listConnected: async () => connected,
      checkToken: async () => void (await meanwhile()),
      audienceGroups: ['sales', 'full'],
      publisherName: 'Pia',
      sleep,
    },
    user,
    projectId,
    request,
  )
const publish = async (...given: Parameters<typeof publishFiles>) => (await publishFiles(...given)).head
const toSales = { audience: { groups: ['sales'] } }
const listIds = (group: string) => assistants.listIds({ group })

it('a version that is overtaken is not shown, and leaves nothing', async () => {
  const { id: projectId } = await projects.create(sub, { name: 'Order desk', instructions: 'First.' })
  let newer: Awaited<ReturnType<typeof publish>> | undefined
  const older = publish(
    projectId,
    { ...toSales, name: 'Older' },
    {
      meanwhile: async () => {
        await projects.update(sub, projectId, { instructions: 'Second.' })
        newer = await publish(projectId, { ...toSales, name: 'Newer' })
      },
    },
  )
  await expect(older).rejects.toMatchObject({ code: 'publish_conflict' })
  expect(newer).toMatchObject({ name: 'Newer', version: 2 })
  const id = newer?.id ?? ''
  expect(await assistants.findHead(id)).toMatchObject({ state: 'live', name: 'Newer', version: 2 })
  expect(await assistants.loadVersion(id, 2)).toMatchObject({ instructions: 'Second.' })
  expect(await assistants.loadVersion(id, 1)).toBeUndefined()
  expect(await listIds('sales')).toContain(id)
})

const everyone = { audience: 'everyone' as const }

it('a version that is overtaken leaves the lists of an audience that the newer one does not have', async () => {
  const { id: projectId } = await projects.create(sub, { name: 'Order desk' })
  let id = ''
  const older = publish(projectId, everyone, {
    meanwhile: async () => void ({ id } = await publish(projectId, toSales)),
  })
  await expect(older).rejects.toMatchObject({ code: 'publish_conflict' })
  expect(await assistants.listIds('everyone')).not.toContain(id)
  expect(await listIds('sales')).toContain(id)
  expect(await assistants.listIds({ publisher: sub })).toContain(id)
  expect(await assistants.listIds('all')).toContain(id)
})

it('neither a version that is shown nor one that is overtaken takes a later one out of its lists', async () => {
  const { id: projectId } = await projects.create(sub, { name: 'Order desk' })
  const { id } = await publish(projectId, everyone)
  const isBegun = Promise.withResolvers<undefined>()
  const othersEnd = Promise.withResolvers<undefined>()
  let newest: Promise<unknown> = Promise.resolve()
  const overtaken = publish(projectId, everyone, {
    meanwhile: () =>
      publish(projectId, toSales, {
        meanwhile: async () => {
          newest = publish(projectId, everyone, {
            meanwhile: async () => {
              isBegun.resolve(undefined)
              await othersEnd.promise
            },
          })
          await isBegun.promise
        },
      }),
  })
  await expect(overtaken).rejects.toMatchObject({ code: 'publish_conflict' })
  othersEnd.resolve(undefined)
  expect(await newest).toMatchObject({ version: 4, everyone: true })
  expect(await assistants.listIds('everyone')).toContain(id)
  expect(await listIds('sales')).not.toContain(id)
})

const toFull = { audience: { groups: ['full'] } }

it('what a publisher that died has left in a list makes room when the list is full', async () => {
  const { id: projectId } = await projects.create(sub, { name: 'Order desk' })
  const { id, version } = await publish(projectId, toSales)
  const other = await publish((await projects.create(sub, { name: 'Other' })).id, toFull)
  await assistants.list({ id, publisher: sub, version: version + 1 }, { groups: new Set(['full']) })
  // it may be about to be shown
  await assistants.tidyList({ group: 'full' })
  expect(await listIds('full')).toContain(id)
  for (let count = 2; count < maxListedAssistants; count += 1)
    await putRow(table, { PK: 'LIST#group:full', SK: crypto.randomUUID() })
  const third = await projects.create(sub, { name: 'Third' })
  await expect(publish(third.id, toFull)).rejects.toMatchObject({ code: 'too_many_listed_assistants' })
  await assistants.takeVersion(sub, projectId)
  await publish(projectId, toSales)
  const published = await publish(third.id, toFull)
  expect(await listIds('full')).toEqual(expect.arrayContaining([published.id, other.id]))
  expect(await listIds('full')).not.toContain(id)
})

it('a version whose assistant is withdrawn meanwhile is not shown', async () => {
  const { id: projectId } = await projects.create(sub, { name: 'Order desk' })
  const first = await publish(projectId, toSales)
  const second = publish(projectId, toSales, { meanwhile: () => assistants.withdraw(first, 'publisher') })
  await expect(second).rejects.toMatchObject({ code: 'publish_conflict' })
  expect(await assistants.findHead(first.id)).not.toMatchObject({ state: 'live' })
  expect(await listIds('sales')).not.toContain(first.id)
})

it('has files read that an earlier release has read, or that nobody began to read, and waits for them', async () => {
  const files = fileRepository(table)
  const { id: projectId } = await projects.create(sub, { name: 'Order desk' })
  const put = (id: string, read: Partial<StoredFile> = {}) =>
    files.put(sub, {
      id,
      name: `${id}.txt`,
      type: 'text/plain',
      size: 1,
      state: 'ready',
      created_at: '2026-11-29T08:00:00Z',
      ...read,
    })
  const reading = { status: 'whole', note: '' } as const
  await put('old', { reading, reader_version: 1 })
  await put('lost')
  await put('read', { reading, reader_version: readerVersion })
  await changeProject({ projects, files }, sub, projectId, { add_files: ['old', 'lost', 'read'] })
  const started: string[] = []
  const { id, version } = await publish(projectId, toSales, {
    startReading: async (_, ids) => {
      started.push(...ids)
      for (const one of ids) await put(one, { reading, reader_version: readerVersion })
    },
  })
  expect(started.toSorted()).toEqual(['lost', 'old'])
  const published = await assistants.loadVersion(id, version)
  expect(published?.files.map(({ name }) => name).toSorted()).toEqual(['lost.txt', 'old.txt', 'read.txt'])
})

it('a publisher without room publishes nothing, and keeps the version before', async () => {
  const { id: projectId } = await projects.create(sub, { name: 'Order desk' })
  const first = await publish(projectId, toSales)
  await prompts.add(sub, { name: 'Long', text: 'x'.repeat(4_000), project_id: projectId })
  await expect(publish(projectId, toSales, { storageGb: 1e-6 })).rejects.toMatchObject({
    code: 'storage_full',
  })
  expect(await assistants.findHead(first.id)).toMatchObject({ state: 'live', version: 1 })
  expect(await assistants.loadVersion(first.id, 2)).toBeUndefined()
  expect(await listIds('sales')).toContain(first.id)
})

it('what a withdrawal has left because the store failed goes when the project is published again', async () => {
  const { id: projectId } = await projects.create(sub, { name: 'Order desk', instructions: 'First.' })
  const first = await publish(projectId, toSales)
  store.remove = () => Promise.reject(new Error('no store'))
  await expect(assistants.withdraw(first, 'administrator')).rejects.toThrow('no store')
  expect(await assistants.loadVersion(first.id, 1)).toMatchObject({ instructions: 'First.' })
  store = openObjectStore('uploads')
  assistants = assistantRepository(table, { store, quota: fileRepository(table) })
  const second = await publish(projectId, toSales)
  expect(second.id).not.toBe(first.id)
  expect(await assistants.loadVersion(first.id, 1)).toBeUndefined()
})

/** A project with files, of which the store has these objects. */
async function createProjectWith(
  files: readonly { file: StoredFile; objects?: readonly string[] }[],
): Promise<string> {
  const { id: projectId } = await projects.create(sub, { name: 'Order desk' })
  for (const { file, objects = [] } of files) {
    await fileRepository(table).put(sub, file)
    for (const name of objects)
      await putObject(store, {
        key: `users/${sub}/${file.id}/${name}`,
        body: Buffer.from(`${name} of ${file.id}`),
        type: 'text/plain',
      })
  }
  await projects.update(sub, projectId, { add_files: files.map(({ file }) => file.id) })
  return projectId
}

const all = ['original', 'preview', 'text', 'search', 'vectors', 'pages', 'tables-1']

it('has copies of what was read of its files, never an original, and counts their bytes', async () => {
  const text = { characters: 1_000, bytes: 1_000, parts: [], languages: [] }
  const at = (second: number) => ({ created_at: `2026-05-12T08:00:0${second}.000Z` })
  const table1 = { name: '', range: 'A1:B3', rows: 2, columns: [], columnCount: 0, sample: [] }
  const projectId = await createProjectWith([
    {
      file: aReadDocument('whole', 'text', {
        ...at(1),
        text: { ...text, isIndexed: true },
        pictures: [
          [1, 20],
          [2, 30],
        ],
        tables: [table1],
        vectors_model: 'embedding',
        prompt: 'secret prompt',
        integration: 'Mail',
      }),
      objects: all,
    },
    // objects that the row does not name are not copied
    { file: aReadDocument('plain', 'text', { ...at(2), text: { ...text, isIndexed: false } }), objects: all },
    {
      file: anUnreadableDocument('scan', 'scanned', {
        ...at(3),
        scans: {
          of: 3,
          parts: [
            [[1, 2], 400],
            [[3], 500],
          ],
        },
      }),
      objects: all,
    },
    {
      file: aReadDocument('gone', 'text', { ...at(4), text: { ...text, isIndexed: true } }),
      objects: ['search'],
    },
  ])
  await prompts.add(sub, { name: 'Long', text: 'ä'.repeat(500), project_id: projectId })
  await prompts.add(sub, { name: 'Other', text: 'of another project' })
  const files = fileRepository(table)
  const reserve = vi.spyOn(files, 'reserveText')
  const { id } = await publish(projectId, toSales, { files })
  expect(reserve).toHaveBeenCalledExactlyOnceWith(sub, `${id}.1`, 1_000 + 3 * 2_000 + 50 + 900)
  const version = await assistants.loadVersion(id, 1)
  expect(version?.prompts).toMatchObject([{ name: 'Long' }])
  expect(
    version?.files.map(({ n, id: fileId, name, objects }) => [n, fileId, name, objects.toSorted()]),
  ).toEqual([
    [1, '', 'whole.pdf', ['pages', 'search', 'tables-1', 'text', 'vectors']],
    [2, '', 'plain.pdf', ['text']],
    [3, '', 'scan.pdf', ['pages']],
    [4, '', 'gone.pdf', ['search']],
  ])
  for (const name of ['used_in', 'prompt', 'integration'])
    for (const file of version?.files ?? []) expect(file).not.toHaveProperty(name)
  const read = async (n: number, object: string) => {
    const bytes = await store.read(publishedKey({ id, publisher: sub, version: 1 }, n, object))
    return bytes && Buffer.from(bytes).toString()
  }
  for (const { n, objects } of version?.files ?? [])
    for (const object of all)
      expect(await read(n, object)).toBe(
        objects.includes(object) ? `${object} of ${['whole', 'plain', 'scan', 'gone'][n - 1]}` : undefined,
      )
})

it('waits 15 seconds for documents that are being read, and then publishes nothing', async () => {
  const file = aReadDocument('slow', 'text', { reader_version: 0 })
  const projectId = await createProjectWith([{ file }])
  let now = 0
  vi.spyOn(performance, 'now').mockImplementation(() => now)
  const sleep = vi.fn<(ms: number) => Promise<void>>(async (ms) => void (now += ms))
  await expect(publish(projectId, toSales, { sleep })).rejects.toMatchObject({ code: 'files_being_read' })
  expect(sleep.mock.calls).toEqual(Array.from({ length: 30 }, () => [500]))
  expect(await assistants.findOwned(sub, projectId)).toBeUndefined()
  sleep.mockImplementationOnce(async () => fileRepository(table).put(sub, aReadDocument('slow', 'text')))
  expect(await publish(projectId, toSales, { sleep })).toMatchObject({ version: 1 })
})

it('has the picture of the version before, unless another one or none is chosen', async () => {
  const { id: projectId } = await projects.create(sub, { name: 'Order desk' })
  const [first, second] = [pngOf(64, 64), pngOf(32, 64)]
  const isStored = async (id: string, version: number, bytes: Uint8Array | undefined) => {
    const stored = await store.read(publishedPictureKey({ id, version }))
    expect(stored && Buffer.from(stored)).toEqual(bytes)
  }
  const begun = await publish(projectId, { ...toSales, picture: first.toString('base64') })
  const { id } = begun
  expect(begun.picture).toEqual({ version: 1, type: 'image/png', bytes: first.length })
  await isStored(id, 1, first)
  expect((await publish(projectId, toSales)).picture).toEqual({ ...begun.picture, version: 2 })
  await isStored(id, 2, first)
  await publish(projectId, { ...toSales, picture: second.toString('base64') })
  await isStored(id, 3, second)
  expect(await publish(projectId, { ...toSales, picture: null })).not.toHaveProperty('picture')
  expect(await publish(projectId, toSales)).not.toHaveProperty('picture')
  // one that the store has lost
  await publish(projectId, { ...toSales, picture: first.toString('base64') })
  await store.remove([publishedPictureKey({ id, version: 6 })])
  expect(await publish(projectId, toSales)).not.toHaveProperty('picture')
})

it('names the integrations that its publisher has connected, without those that are turned off as a whole', async () => {
  const { id: projectId } = await projects.create(sub, { name: 'Order desk' })
  const disabled_tools = [{ mcp_id: 'mail' }, { mcp_id: 'drive', tool: 'delete' }]
  await projects.update(sub, projectId, { disabled_tools })
  const connected = ['mail', 'drive', 'notes'].map((id) => ({ id, name: id }))
  expect(await publish(projectId, toSales, { connected })).toMatchObject({
    tools: [
      { id: 'drive', name: 'drive' },
      { id: 'notes', name: 'notes' },
    ],
    disabled_tools,
  })
})

it.each<[string, (sub: string, id: string, projectId: string) => Promise<unknown>]>([
  ['deleted', (owner, id) => fileRepository(table).remove(owner, [id])],
  [
    'taken out of the project',
    (owner, id, projectId) => projects.update(owner, projectId, { remove_files: [id] }),
  ],
])('names the files whose text it has, without one that was %s before', async (_, change) => {
  const projectId = await createProjectWith([
    { file: aReadDocument('left', 'text'), objects: ['text'] },
    { file: aReadDocument('lost', 'text'), objects: ['text'] },
  ])
  await change(sub, 'lost', projectId)
  expect(await publishFiles(projectId, toSales)).toMatchObject({ fileIds: ['left'] })
})

it('a file that is deleted while it is published is not in the version, and leaves nothing', async () => {
  const projectId = await createProjectWith([
    { file: aReadDocument('left', 'text'), objects: ['text'] },
    { file: aReadDocument('lost', 'text'), objects: ['text'] },
    { file: anUnreadableDocument('empty', 'scanned', {}) },
  ])
  const { head, fileIds } = await publishFiles(projectId, toSales, {
    meanwhile: () => fileRepository(table).remove(sub, ['lost']),
  })
  expect(fileIds).toEqual(['left'])
  const version = await assistants.loadVersion(head.id, 1)
  expect(version?.files.map(({ name }) => name).toSorted()).toEqual(['empty.pdf', 'left.pdf'])
  const copies = await Promise.all(
    [1, 2, 3].map((n) => store.read(publishedKey({ id: head.id, publisher: sub, version: 1 }, n, 'text'))),
  )
  expect(copies.filter((one) => one !== undefined)).toHaveLength(1)
})
