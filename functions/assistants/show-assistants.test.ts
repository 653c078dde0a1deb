import { expect, it } from 'vitest'
import { parseHead, type AssistantHead } from './assistant-reader.ts'
import type { AssistantList, AssistantRepository } from './assistant-repository.ts'
import {
  findToWithdraw,
  listAllAssistants,
  listAssistantPrompts,
  listAssistants,
  showAssistant,
} from './show-assistants.ts'

const head = (id: string, fields: Partial<AssistantHead> = {}): AssistantHead => ({
  id,
  version: 2,
  fence: 0,
  disabled_tools: [],
  tools: [],
  starters: [],
  description: '',
  state: 'live',
  publisher: 'pia',
  publisher_name: 'Pia',
  project_id: `project-${id}`,
  name: id,
  published_at: '2026-05-12T08:00:00.000Z',
  ...fields,
})

/** A repository with these heads, in these lists. */
function open(heads: readonly AssistantHead[], lists: (list: AssistantList) => string[] = () => []) {
  const find = (id: string) => heads.find((one) => one.id === id)
  return {
    listIds: async (list: AssistantList) => lists(list),
    findHeads: async (ids: readonly string[]) => ids.flatMap((id) => find(id) ?? []),
    findHead: async (id: string) => find(id),
    find: async (_: unknown, id: string) => find(id),
    loadVersion: async (_: string, version: number) =>
      version === 2
        ? { instructions: '', files: [], prompts: [{ name: 'Sum', text: 'Sum it up' }] }
        : undefined,
    countUses: async () => 7,
    linkPicture: async ({ picture }: AssistantHead) => picture && { url: 'https://a.example/picture' },
  } as unknown as AssistantRepository
}

const shown = {
  id: 'a',
  name: 'a',
  description: '',
  starters: [],
  version: 2,
  published_at: '2026-05-12T08:00:00.000Z',
  publisher: { name: 'Pia' },
  tools: [],
}

it.each<[string, Partial<AssistantHead>, { sub: string; isAdmin?: boolean }, object]>([
  ['a member', { groups: new Set(['sales']) }, { sub: 'ann' }, { mine: false }],
  [
    'its publisher',
    { groups: new Set(['sales', 'legal']) },
    { sub: 'pia' },
    { mine: true, audience: { groups: ['legal', 'sales'] }, uses: 7, project_id: 'project-a' },
  ],
  [
    'an administrator',
    { everyone: true },
    { sub: 'ann', isAdmin: true },
    { mine: false, audience: 'everyone', uses: 7 },
  ],
  [
    'an administrator after its group was deleted',
    {},
    { sub: 'ann', isAdmin: true },
    { mine: false, audience: { groups: [] }, uses: 7 },
  ],
  [
    'a member, with all that it has',
    {
      model: 'm',
      effort: 'high',
      disabled_tools: [{ mcp_id: 'x' }],
      may_copy: true,
      picture: { version: 2, type: 'image/png', bytes: 1 },
    },
    { sub: 'ann' },
    {
      mine: false,
      model: 'm',
      effort: 'high',
      disabled_tools: [{ mcp_id: 'x' }],
      may_copy: true,
      picture: { url: 'https://a.example/picture' },
    },
  ],
])('shows an assistant to %s', async (_, fields, viewer, more) => {
  expect(await showAssistant(open([]), head('a', fields), viewer)).toEqual({ ...shown, ...more })
})

it('lists the assistants that are there for the user, each once, by name and time', async () => {
  const heads = [
    head('b', { name: 'Same', everyone: true, published_at: '2026-05-13T08:00:00.000Z' }),
    head('c', { name: 'Same', groups: new Set(['sales']), everyone: true }),
    head('d', { name: 'Own', publisher: 'ann' }),
    // lists may have too many: the heads decide
    head('e', { groups: new Set(['legal']) }),
    head('f', { state: 'gone', everyone: true }),
    head('g', { suspended: true, everyone: true }),
  ]
  const inList = (list: AssistantList) =>
    list === 'everyone'
      ? ['b', 'c', 'f', 'g', 'unknown']
      : list === 'all'
        ? heads.map(({ id }) => id)
        : 'group' in list
          ? list.group === 'sales'
            ? ['c', 'e']
            : []
          : list.publisher === 'ann'
            ? ['d']
            : []
  const repository = open(heads, inList)
  const ids = (await listAssistants(repository, { sub: 'ann', groups: ['sales', 'staff'] })).map(
    ({ id }) => id,
  )
  expect(ids).toEqual(['d', 'c', 'b'])
  const all = await listAllAssistants(repository, { sub: 'root' })
  expect(all.map(({ id }) => id)).toEqual(['e', 'g', 'd', 'c', 'b'])
  expect(all.every(({ audience, uses }) => audience !== undefined && uses === 7)).toBe(true)
})

it('lists the prompts of the newest version, under ids of their own', async () => {
  const user = { sub: 'ann', groups: [] }
  expect(await listAssistantPrompts(open([head('a')]), user, 'a')).toEqual([
    { id: 'a-0', name: 'Sum', text: 'Sum it up' },
  ])
  const missing = { code: 'assistant_not_found' }
  await expect(listAssistantPrompts(open([]), user, 'a')).rejects.toMatchObject(missing)
  await expect(listAssistantPrompts(open([head('a', { version: 1 })]), user, 'a')).rejects.toMatchObject(
    missing,
  )
})

it('may be withdrawn by its publisher and by administrators', async () => {
  const one = head('a')
  const find = (sub: string, groups: string[], heads = [one]) =>
    findToWithdraw(open(heads), { sub, groups }, 'a')
  expect(await find('pia', ['admins'])).toEqual({ head: one, by: 'publisher' })
  expect(await find('ann', ['admins'])).toEqual({ head: one, by: 'administrator' })
  const refused = { code: 'assistant_not_found' }
  await expect(find('ann', ['sales'])).rejects.toMatchObject(refused)
  await expect(find('ann', ['admins'], [])).rejects.toMatchObject(refused)
  // nothing of it is left
  const left = parseHead('a', { state: 'gone', version: 2 })
  await expect(find('', ['admins'], left && [left])).rejects.toMatchObject(refused)
})
