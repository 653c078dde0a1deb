import { beforeEach, expect, it } from 'vitest'
import type { PublishRequest } from '#shared/contracts/assistants.ts'
import { openTableAndStore } from '../../test/support/table-and-store.ts'
import { fileRepository } from '../files/file-repository.ts'
import { openObjectStore, type ObjectStore } from '../platform/s3/object-store.ts'
import { projectRepository } from '../projects/project-repository.ts'
import { promptRepository } from '../projects/prompt-repository.ts'
import { assistantRepository, type AssistantRepository } from './assistant-repository.ts'
import { publishAssistant } from './publish-assistant.ts'

const table = await openTableAndStore('uploads')
const sub = 'pia'
const user = {
  sub,
  username: sub,
  groups: ['sales'],
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
  { meanwhile = async () => {}, storageGb }: { meanwhile?: () => Promise<unknown>; storageGb?: number } = {},
) =>
  publishAssistant(
    {
      assistants,
      projects,
      prompts,
      files: fileRepository(table, storageGb),
      store,
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

it('a version whose assistant is withdrawn meanwhile is not shown', async () => {
  const { id: projectId } = await projects.create(sub, { name: 'Order desk' })
  const first = await publish(projectId, toSales)
  const second = publish(projectId, toSales, { meanwhile: () => assistants.withdraw(first, 'publisher') })
  await expect(second).rejects.toMatchObject({ code: 'publish_conflict' })
  expect(await assistants.findHead(first.id)).not.toMatchObject({ state: 'live' })
  expect(await listIds('sales')).not.toContain(first.id)
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
