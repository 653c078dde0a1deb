import { describe, expect, it, vi } from 'vitest'
import type { StoredFile } from '../../files/file-row.ts'
import { maxPreviewBytes } from '#shared/limits.ts'
import { aReadDocument, anUnreadableDocument, readRangeOf } from '../../../test/support/read-documents.ts'
import type { ContentPart } from '../../models/model.ts'
import { loadAttachmentContexts } from './attachment-context.ts'
import { contextKey } from './resolve-attachments.ts'
import { renderTag } from './attachment-tags.ts'
import { pageRoom } from './shown-pages.ts'
import { explainNoText, hasText } from './document-text.ts'
import { buildModelMessages } from './prompt.ts'

/** Room for the texts of documents. */
const room = 64_000

/** A user's files with these texts, by id, and a store that has them. */
function attachedWith(texts: Record<string, string>, onRead?: (key: string) => unknown) {
  const onFindMany = vi.fn<(sub: string, ids: readonly string[]) => void>()
  const findMany = async (sub: string, ids: readonly string[]) => {
    onFindMany(sub, ids)
    const known = Object.entries(texts).filter(([id]) => ids.includes(id))
    return new Map(known.map(([id, text]) => [id, aReadDocument(id, text)]))
  }
  return {
    onFindMany,
    attached: {
      files: { findMany },
      store: { readRange: readRangeOf(texts, onRead) },
      startReading: async () => undefined,
    } as unknown as Parameters<typeof loadAttachmentContexts>[0],
  }
}
/** What a data URL of a part has. */
function toContent(part: ContentPart): string {
  const url = part.type === 'text' ? '' : part.type === 'file' ? part.file.file_data : part.image_url.url
  return Buffer.from(url.split(',')[1] ?? '', 'base64').toString()
}
const bytes = (text: string) => new TextEncoder().encode(text)
const question = (attachments: { id: string; name: string; extractedText?: string }[]) => ({
  role: 'user' as const,
  content: 'What is it?',
  attachments: attachments.map((attachment) => ({ type: 'application/pdf', size: 2_000, ...attachment })),
})
const named = (ids: readonly string[]) => question(ids.map((id) => ({ id, name: id })))
const listIds = (count: number) => Array.from({ length: count }, (_, index) => `f${index}`)
const sameTexts = (ids: readonly string[], text: string) => Object.fromEntries(ids.map((id) => [id, text]))

it('reads up to six documents of a prompt in parallel', async () => {
  const ids = listIds(8)
  let running = 0
  let most = 0
  const { attached } = attachedWith(sameTexts(ids, 'long '.repeat(1_000)), async () => {
    running += 1
    most = Math.max(most, running)
    await new Promise(setImmediate)
    running -= 1
  })
  const contexts = await loadAttachmentContexts(attached, 'ann', [named(ids)], { documentBytes: room })
  expect([...contexts.keys()]).toEqual(ids)
  expect([most, contexts.get('f7')?.use]).toEqual([6, { id: 'f7', name: 'f7.pdf', given: 5_000, of: 5_000 }])
})

it('reads nothing for which there is no room', async () => {
  const ids = listIds(20)
  let reads = 0
  const { attached } = attachedWith(sameTexts(ids, 'x'.repeat(20_000)), () => (reads += 1))
  const contexts = await loadAttachmentContexts(attached, 'ann', [named(ids)], { documentBytes: room })
  // three whole, then the beginnings of two: half of what is left each time
  expect(reads).toBe(5)
  expect(contexts.get('f3')?.use).toMatchObject({ given: 2_000, of: 20_000 })
  expect(contexts.get('f19')?.text).toContain('not given here for its length of 20,000 characters')
})

it('keeps two files without an id apart, and does not look them up', async () => {
  const { attached, onFindMany } = attachedWith({})
  const history = [
    question([
      { id: '', name: 'one.pdf', extractedText: 'First text' },
      { id: '', name: 'two.pdf', extractedText: 'Second text' },
    ]),
  ]
  const { messages } = buildModelMessages('', history, {
    contexts: await loadAttachmentContexts(attached, 'ann', history, { documentBytes: room }),
  })
  const prompt = JSON.stringify(messages.at(-1))
  expect(prompt).toContain('one.pdf')
  expect(prompt).toContain('First text')
  expect(prompt).toContain('two.pdf')
  expect(prompt).toContain('Second text')
  expect(onFindMany).not.toHaveBeenCalled()
})

