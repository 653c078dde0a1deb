import { beforeEach, expect, it } from 'vitest'
import type { PublishRequest } from '#shared/contracts/assistants.ts'
import { openTableAndStore } from '../../test/support/table-and-store.ts'
import { fileRepository } from '../files/file-repository.ts'
import type { StoredFile } from '../files/file-row.ts'
import type { StartReading } from '../files/start-reading.ts'
import { readerVersion } from '../files/stored-text.ts'
import { putRow } from '../platform/dynamodb/rows.ts'
import { maxListedAssistants } from '../platform/limits.ts'
import { openObjectStore, type ObjectStore } from '../platform/s3/object-store.ts'
import { changeProject } from '../projects/project-files.ts'
import { projectRepository } from '../projects/project-repository.ts'
import { promptRepository } from '../projects/prompt-repository.ts'
import { assistantRepository, type AssistantRepository } from './assistant-repository.ts'
import { publishAssistant } from './publish-assistant.ts'

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
const publish = (
  projectId: string,
  request: PublishRequest,
  {
    meanwhile = async () => {},
    storageGb,
    startReading = async () => {},
  }: {
    meanwhile?: () => Promise<unknown>
    storageGb?: number
    startReading?: StartReading
  } = {},
) =>
  publishAssistant(
    {
      assistants,
      projects,
      prompts,
      files: fileRepository(table, storageGb),
      store,
      startReading,
      listConnected: async () => [],
      checkToken: async () => void (await meanwhile()),
      isPoolGroup: () => false,
      publisherName: 'Pia',
      sleep: async () => {},
    },
    user,
    projectId,
    request,
  )
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
