import { beforeEach, expect, it } from 'vitest'
import { noTexts } from '../../test/support/assistants.ts'
import { openTableAndStore } from '../../test/support/table-and-store.ts'
import { fileRepository } from '../files/file-repository.ts'
import { openObjectStore } from '../platform/s3/object-store.ts'
import { countAssistantUse } from './assistant-reader.ts'
import { assistantAudiences, assistantRepository, type HeadValues } from './assistant-repository.ts'

const table = await openTableAndStore('uploads')
const audiences = assistantAudiences(table)
let assistants: ReturnType<typeof assistantRepository>
beforeEach(() => {
  assistants = assistantRepository(table, { store: openObjectStore('uploads'), quota: fileRepository(table) })
})

/** Shows the next version of the project `p` of its publisher. */
async function show(publisher: string, fields: Partial<HeadValues> = {}) {
  const { id, version } = await assistants.takeVersion(publisher, 'p')
  const { groups, everyone } = { groups: new Set(['sales', 'legal']), ...fields }
  await assistants.list({ id, publisher, version }, { groups, ...(everyone && { everyone }) })
  const { fence = 0 } = (await assistants.findHead(id)) ?? {}
  await assistants.putVersion(id, version, { instructions: 'Say amber.', files: [] })
  const isShown = await assistants.show(id, version, fence, {
    publisher,
    publisher_name: publisher,
    project_id: 'p',
    name: 'Order desk',
    description: 'Takes orders',
    starters: ['Begin'],
    tools: [],
    disabled_tools: [],
    published_at: '2026-05-12T08:00:00.000Z',
    groups,
    ...fields,
  })
  expect(isShown).toBe(true)
  return id
}
const member = { sub: 'ann', groups: ['sales'] }
const isThere = async (id: string, user = member) => (await assistants.find(user, id)) !== undefined

it('the assistants of a disabled account are hidden until it is enabled again, and no others', async () => {
  const [one, other] = [await show('sue'), await show('tom')]
  for (let time = 0; time < 2; time += 1) await audiences.suspend('sue')
  expect([await isThere(one), await isThere(one, { sub: 'sue', groups: [] }), await isThere(other)]).toEqual([
    false,
    false,
    true,
  ])
  await audiences.resume('sue')
  expect(await isThere(one)).toBe(true)
})

it('a version that was begun before its publisher was disabled, or lost a group, is not shown', async () => {
  for (const change of [
    () => audiences.suspend('uma'),
    () => audiences.leaveGroups('uma', ['sales']),
    () => audiences.removeGroup('sales'),
  ]) {
    const { id, version } = await assistants.takeVersion('uma', 'p')
    await assistants.list({ id, publisher: 'uma', version }, { groups: new Set(['sales']) })
    const { fence = 0 } = (await assistants.findHead(id)) ?? {}
    await change()
    expect(await assistants.show(id, version, fence, {} as HeadValues)).toBe(false)
  }
})

it('groups that a publisher has lost, and groups that are deleted, leave the audiences', async () => {
  const [one, other] = [await show('una'), await show('uwe')]
  await audiences.leaveGroups('una', [])
  expect(await isThere(one)).toBe(true)
  await audiences.leaveGroups('una', ['sales'])
  expect([
    await isThere(one),
    await isThere(one, { sub: 'bo', groups: ['legal'] }),
    await isThere(other),
  ]).toEqual([false, true, true])
  await audiences.removeGroup('legal')
  for (const id of [one, other]) expect(await isThere(id, { sub: 'bo', groups: ['legal'] })).toBe(false)
  expect(await isThere(other)).toBe(true)
})

it('names the published projects of a user with their assistants', async () => {
  const id = await show('val')
  const { id: second } = await assistants.takeVersion('val', 'q')
  expect(await assistants.listOwned('val')).toEqual([
    { projectId: 'p', id },
    { projectId: 'q', id: second },
  ])
  expect(await assistants.findOwned('val', 'p')).toBe(id)
  expect(await assistants.findOwned('val', 'r')).toBeUndefined()
})

it.each(['publisher', 'administrator'] as const)(
  'of an assistant that its %s has withdrawn stays only what stops a version that is being made',
  async (by) => {
    const publisher = `wim-${by}`
    await show(publisher)
    const id = await show(publisher, {
      everyone: true,
      news: 'More',
      may_copy: true,
      model: 'm',
      effort: 'high',
      picture: { version: 2, type: 'image/png', bytes: 1 },
    })
    await countAssistantUse(table, id)
    await audiences.suspend(publisher)
    const head = await assistants.findHead(id)
    expect(head).toMatchObject({ suspended: true, version: 2, fence: 1, may_copy: true })
    for (let time = 0; time < 2; time += 1) {
      await assistants.withdraw(head ?? { id, publisher, project_id: 'p' }, by)
      expect(await assistants.findHead(id)).toEqual({
        id,
        state: 'gone',
        version: 2,
        fence: 2 + time,
        ...noTexts,
      })
    }
    for (const list of ['all', 'everyone', { group: 'sales' }, { publisher }] as const)
      expect(await assistants.listIds(list)).not.toContain(id)
    expect(await assistants.loadVersion(id, 2)).toBeUndefined()
    expect(await assistants.countUses(id)).toBe(0)
    // an administrator writes no rows of the publisher
    expect(await assistants.findOwned(publisher, 'p')).toBe(by === 'publisher' ? undefined : id)
  },
)
