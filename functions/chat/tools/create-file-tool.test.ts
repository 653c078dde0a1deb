import { PutObjectCommand, S3Client } from '@aws-sdk/client-s3'
import { strFromU8, unzipSync } from 'fflate'
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { mockClient } from '../../../test/support/mock-client.ts'
import { openTestTable } from '../../../test/support/table.ts'
import type { Attachment } from '#shared/contracts/files.ts'
import { deleteFile } from '../../files/delete-files.ts'
import { addLinks, originalKey, queryResultPrefix, versionKey } from '../../files/file-links.ts'
import { fileRepository } from '../../files/file-repository.ts'
import type { StoredFile } from '../../files/file-row.ts'
import { wait } from '../../platform/clock.ts'
import type { ObjectStore } from '../../platform/s3/object-store.ts'
import { createFileTool, type FileToolInput } from './create-file-tool.ts'

vi.mock('../../platform/clock.ts', () => ({ wait: vi.fn<typeof wait>() }))

const s3 = mockClient(S3Client)
let table: Awaited<ReturnType<typeof openTestTable>>
beforeAll(async () => {
  table = await openTestTable()
})
afterAll(() => table.close())

const objects = new Map<string, Uint8Array>()
const store: ObjectStore = {
  bucket: 'uploads',
  read: async (key) => objects.get(key),
  readBeginning: () => Promise.reject(new Error('not asked')),
  readRange: () => Promise.reject(new Error('not asked')),
  stream: () => Promise.reject(new Error('not asked')),
  remove: async (keys) => {
    for (const key of keys) objects.delete(key)
  },
  signUrl: async (key) => `https://bucket.example/${key}`,
  signLink: async (key) => `https://bucket.example/${key}`,
}

beforeEach(() => {
  objects.clear()
  s3.reset()
  s3.on(PutObjectCommand).callsFake(async ({ Key = '', Body }: { Key?: string; Body?: Uint8Array }) => {
    objects.set(Key, new Uint8Array(Body ?? []))
    return {}
  })
  vi.stubEnv('AWS_REGION', 'eu-central-1')
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'test')
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'test')
})

const sessionId = 'session'

interface Answer {
  file: { id: string; name: string; size: number; version: number }
  rows?: number
}

function open(more: Partial<FileToolInput> = {}, storageGb?: number) {
  const sub = crypto.randomUUID()
  const files = fileRepository(table, storageGb)
  const shown: Attachment[] = []
  const deps = { files, store, startReading: async () => undefined }
  const tool = createFileTool(deps, {
    sub,
    sessionId,
    listFiles: () => files.list(sub),
    listResultTables: () => [],
    queryTables: () => Promise.reject(new Error('no statement')),
    onFile: (file) => shown.push(file),
    ...more,
  })
  const make = async (request: Record<string, unknown>) => {
    const checked = tool.parameters.check(request)
    if ('problem' in checked) throw new Error(checked.problem.text)
    return (await tool.run(checked.input, new AbortController().signal)) as Answer
  }
  const readText = (id: string) => Buffer.from(objects.get(originalKey(sub, id)) ?? []).toString()
  const listParts = (id: string) => unzipSync(objects.get(originalKey(sub, id)) ?? new Uint8Array())
  return { sub, files, deps, shown, tool, make, readText, listParts }
}

it.each(['md', 'txt', 'csv', 'json', 'ics'])(
  'a %s is its content, and an attachment of the reply',
  async (kind) => {
    const { make, shown, readText, files, sub } = open()
    const content = '{"a": "=1+1"}'
    const answer = await make({ name: `../a b.${kind}`, content })
    expect(answer).toMatchObject({ file: { name: `a b.${kind}`, size: content.length, version: 1 } })
    expect(readText(answer.file.id)).toBe(content)
    expect(shown).toMatchObject([{ id: answer.file.id, version: 1, isGenerated: true }])
    expect(await files.list(sub)).toMatchObject([{ state: 'ready', versions: [{ version: 1 }] }])
  },
)

it('a page may run no script and reach no network: its policy comes before its content', async () => {
  const { make, readText } = open()
  const content =
    '<!doctype html><html lang="de"><base href="https://a.example"><meta http-equiv="refresh" content="0;https://a.example"><link rel="prefetch" href="https://a.example"><p>Text'
  const { file } = await make({ name: 'page.html', content })
  expect(readText(file.id)).toMatch(
    /^<!doctype html>\n<meta charset="utf-8">\n<meta http-equiv="Content-Security-Policy" content="default-src 'none';[^>]+>\n<html lang="de"><p>Text$/,
  )
})

