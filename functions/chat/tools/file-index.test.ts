import { describe, expect, it, vi } from 'vitest'
import type { Attachment } from '#shared/contracts/files.ts'
import type { ObjectStore } from '../../platform/s3/object-store.ts'
import { openFileIndex, splitPassages, tokenize } from './file-index.ts'
import { searchFilesTool } from './search-files-tool.ts'

/** Opens an index of files with these texts, by name; undefined: the text is gone. */
function openIndex(texts: Record<string, string | undefined>, status: 'whole' | 'failed' | 'none' = 'whole') {
  const read: string[] = []
  const store = {
    readBeginning: async (key: string, bytes: number) => {
      read.push(key)
      const text = texts[key.split('/')[2] ?? '']
      return text === undefined
        ? undefined
        : { bytes: new TextEncoder().encode(text).subarray(0, bytes), etag: '' }
    },
  } as unknown as ObjectStore
  const files: Attachment[] = Object.keys(texts).map((name) => ({
    id: name,
    name,
    type: 'text/plain',
    size: 1,
    ...(status !== 'none' && { reading: { status, note: '' } }),
  }))
  return { read, index: openFileIndex(store, 'ann', files) }
}

describe('passages', () => {
  it('together are the text, and end after a paragraph, a line or a word', () => {
    const text = Array.from(
      { length: 900 },
      (_, word) => `word${word}${word % 40 === 0 ? '\n\n' : ' '}`,
    ).join('')
    const passages = splitPassages(text)
    expect(passages.map((passage) => passage.text).join('')).toBe(text)
    expect(passages.length).toBeGreaterThan(3)
    for (const passage of passages) {
      expect(passage.text.length).toBeLessThanOrEqual(1_500)
      expect(passage.text).toBe(text.slice(passage.from, passage.from + passage.text.length))
    }
    for (const passage of passages.slice(0, -1)) expect(passage.text).toMatch(/\s$/)
  })

  const paragraph = (length: number) => 'x'.repeat(length)
  it.each([
    [
      'the last paragraph of its second half',
      `${paragraph(800)}\n\n${paragraph(100)}\n${paragraph(100)} `,
      802,
    ],
    [
      'the last line, if no paragraph ends in its second half',
      `${paragraph(700)}\n\n${paragraph(100)}\n${paragraph(100)} `,
      803,
    ],
    ['the last word, if no line ends there', `${paragraph(700)}\n${paragraph(100)} `, 802],
    ['the last letter that fits, if no word ends there', `${paragraph(748)}\n\n`, 1_500],
    ['the last paragraph, exactly after its half', `${paragraph(749)}\n\n`, 751],
  ])('end after %s', (_, beginning, length) => {
    const [first] = splitPassages(`${beginning}${paragraph(2_000)}`)
    expect(first?.text).toHaveLength(length)
  })

  it('are not cut for a break if the rest fits', () => {
    const text = `${paragraph(1_000)}\n\n${paragraph(498)}`
    expect(splitPassages(text)).toEqual([{ from: 0, text }])
  })

  it('of a text without spaces have the full length', () => {
    expect(splitPassages('x'.repeat(3_200)).map(({ text }) => text.length)).toEqual([1_500, 1_500, 200])
    expect(splitPassages('')).toEqual([])
  })
})

it.each([
  ['Übergabe, in Kraków!', ['ubergabe', 'in', 'krakow']],
  ['東京都 2024', ['東京', '京都', '2024']],
  ['水', ['水']],
  ['ひらがな', ['ひら', 'らか', 'かな']],
  ['カタ ไทย ລາວ ខ្មែរ', ['カタ', 'ไท', 'ทย', 'ລາ', 'າວ', 'ខម', 'មរ']],
  ['snake_case', ['snake', 'case']],
  ['  --  ', []],
])('the words of %j are %j', (text, words) => {
  expect(tokenize(text)).toEqual(words)
})