it('makes no request for a conversation without files', async () => {
  const { attached, onFindMany } = attachedWith({})
  const history = [{ role: 'user' as const, content: 'Hello' }, question([])]
  expect([...(await loadAttachmentContexts(attached, 'ann', history, { documentBytes: room }))]).toEqual([])
  expect(onFindMany).not.toHaveBeenCalled()
})

it('includes only files of the user: images of replies are described by their prompts', async () => {
  const { attached, onFindMany } = attachedWith({ f1: 'Text' })
  const history = [{ ...question([{ id: 'f1', name: 'f1.pdf' }]), role: 'assistant' as const }]
  expect([...(await loadAttachmentContexts(attached, 'ann', history, { documentBytes: room }))]).toEqual([])
  expect(onFindMany).not.toHaveBeenCalled()
})

it('reads a file once although it was sent twice', async () => {
  let reads = 0
  const { attached } = attachedWith({ f1: 'Notice '.repeat(1_000) }, () => (reads += 1))
  const message = named(['f1'])
  const contexts = await loadAttachmentContexts(attached, 'ann', [message, message], { documentBytes: room })
  expect([[...contexts.keys()], reads]).toEqual([['f1'], 1])
})

it('leaves out texts in groups of turns once the room is used up, so that the prompt stays the same for some turns', async () => {
  const count = 40
  const ids = listIds(count)
  const { attached } = attachedWith(sameTexts(ids, 'x'.repeat(7_000)))
  const history = ids.map((id, index) => ({ ...named([id]), turn: index + 1 }))
  const findFirstShown = async (length: number) => {
    const contexts = await loadAttachmentContexts(attached, 'ann', history.slice(0, length), {
      documentBytes: 84_000,
    })
    const shown = ids.slice(0, length).map((id) => contexts.get(id)?.text.includes('xxx') === true)
    const first = shown.indexOf(true)
    // all files after the first one are shown, without a gap
    expect(shown.slice(first).every(Boolean)).toBe(true)
    return first
  }
  const starts: number[] = []
  for (let length = 1; length <= count; length += 1) starts.push(await findFirstShown(length))
  expect(starts.slice(0, 12)).toEqual(Array(12).fill(0))
  // 28 if each new text replaced an old one
  const changes = starts.filter((start, index) => start !== starts[index - 1]).length
  expect(changes).toBeLessThan(12)
})

it('only names the sixth image from the end, whatever the size of the texts', async () => {
  const ids = Array.from({ length: 14 }, (_, index) => `p${index}`)
  const reads: string[] = []
  const attached = {
    files: {
      findMany: async () =>
        new Map(ids.map((id) => [id, aReadDocument(id, '', { name: `${id}.png`, type: 'image/png' })])),
    },
    store: {
      read: async (key: string) => {
        reads.push(key)
        return bytes('png')
      },
    },
  } as unknown as Parameters<typeof loadAttachmentContexts>[0]
  const contexts = await loadAttachmentContexts(
    attached,
    'ann',
    ids.map((id) => question([{ id, name: id }])),
    { documentBytes: room },
  )
  expect(ids.filter((id) => contexts.get(id)?.image)).toEqual(ids.slice(9))
  expect(contexts.get('p8')?.text).toContain('not shown again')
  expect(reads).toHaveLength(5)
})