it('the rows of a statement become a sheet with types, widths and a frozen header, and no formula', async () => {
  const rows = [
    ['north', '2026-01-31', 1.5, '=1+1'],
    ['south', '2026-02-28', null, '@a'],
  ]
  const lines = [['region', 'day', 'sum', 'note'], ...rows].map((row) => JSON.stringify(row)).join('\n')
  const queryTables: FileToolInput['queryTables'] = async ({ format, csvForm }) => {
    expect(format).toBe('json')
    objects.set(String(csvForm?.fields['key']), Buffer.from(`${lines}\n`))
    return { columns: [], rows: [], total_rows: 2, csv_rows: 2 }
  }
  const { make, listParts, sub } = open({
    queryTables,
    listResultTables: () => [
      {
        name: 'result_1',
        records: { titles: ['a'], rows: [['b']] },
        source: { integration: 'i', title: 't' },
      } as unknown as ReturnType<FileToolInput['listResultTables']>[number],
    ],
  })
  const { file, rows: count } = await make({
    name: 'r.xlsx',
    sheets: [
      { name: 'A/B', sql: 'SELECT * FROM result_1' },
      { name: 'own', rows: [['x'], ['+2', 'wide']] },
    ],
  })
  expect(count).toBe(3)
  expect([...objects.keys()].some((key) => key.startsWith(queryResultPrefix(sub)))).toBe(true)
  const parts = listParts(file.id)
  expect(strFromU8(parts['xl/workbook.xml'] ?? new Uint8Array())).toContain('name="A B"')
  const sheet = strFromU8(parts['xl/worksheets/sheet1.xml'] ?? new Uint8Array())
  expect(sheet).toContain('state="frozen"')
  expect(sheet).toContain(
    '<c s="2"><v>46053</v></c><c><v>1.5</v></c><c t="inlineStr"><is><t xml:space="preserve">=1+1</t></is></c>',
  )
  expect(sheet).not.toContain('<f>')
  expect(strFromU8(parts['xl/worksheets/sheet2.xml'] ?? new Uint8Array())).toContain('wide')
})

it('a table in Markdown becomes a sheet: codes with leading zeros stay texts', async () => {
  const { make, listParts } = open()
  const { file, rows } = await make({ name: 'r.xlsx', content: '# Codes\n\n|a|b|\n|-|-|\n|007|7.5|\n' })
  expect(rows).toBe(1)
  const sheet = strFromU8(listParts(file.id)['xl/worksheets/sheet1.xml'] ?? new Uint8Array())
  expect(sheet).toContain('>007</t></is></c><c><v>7.5</v></c>')
})

it.each(['docx', 'pptx'])('%s is written from Markdown', async (kind) => {
  const { make, listParts } = open()
  const { file } = await make({
    name: `r.${kind}`,
    content: '# Größe\n\n- 日本 **fett**\n\n## Zwei\n\n|a|\n|-|\n|b|\n',
  })
  const text = Object.entries(listParts(file.id))
    .flatMap(([name, part]) => (/document\.xml$|slides\/slide\d+\.xml$/.test(name) ? strFromU8(part) : []))
    .join('')
  for (const word of ['Größe', '日本', 'fett', 'Zwei']) expect(text).toContain(word)
})

it('pdf is written in letters that its fonts have, and refused in others', async () => {
  const { make, readText, files, sub } = open()
  const { file } = await make({ name: 'r.pdf', content: '# Größe – „ja“\n\n- eins\n' })
  expect(readText(file.id)).toMatch(/^%PDF-/)
  await expect(make({ name: 's.pdf', content: '日本' })).rejects.toThrow('Word document')
  expect(await files.list(sub)).toHaveLength(1)
})

it('the same name again is a version of the same file; a message keeps the one that it made', async () => {
  const { make, deps, files, sub, readText, shown } = open()
  const [first, second] = await Promise.all([
    make({ name: 'a.md', content: 'one' }),
    make({ name: 'a.md', content: 'second' }),
  ])
  expect(second.file).toEqual({ id: first.file.id, name: 'a.md', size: 6, version: 2 })
  expect(readText(first.file.id)).toBe('second')
  expect(Buffer.from(objects.get(versionKey(sub, first.file.id, 1)) ?? []).toString()).toBe('one')
  expect(await files.list(sub)).toMatchObject([
    {
      size: 6,
      versions: [
        { version: 1, size: 3 },
        { version: 2, size: 6 },
      ],
    },
  ])
  expect((await files.listWithStorage(sub)).storage.used_bytes).toBe(9)
  const messages = await addLinks(deps, sub, [{ attachments: shown }])
  expect(messages[0]?.attachments).toMatchObject([
    { version: 1, size: 3, url: expect.stringMatching(/version-1$/) as string },
    { version: 2, size: 6, url: expect.stringMatching(/original$/) as string },
  ])
  await deleteFile(deps, sub, first.file.id)
  expect([...objects.keys()]).toEqual([])
})