describe('a search', () => {
  it('finds the passages that have the words, best first, and where they are', async () => {
    const filler = 'Nothing of interest here. '.repeat(200)
    const { index } = openIndex({
      'plan.txt': `${filler}The budget of the harbour is 5 million.${filler}`,
      'other.txt': `${filler}A budget was mentioned.`,
    })
    const { passages, ...rest } = (await index).search('harbour budget')
    expect(passages.map(({ name }) => name)).toEqual(['plan.txt', 'other.txt'])
    const [best] = passages
    expect(best?.text).toContain('The budget of the harbour is 5 million.')
    expect((best?.to ?? 0) - (best?.from ?? 0)).toBe(best?.text.length)
    expect(rest).toEqual({})
  })

  it.each([
    ['the beginning of a word', 'harb'],
    ['a word with a slip', 'habour'],
    ['the name of the file', 'plan'],
    ['a part of a sentence without spaces', '東京'],
  ])('finds %s', async (_, query) => {
    const { index } = openIndex({ 'plan.txt': 'The harbour. 私は東京都に住んでいます。', 'b.txt': 'Else.' })
    expect((await index).search(query).passages.map(({ name }) => name)).toEqual(['plan.txt'])
  })

  it('finds a long word with two slips, not with more', async () => {
    const { index } = openIndex({ 'plan.txt': 'Donaudampfschifffahrtsgesellschaft' })
    const count = async (query: string) => (await index).search(query).passages.length
    expect(await count('xxnaudampfschifffahrtsgesellschaft')).toBe(1)
    expect(await count('xxxaudampfschifffahrtsgesellschaft')).toBe(0)
  })

  it('finds nothing without an error, whatever is asked', async () => {
    const { index } = openIndex({ 'plan.txt': 'The harbour.', 'empty.txt': '' })
    for (const query of ['zebra', '"*(', 'constructor', '__proto__', ''])
      expect((await index).search(query).passages).toEqual([])
  })

  it('names what it could not search: texts that are gone or too long', async () => {
    const long = 'word '.repeat(500_000)
    const { index } = openIndex({ a: long, 'gone.txt': undefined, b: long, 'c.txt': 'The harbour.' })
    expect((await index).search('harbour')).toMatchObject({
      passages: [{ name: 'c.txt' }],
      not_searched: ['gone.txt', 'b'],
    })
  })

  it('says that the end of a very long text was not searched', async () => {
    const { index } = openIndex({ 'long.txt': `The harbour. ${'\u6c34'.repeat(2_000_000)}` })
    expect((await index).search('harbour')).toMatchObject({
      passages: [{ name: 'long.txt' }],
      not_searched: ['the end of long.txt'],
    })
  })

  it('gives at most six passages', async () => {
    const names = Array.from({ length: 8 }, (_, count) => [`${count}.txt`, 'The harbour.'])
    const { index } = openIndex(Object.fromEntries(names))
    expect((await index).search('harbour').passages).toHaveLength(6)
  })

  it('that could not read the files is tried again by the next one', async () => {
    const readBeginning = vi.fn<ObjectStore['readBeginning']>().mockRejectedValueOnce(new Error('no store'))
    readBeginning.mockResolvedValue({ bytes: new TextEncoder().encode('The harbour.'), etag: '' })
    const tool = searchFilesTool({ readBeginning } as unknown as ObjectStore, 'ann', [
      { id: 'a', name: 'a.txt', type: 'text/plain', size: 1, reading: { status: 'whole', note: '' } },
    ])
    const search = () => tool.run({ query: 'harbour' }, {} as never)
    await expect(search()).rejects.toThrow('no store')
    expect(await search()).toMatchObject({ passages: [{ name: 'a.txt' }] })
  })

  it('opens the files once for a reply, and the conversation keeps where the passages are', async () => {
    const readBeginning = vi.fn<ObjectStore['readBeginning']>(async () => ({
      bytes: new TextEncoder().encode('The harbour.'),
      etag: '',
    }))
    const tool = searchFilesTool({ readBeginning } as unknown as ObjectStore, 'ann', [
      { id: 'a', name: 'a.txt', type: 'text/plain', size: 1, reading: { status: 'whole', note: '' } },
    ])
    const found = await tool.run({ query: 'harbour' }, {} as never)
    expect(found).toEqual({ passages: [{ id: 'a', name: 'a.txt', from: 0, to: 12, text: 'The harbour.' }] })
    expect(tool.toStoredResult?.({ ...(found as object), not_searched: ['b.txt'] })).toEqual({
      passages: [{ id: 'a', name: 'a.txt', from: 0, to: 12 }],
      not_searched: ['b.txt'],
    })
    await tool.run({ query: 'ship' }, {} as never)
    expect(readBeginning.mock.calls).toEqual([['users/ann/a/text', 4 * 1024 * 1024]])
  })

  it('takes words of 300 characters', () => {
    const { parameters, ...tool } = searchFilesTool({} as ObjectStore, 'ann', [])
    expect(tool).toMatchObject({
      name: 'search_files',
      writes: false,
      activity: 'document_analysis',
      timeoutMs: 25_000,
    })
    expect(parameters.check({ query: ' harbour ' })).toEqual({ input: { query: 'harbour' } })
    expect(parameters.check({ query: 'x'.repeat(300) })).toHaveProperty('input')
    for (const query of [' ', 'x'.repeat(301)]) expect(parameters.check({ query })).toHaveProperty('problem')
  })

  it.each([
    ['whose analysis failed', 'failed'],
    ['without an analysis, like a picture', 'none'],
  ] as const)('reads no file %s', async (_, status) => {
    const { index, read } = openIndex({ 'a.pdf': 'The harbour.' }, status)
    expect((await index).search('harbour').passages).toEqual([])
    expect(read).toEqual([])
  })
})
