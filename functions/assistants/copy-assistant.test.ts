import { beforeEach, expect, it, vi } from 'vitest'
import { aReadDocument } from '../../test/support/read-documents.ts'
import { openTableAndStore } from '../../test/support/table-and-store.ts'
import { fileRepository } from '../files/file-repository.ts'
import { maxPrompts } from '../platform/limits.ts'
import { openObjectStore, type ObjectStore } from '../platform/s3/object-store.ts'
import { putObject } from '../platform/s3/object-writer.ts'
import { projectRepository } from '../projects/project-repository.ts'
import { promptRepository } from '../projects/prompt-repository.ts'
import { parseHead, type AssistantHead, type AssistantVersion } from './assistant-reader.ts'
import { copyAssistant } from './copy-assistant.ts'
import { publishedKey } from './published-files.ts'

const table = await openTableAndStore('uploads')
const [projects, prompts, files] = [projectRepository(table), promptRepository(table), fileRepository(table)]
let store: ObjectStore
beforeEach(() => {
  store = openObjectStore('uploads')
})

const published = (n: number, name: string, objects: readonly string[], changes: object = {}) => ({
  ...aReadDocument('', `text ${n}`, { name, ...changes }),
  n,
  objects,
})

/** An assistant of Pia that may be copied. */
function openCopy(
  sub: string,
  version: Partial<AssistantVersion> | undefined,
  fields: Partial<AssistantHead> = {},
) {
  const head = parseHead(`assistant-of-${sub}`, {
    state: 'live',
    publisher: 'pia',
    version: 3,
    name: 'Order desk',
    may_copy: true,
    model: 'm',
    effort: 'high',
    disabled_tools: [{ mcp_id: 'mail' }],
    ...fields,
  }) as AssistantHead
  const admit = vi.fn<(count: number) => Promise<void>>(async () => {})
  const assistants = {
    find: async (_: unknown, id: string) => (id === head.id ? head : undefined),
    loadVersion: async (_: string, number: number) =>
      number === head.version && version ? { instructions: 'Say amber.', files: [], ...version } : undefined,
  }
  const copy = ({ assistantId = head.id, id }: { assistantId?: string; id?: string } = {}) =>
    copyAssistant(
      { assistants, projects, prompts, files, store, admit },
      { sub, groups: [] },
      { assistantId, id },
    )
  return { head, admit, copy }
}

it('makes a project of the user, with the texts of the files as files of their own, and the prompts', async () => {
  const { head, admit, copy } = openCopy('ann', {
    files: [
      published(1, 'Prices.pdf', ['text', 'search', 'vectors'], { vectors_model: 'embedding' }),
      published(2, 'Photo.png', [], { text: undefined }),
      published(3, 'Notes.MD', ['text']),
    ],
    prompts: [{ name: 'Sum', text: 'Sum it up', created_at: '' }],
  })
  for (const [n, object] of [
    [1, 'text'],
    [1, 'search'],
    [1, 'vectors'],
    [1, 'tables-1'],
    [3, 'text'],
  ] as const)
    await putObject(store, {
      key: publishedKey(head, n, object),
      body: Buffer.from(`${object} ${n}`),
      type: 'text/plain',
    })
  const project = await copy({ id: 'copy-1' })
  expect(admit).toHaveBeenCalledExactlyOnceWith(2)
  expect(project).toMatchObject({
    id: 'copy-1',
    name: 'Order desk',
    instructions: 'Say amber.',
    copied_from: 'Order desk',
    model: 'm',
    effort: 'high',
    disabled_tools: [{ mcp_id: 'mail' }],
  })
  expect(project.files.map(({ name }) => name).toSorted()).toEqual(['Notes.MD', 'Prices.pdf.txt'])
  for (const { id, name } of project.files) {
    const n = name === 'Notes.MD' ? 3 : 1
    const stored = Object.fromEntries(
      await Promise.all(
        ['original', 'text', 'search', 'vectors', 'tables-1'].map(async (object) => {
          const bytes = await store.read(`users/ann/${id}/${object}`)
          return [object, bytes && Buffer.from(bytes).toString()] as const
        }),
      ),
    )
    expect(stored).toEqual({
      original: `text ${n}`,
      text: `text ${n}`,
      search: n === 1 ? 'search 1' : undefined,
      vectors: n === 1 ? 'vectors 1' : undefined,
      'tables-1': undefined,
    })
    const row = await files.find('ann', id)
    expect(row).toMatchObject({
      type: 'text/plain',
      size: row.text?.bytes,
      state: 'ready',
      extracted_text: `text ${n}`,
    })
    expect([row.vectors_model, [...(row.used_in ?? [])]]).toEqual([
      n === 1 ? 'embedding' : undefined,
      ['P#copy-1'],
    ])
  }
  expect(await prompts.list('ann')).toMatchObject([
    { name: 'Sum', text: 'Sum it up', project_id: 'copy-1', copied_from: 'Order desk' },
  ])
  // once more under the same id copies nothing
  expect(await copy({ id: 'copy-1' })).toMatchObject({
    id: 'copy-1',
    files: project.files.map(({ id }) => ({ id })),
  })
  expect(admit).toHaveBeenCalledOnce()
  expect(await prompts.list('ann')).toHaveLength(1)
})

it('is a copy of the caller’s own where the assistant is', async () => {
  const saved = [{ name: 'Sum', text: 'Sum it up', created_at: '' }]
  const { copy } = openCopy('pia', { prompts: saved }, { may_copy: undefined })
  expect(await copy()).not.toHaveProperty('copied_from')
  expect((await prompts.list('pia'))[0]).not.toHaveProperty('copied_from')
})

it('is of somebody else as far as its publisher has copied it and not saved', async () => {
  const sub = 'pia-2'
  const saved = [{ name: 'Sum', text: 'Sum it up', created_at: '', copied_from: 'First' }]
  const { copy } = openCopy(sub, { prompts: saved }, { publisher: sub, copied_from: 'First' })
  expect(await copy()).toMatchObject({ copied_from: 'First' })
  expect(await prompts.list(sub)).toMatchObject([{ copied_from: 'First' }])
})

it.each<[string, Partial<AssistantVersion> | undefined, Partial<AssistantHead>, object]>([
  ['may not be copied', {}, { may_copy: undefined }, { code: 'copy_not_allowed' }],
  ['is withdrawn in this moment', undefined, {}, { code: 'assistant_not_found' }],
  [
    'has more prompts than the user has room for',
    {
      prompts: Array.from({ length: maxPrompts + 1 }, (_, at) => ({
        name: `${at}`,
        text: 'x',
        created_at: '',
      })),
    },
    {},
    { code: 'too_many_prompts' },
  ],
])('an assistant that %s is not copied', async (_, version, fields, refusal) => {
  const { admit, copy } = openCopy('bo', version, fields)
  await expect(copy({ id: 'none' })).rejects.toMatchObject(refusal)
  expect(admit).not.toHaveBeenCalled()
  expect(await projects.find('bo', 'none')).toBeUndefined()
})

it('an assistant that is not there for the user is not copied', async () => {
  const { copy } = openCopy('cy', {})
  await expect(copy({ assistantId: 'other' })).rejects.toMatchObject({ code: 'assistant_not_found' })
})