it('a file of the user, or of another conversation, is never a version', async () => {
  const { make, files, sub } = open()
  const own: StoredFile = {
    id: 'own',
    name: 'a.md',
    type: 'text/markdown',
    size: 1,
    state: 'ready',
    created_at: new Date().toISOString(),
  }
  await files.put(sub, own)
  const other = {
    ...own,
    id: 'other',
    versions: [{ version: 1, size: 1, created_at: own.created_at }],
    used_in: new Set(['x']),
  }
  await files.put(sub, other)
  const { file } = await make({ name: 'a.md', content: 'text' })
  expect(file.version).toBe(1)
  expect(await files.find(sub, 'own')).toEqual(own)
})

it('a version waits for whoever reads the one before, and keeps readers away', async () => {
  const { make, files, sub, readText } = open()
  const { file } = await make({ name: 'a.md', content: 'one' })
  expect(await files.hold(sub, file.id, Date.now())).toBe(true)
  vi.mocked(wait).mockImplementationOnce(async () => {
    expect(readText(file.id)).toBe('one')
    await files.release(sub, file.id)
  })
  const addVersion = vi.spyOn(files, 'addVersion').mockImplementationOnce(async () => {
    expect(await files.hold(sub, file.id, Date.now())).toBe(false)
    return false
  })
  await expect(make({ name: 'a.md', content: 'two' })).rejects.toThrow('Nothing was stored')
  expect([addVersion.mock.calls.length, vi.mocked(wait).mock.calls.length]).toEqual([1, 1])
  expect((await make({ name: 'a.md', content: 'two' })).file.version).toBe(2)
})

it('a version that cannot be stored leaves the earlier one', async () => {
  const { make, files, sub, readText } = open()
  const { file } = await make({ name: 'a.md', content: 'one' })
  vi.spyOn(files, 'addVersion').mockResolvedValueOnce(false)
  await expect(make({ name: 'a.md', content: 'two' })).rejects.toThrow('Nothing was stored')
  expect(readText(file.id)).toBe('one')
  expect([...objects.keys()]).toEqual([originalKey(sub, file.id)])
})

it.each([
  ['another kind', { name: 'a.exe', content: 'x' }, 'kinds'],
  ['no content', { name: 'a.md' }, '`content`'],
  ['no table', { name: 'a.xlsx', content: 'x' }, 'sheets'],
  ['more than 10 MB', { name: 'a.txt', content: 'x'.repeat(10 * 1024 * 1024 + 1) }, '10 MB'],
  ['more rows', { name: 'a.csv', content: `a\n${'1\n'.repeat(100_001)}` }, '100000 rows'],
  [
    'more rows of sheets',
    { name: 'a.xlsx', sheets: [{ name: 's', rows: Array.from({ length: 100_002 }, () => [1]) }] },
    '100000 rows',
  ],
])('%s is an error before anything is stored', async (_, request, said) => {
  const { make, files, sub } = open()
  await expect(make(request)).rejects.toThrow(said)
  expect([objects.size, await files.listAll(sub)]).toEqual([0, []])
})

it('a statement with more rows than a file may have is an error', async () => {
  const { make, files, sub } = open({
    queryTables: async () => ({ columns: [], rows: [], total_rows: 100_001, csv_rows: 100_000 }),
    listResultTables: () =>
      [
        { name: 'result_1', records: { titles: ['a'], rows: [] }, source: { integration: 'i', title: 't' } },
      ] as unknown as ReturnType<FileToolInput['listResultTables']>,
  })
  await expect(make({ name: 'a.xlsx', sheets: [{ name: 's', sql: 'SELECT 1' }] })).rejects.toThrow(
    '100000 rows',
  )
  expect(await files.listAll(sub)).toEqual([])
})

it('a temporary chat stores nothing', async () => {
  const { make, files, sub, shown } = open({ sessionId: undefined })
  await make({ name: 'a.md', content: 'x' })
  expect(shown).toMatchObject([{ url: 'data:application/octet-stream;base64,eA==', version: 1 }])
  expect([objects.size, await files.listAll(sub)]).toEqual([0, []])
})