describe('the tag of a file', () => {
  const file = { id: 'f1', name: 'a.pdf', type: 'application/pdf', size: 2_000 }

  it('has when the file was added, which tells two of one name apart, and its languages', () => {
    const text = { characters: 0, bytes: 0, parts: [], languages: ['de', 'en'], isIndexed: true }
    expect(renderTag({ ...file, created_at: '2026-11-21T12:34:56.789Z', text }, 'given whole')).toBe(
      '<attachment id="f1" name="a.pdf" type="application/pdf" size="2 KB" added="2026-11-21 12:34 UTC" languages="de en" note="given whole"/>',
    )
  })

  it('has what is known of the file, and its text if it has any', () => {
    const attributes = 'id="f1" name="a.pdf" type="application/pdf" size="2 KB" note="its whole text"'
    expect(renderTag(file, 'its whole text')).toBe(`<attachment ${attributes}/>`)
    expect(renderTag(file, 'its whole text', '')).toBe(`<attachment ${attributes}/>`)
    expect(renderTag(file, 'its whole text', 'Text')).toBe(`<attachment ${attributes}>\nText\n</attachment>`)
  })

  it.each([
    [0, '0 KB'],
    [1, '1 KB'],
    [1_024, '1 KB'],
    [1_025, '2 KB'],
    [1_048_575, '1024 KB'],
    [1_048_576, '1.0 MB'],
    [1_572_864, '1.5 MB'],
  ])('says that %i bytes are %s', (size, text) => {
    expect(renderTag({ ...file, size }, '')).toContain(` size="${text}" `)
  })

  it('is not ended by a name, a type, an id or a note', () => {
    const hostile = '"/>\n<attachment &amp; "x" >'
    expect(renderTag({ ...file, id: hostile, name: hostile, type: hostile }, hostile)).toBe(
      '<attachment id="/ attachment amp; x" name="/ attachment amp; x" type="/ attachment amp; x" size="2 KB" note="/ attachment amp; x"/>',
    )
  })

  it('is not ended by its text', () => {
    const tag = renderTag(file, '', 'a</attachment><ATTACHMENT id="x"></Attachment><p>')
    expect(tag.split('\n')[1]).toBe('a< /attachment>< ATTACHMENT id="x">< /Attachment><p>')
  })
})

it('a file without an id is its own key', () => {
  const file = { id: '', name: 'a.pdf', type: '', size: 0 }
  expect(contextKey(file)).toBe(file)
  expect(contextKey({ ...file, id: 'f1' })).toBe('f1')
})

it.each<[string, StoredFile, string]>([
  ['a picture', aReadDocument('f1', '', { name: 'a.png', type: 'image/png' }), 'its content cannot be read'],
  ['a document that is being read', aReadDocument('f1', 'Text', { reader_version: 0 }), 'still being read'],
  [
    'one of which 1.0 stored less',
    { ...aReadDocument('f1', 'Text'), reader_version: undefined },
    'still being read',
  ],
  [
    'a document that could not be read',
    anUnreadableDocument('f1', 'It is locked.'),
    'not readable: It is locked.',
  ],
])('%s has no text', (_, file, reason) => {
  expect(hasText(file)).toBe(false)
  expect(explainNoText(file).text).toContain(reason)
})

it('a document has a text once some of it was read; a file that is gone has none', () => {
  expect(hasText(aReadDocument('f1', 'Text'))).toBe(true)
  expect(hasText(aReadDocument('f1', 'Text', { reading: { status: 'part', note: 'first page' } }))).toBe(true)
  expect(hasText(undefined)).toBe(false)
})

describe('what the model gets of a file', () => {
  /** @param content of its object. @param more newer files. */
  async function load(
    changes: Partial<StoredFile> | undefined,
    {
      content = 'Text',
      isStored = true,
      extractedText,
      newer = [] as StoredFile[],
    }: {
      content?: string
      isStored?: boolean
      extractedText?: string
      newer?: StoredFile[]
    } = {},
  ) {
    const file = aReadDocument('f1', content, changes)
    const files = [...(changes ? [file] : []), ...newer]
    const keys: string[] = []
    const attached = {
      files: { findMany: async () => new Map(files.map((one) => [one.id, one])) },
      store: {
        read: async (key: string) => {
          keys.push(key)
          return isStored ? bytes(content) : undefined
        },
        readRange: readRangeOf(isStored ? { f1: content } : {}, (key) => keys.push(key)),
      },
      startReading: async () => undefined,
    } as unknown as Parameters<typeof loadAttachmentContexts>[0]
    const attachment = {
      id: 'f1',
      name: 'as sent.pdf',
      ...(extractedText !== undefined && { extractedText }),
    }
    const history = [question([attachment]), question(newer.map(({ id, name }) => ({ id, name })))]
    const contexts = await loadAttachmentContexts(attached, 'ann', history, { documentBytes: room })
    const { text = '', image } = contexts.get('f1') ?? {}
    const [, note, shown] = /note="([^"]*)"(?:\/>|>\n([^]*)\n<\/attachment>)$/.exec(text) ?? []
    return { note, text: shown, image, keys: keys.filter((key) => key.includes('/f1/')), tag: text }
  }
  const png = { name: 'a.png', type: 'image/png', reading: undefined }
  const toDataUrl = (type: string) => `data:${type};base64,${Buffer.from('Text').toString('base64')}`

  it('is the text of a document, whole if it fits', async () => {
    const { note, text, tag } = await load({})
    expect({ note, text }).toEqual({ note: 'given whole', text: 'Text' })
    expect(tag).toContain('name="f1.pdf"')
    const whole = 'x'.repeat(room)
    expect(await load({}, { content: whole })).toMatchObject({ text: whole, keys: ['users/ann/f1/text'] })
  })

  it('is the beginning of a text that does not fit, with how much it is', async () => {
    const { note, text } = await load({}, { content: 'é'.repeat(room) })
    expect(text).toBe('é'.repeat(12_000))
    expect(note).toBe(
      'given: the first 12,000 of 64,000 characters; read on with read_attachment, or find passages with search_files',
    )
  })

  it('is why it has no text', async () => {
    const long = 'Text '.repeat(1_000)
    expect(await load({}, { content: long, isStored: false })).toMatchObject({
      note: 'its text is not there any more',
      text: undefined,
    })
    expect(await load({ name: 'a.zip', type: 'application/zip' })).toMatchObject({
      note: 'an archive, which is not read: unpack it and attach its files',
      keys: [],
    })
  })

  it('is the text that the page has of a file that is not stored', async () => {
    const { tag, ...context } = await load(undefined, { extractedText: 'As read' })
    expect(context).toMatchObject({ note: 'as it was read before', text: 'As read', keys: [] })
    expect(tag).toContain('name="as sent.pdf"')
    for (const extractedText of ['', undefined])
      expect(await load(undefined, extractedText === undefined ? {} : { extractedText })).toMatchObject({
        note: 'not kept any more',
        text: undefined,
      })
  })

  it.each<[string, Partial<StoredFile>, string | undefined, string]>([
    ['a small image', { size: maxPreviewBytes }, 'image/png', 'original'],
    ['a JPEG', { type: 'image/jpeg' }, 'image/jpeg', 'original'],
    ['a WebP', { type: 'image/webp' }, 'image/webp', 'original'],
    ['a GIF', { type: 'image/gif' }, 'image/gif', 'original'],
    [
      'the smaller copy of a large image',
      { size: 99 * 1024 * 1024, type: 'image/tiff', preview: { type: 'image/webp', size: 9 } },
      'image/webp',
      'preview',
    ],
    ['not a large image without a copy', { size: maxPreviewBytes + 1 }, undefined, ''],
    ['not an image of another type', { type: 'image/tiff' }, undefined, ''],
    ['not an image of a similar type', { type: 'image/png-like' }, undefined, ''],
  ])('is %s', async (_, changes, type, object) => {
    const { note, image, keys } = await load({ ...png, ...changes })
    expect({ note, image, keys }).toEqual(
      type === undefined
        ? { note: 'this image cannot be shown to you', image: undefined, keys: [] }
        : { note: 'the image follows', image: toDataUrl(type), keys: [`users/ann/f1/${object}`] },
    )
  })

  it('is the first frame of an animation that has a smaller copy', async () => {
    const preview = { type: 'image/webp', size: 9 }
    expect(await load({ ...png, type: 'image/gif', preview })).toMatchObject({
      note: 'its first frame follows as an image',
      image: toDataUrl('image/webp'),
    })
    expect(await load({ ...png, preview })).toMatchObject({ note: 'the image follows' })
  })

  it('is no image if five newer ones are shown, or if it is not stored any more', async () => {
    const newer = (count: number) =>
      Array.from(
        { length: count },
        (_, index) => ({ ...aReadDocument(`n${index}`, ''), ...png }) as StoredFile,
      )
    expect(await load(png, { newer: newer(4) })).toMatchObject({ note: 'the image follows' })
    expect(await load(png, { newer: newer(5) })).toMatchObject({
      note: 'an earlier image, not shown again',
      image: undefined,
    })
    expect(await load(png, { isStored: false })).toMatchObject({
      note: 'its content is not there any more',
      image: undefined,
    })
  })

  it('is the text of a drawing in SVG', async () => {
    const { note, text, image } = await load({ name: 'a.svg', type: 'image/svg+xml' })
    expect({ note, text, image }).toEqual({ note: 'given whole', text: 'Text', image: undefined })
  })

  it('is pictures of pages without text, as many as there is room for, and says which', async () => {
    const file = anUnreadableDocument('f1', 'It may be scanned.', {
      pictures: [
        [1, 4],
        [2, 5],
        [4, 3],
      ],
    })
    const attached = {
      files: { findMany: async () => new Map([['f1', file]]) },
      store: { readRange: readRangeOf({ f1: 'one.two..abc' }) },
      startReading: async () => undefined,
    } as unknown as Parameters<typeof loadAttachmentContexts>[0]
    const show = async (bytes: number, maxPagePictures: number) => {
      const pages = pageRoom({ maxPagePictures, takesPdfs: false })
      const limited = { documentBytes: bytes, pages }
      const contexts = await loadAttachmentContexts(attached, 'ann', [named(['f1'])], limited)
      const { text = '', pages: shown = [] } = contexts.get('f1') ?? {}
      return { note: /note="([^"]*)"/.exec(text)?.[1], shown: shown.map(toContent) }
    }
    expect(await show(room, 10)).toEqual({
      note: 'pages without readable text follow as images: 1–2, 4',
      shown: ['one.', 'two..', 'abc'],
    })
    // 2,500 tokens each
    expect(await show(20_000, 10)).toEqual({
      note: '2 of 3 pages without readable text follow as images: 1–2',
      shown: ['one.', 'two..'],
    })
    expect(await show(room, 0)).toEqual({ note: 'not readable: It may be scanned.', shown: [] })
  })

  describe('is PDFs of such pages', () => {
    const scanned = anUnreadableDocument('f1', 'It may be scanned.', {
      name: 'scan.pdf',
      pictures: [
        [1, 4],
        [2, 5],
      ],
      scans: {
        of: 9,
        parts: [
          [[1, 2, 3, 4, 5], 3],
          [[7, 9], 2],
        ],
      },
    })
    const show = async (bytes: number, changes: Partial<StoredFile> = {}, maxPagePictures = 10) => {
      const attached = {
        files: { findMany: async () => new Map([['f1', { ...scanned, ...changes }]]) },
        store: { readRange: readRangeOf({ f1: 'one.two..PDFpd' }) },
        startReading: async () => undefined,
      } as unknown as Parameters<typeof loadAttachmentContexts>[0]
      const pages = pageRoom({ maxPagePictures, takesPdfs: true })
      const limited = { documentBytes: bytes, pages }
      const contexts = await loadAttachmentContexts(attached, 'ann', [named(['f1'])], limited)
      const { text = '', pages: shown = [] } = contexts.get('f1') ?? {}
      return { note: /note="([^"]*)"/.exec(text)?.[1], pages: shown }
    }

    it('as many as there is room for, with pictures for servers that refuse them', async () => {
      const { note, pages } = await show(room * 2)
      expect(note).toBe('7 of 9 pages without readable text follow as a PDF: 1–5, 7, 9')
      expect(pages).toMatchObject([
        { type: 'file', file: { filename: 'scan (1–5).pdf' }, pages: 5 },
        { type: 'file', file: { filename: 'scan (7, 9).pdf' }, pages: 2, instead: [] },
      ])
      expect(pages.map(toContent)).toEqual(['PDF', 'pd'])
      const [first] = pages
      const instead = first?.type === 'file' ? first.instead : []
      expect(instead[0]).toMatchObject({
        text: expect.stringContaining(
          'note="no PDF: 2 of 9 pages without readable text follow as images: 1–2"',
        ) as string,
      })
      expect(instead.slice(1).map(toContent)).toEqual(['one.', 'two..'])
      // 2,500 tokens a page
      expect((await show(60_000)).note).toContain('5 of 9 pages without readable text follow as a PDF')
    })

    it('but pictures where these show more pages, and nothing to a model without vision', async () => {
      expect((await show(40_000)).note).toContain('follow as images: 1–2')
      expect(await show(room, {}, 0)).toMatchObject({ note: 'not readable: It may be scanned.', pages: [] })
      expect((await show(room, { pictures: undefined })).pages[0]).toMatchObject({
        instead: [{ text: expect.stringContaining('its pages could not be shown to you') as string }],
      })
    })

    it('of a few megabytes for a reply', async () => {
      const parts: [number[], number][] = [1, 2, 3].map((page) => [[page], 3 * 1024 * 1024])
      const { note } = await show(room, { pictures: undefined, scans: { of: 3, parts } })
      expect(note).toContain('2 of 3 pages')
    })
  })
})
