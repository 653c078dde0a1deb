import { toReplyParts } from '../../conversations/turns/stored-reply.ts'
import { afterAll, describe, expect, it, vi } from 'vitest'
import type { Attachment } from '#shared/contracts/files.ts'
import {
  buildGenerateInput,
  buildTool,
  emptyProgress,
  listEvents,
} from '../../../test/support/reply-input.ts'
import { openTestTable } from '../../../test/support/table.ts'
import { startTestStore } from '../../../test/support/test-store.ts'
import type { UntrustedFile } from '../../platform/untrusted-file.ts'
import { originalKey } from '../../files/file-links.ts'
import { fileRepository } from '../../files/file-repository.ts'
import type { StartReading } from '../../files/start-reading.ts'
import { openObjectStore } from '../../platform/s3/object-store.ts'
import { ReplyLog } from '../../conversations/store/reply-log.ts'
import type { RichContent, Tool } from '../../tools/calls/tool.ts'
import { generateReply } from '../generate-reply.ts'
import type { Model, ModelMessage } from '../../models/model.ts'
import { loadResultImages, showResultFiles } from './result-files.ts'

const listTexts = (sentences: readonly { text: string }[]) => sentences.map(({ text }) => text)

const bucket = 'uploads'
const storeEmulator = await startTestStore(bucket)
Object.assign(process.env, storeEmulator.variables)
const table = await openTestTable()
afterAll(() => Promise.all([table.close(), storeEmulator.close()]))

const megabyte = 1024 * 1024
const png = (bytes = 20) =>
  Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), Buffer.alloc(bytes - 8)])
const file = (name: string, bytes: Uint8Array, declaredType = ''): UntrustedFile => ({
  name,
  declaredType,
  bytes,
})
const charts = { name: 'Charts' }

function open({ isSaved = true, storageGb = 1 } = {}) {
  const sub = crypto.randomUUID()
  const startReading = vi.fn<StartReading>(async () => undefined)
  const fileDeps = { files: fileRepository(table, storageGb), store: openObjectStore(bucket), startReading }
  const sessionId = isSaved ? 's1' : undefined
  const progress = emptyProgress()
  const events = new ReplyLog()
  const readEvents = () => listEvents(events)
  return {
    sub,
    fileDeps,
    progress,
    events,
    show: showResultFiles(fileDeps, { sub, sessionId, progress, events }),
    readEvents,
    shownFiles: () =>
      readEvents().flatMap((event): Attachment[] => (event.type === 'data-attachment' ? [event.data] : [])),
  }
}

describe('DEC-183 files that a tool returns', () => {
  it('are stored among the user’s files, and belong to the conversation', async () => {
    const { sub, fileDeps, show, readEvents, shownFiles } = open()
    const bytes = png()
    const { notes, images } = await show(
      [file('chart.png', bytes, 'image/png'), file('a.csv', Buffer.from('a,b'), 'text/csv')],
      charts,
    )
    expect(notes).toEqual([])
    const [chart, csv] = shownFiles()
    expect(fileDeps.startReading.mock.calls).toEqual([[sub, [csv?.id]]])
    expect(chart).toMatchObject({ name: 'chart.png', type: 'image/png', size: 20, integration: 'Charts' })
    expect(csv).toMatchObject({ name: 'a.csv', type: 'text/csv', integration: 'Charts' })
    expect(shownFiles()).toHaveLength(2)
    expect(readEvents()[0]).toEqual({ type: 'file', url: chart?.url, mediaType: 'image/png' })
    expect(Buffer.from((await fileDeps.store.read(originalKey(sub, chart?.id ?? ''))) ?? [])).toEqual(bytes)
    const rows = await fileDeps.files.listAll(sub)
    expect(rows.map(({ state, used_in }) => [state, ...(used_in ?? [])])).toEqual([
      ['ready', 's1'],
      ['ready', 's1'],
    ])
    expect(images).toEqual([{ fileId: chart?.id, url: `data:image/png;base64,${bytes.toString('base64')}` }])
    // the browser may show only images: everything else is downloaded
    const link = await fetch(csv?.url ?? '')
    expect(link.headers.get('content-disposition')).toMatch(/^attachment/)
    expect(link.headers.get('content-type')).toBe('application/octet-stream')
  })

  it('are read by their ids, in a temporary chat for a day, unless the result has their text', async () => {
    // of plain characters, and of a wrong type
    const pdf = file('q3.pdf', Buffer.from('%PDF-1.4 plain'), 'text/plain')
    const csv = file('a.csv', Buffer.from('a,b'), 'text/csv')
    const mail = file('a.eml', Buffer.from('Subject: a\n\nb'), 'message/rfc822')
    for (const isSaved of [true, false]) {
      const { sub, fileDeps, show, shownFiles } = open({ isSaved })
      const { documents = [] } = await show([pdf, mail, csv], charts)
      expect(documents.map(({ id }) => id)).toEqual(
        shownFiles()
          .map(({ id }) => id)
          .slice(0, isSaved ? 3 : 2),
      )
      expect(documents[0]).toMatchObject({ name: 'q3.pdf', type: 'application/pdf' })
      const rows = await fileDeps.files.listAll(sub)
      expect(rows.map(({ expires_at }) => expires_at !== undefined)).toEqual(
        isSaved ? [false, false, false] : [true, true],
      )
    }
  })

  it.each<[string, UntrustedFile, string, string]>([
    [
      'SVG with a script',
      file('a.svg', Buffer.from('<svg><script>alert(1)</script></svg>'), 'image/svg+xml'),
      'a.svg',
      'text/plain',
    ],
    [
      'HTML as an image',
      file('a.png', Buffer.from('<html><script>alert(1)</script>'), 'image/png'),
      'a.png.txt',
      'text/plain',
    ],
    [
      'a polyglot of image and script',
      file('a.js', Buffer.from('GIF89a=1;alert(1)'), 'text/javascript'),
      'a.js.gif',
      'image/gif',
    ],
  ])('have the type of their bytes: %s', async (_, hostileFile, name, type) => {
    for (const isSaved of [true, false]) {
      const { show, shownFiles } = open({ isSaved })
      const { notes } = await show([hostileFile], charts)
      expect(notes).toEqual([])
      const [attachment] = shownFiles()
      expect(attachment).toMatchObject({ name, type })
      const inlineType = type === 'text/plain' ? 'application/octet-stream' : type
      const urlStart = isSaved ? 'http' : `data:${inlineType};base64,`
      expect(attachment?.url?.slice(0, urlStart.length)).toBe(urlStart)
    }
  })

  it('that are too large, empty or programs are left out, with a note', async () => {
    const { sub, fileDeps, show, readEvents } = open()
    const { notes, images } = await show(
      [
        file('large.png', png(5 * megabyte + 1)),
        file('none.txt', Buffer.alloc(0)),
        file('run.png', Buffer.from('MZ\x00'), 'image/png'),
      ],
      charts,
    )
    expect(listTexts(notes)).toEqual([
      'large.png was left out: it has more than 5 MB.',
      'none.txt was left out: it is empty.',
      'A file was left out: it is a program.',
    ])
    expect([images, readEvents(), await fileDeps.files.listAll(sub)]).toEqual([[], [], []])
  })

  it('of earlier calls of the reply count as images that the model has seen', async () => {
    const { sub, fileDeps, progress, events } = open()
    const image = { fileId: 'f', url: 'data:,' }
    progress.roundMessages.push(
      { role: 'assistant', content: null },
      { role: 'tool', tool_call_id: '1', content: '', images: [image, image, image, image] },
      { role: 'tool', tool_call_id: '2', content: '' },
    )
    const show = showResultFiles(fileDeps, { sub, sessionId: 's1', progress, events })
    const { images, notes } = await show([file('5.png', png()), file('6.png', png())], charts)
    expect(images).toHaveLength(1)
    expect(listTexts(notes)).toEqual(['6.png is shown to the user only.'])
  })

  it('are limited to ten per result and thirty per reply; models see five images', async () => {
    const { show, shownFiles } = open()
    const elevenImages = Array.from({ length: 11 }, (_, index) => file(`${index}.png`, png()))
    const first = await show(elevenImages, charts)
    expect(first.images).toHaveLength(5)
    expect(listTexts(first.notes)).toEqual([
      ...['5', '6', '7', '8', '9'].map((name) => `${name}.png is shown to the user only.`),
      '1 more file was left out: 10 of a result are shown.',
    ])
    const texts = Array.from({ length: 10 }, () => file('a.txt', Buffer.from('x')))
    await show(texts, charts)
    await show(texts, charts)
    expect(listTexts((await show(texts.slice(0, 1), charts)).notes)).toEqual([
      'a.txt was left out: this reply has 30 files already.',
    ])
    expect(shownFiles()).toHaveLength(30)
  })

  it('are left out when the user’s storage is full', async () => {
    const { show, shownFiles } = open({ storageGb: 1 / 1024 ** 3 })
    const { notes } = await show([file('a.png', png())], charts)
    expect(listTexts(notes)).toEqual([
      expect.stringMatching(/^a\.png was left out\. Your files, and the texts/),
    ])
    expect(shownFiles()).toEqual([])
  })

  it('of a temporary chat are only in the events, with a limited size', async () => {
    const { sub, fileDeps, show, readEvents, shownFiles } = open({ isSaved: false })
    const bytes = png(megabyte)
    const { notes, images } = await show([file('a.png', bytes), file('b.png', png(megabyte + 1))], charts)
    expect(listTexts(notes)).toEqual([
      'b.png was left out: it has more than 1 MB, the most in a temporary chat.',
    ])
    const url = `data:image/png;base64,${bytes.toString('base64')}`
    expect(images).toEqual([{ url }])
    expect(shownFiles()).toMatchObject([{ name: 'a.png', integration: 'Charts', url }])
    expect(readEvents()).toHaveLength(1)
    for (let more = 0; more < 3; more += 1) await show([file('a.png', bytes)], charts)
    expect(listTexts((await show([file('a.png', png())], charts)).notes)).toEqual([
      'a.png was left out: this reply has 4 MB of files, the most in a temporary chat.',
    ])
    expect(await fileDeps.files.listAll(sub)).toEqual([])
  })

  it('are loaded again for a resumed reply, except those deleted meanwhile', async () => {
    const { sub, fileDeps, show, shownFiles } = open()
    const { images } = await show([file('a.png', png()), file('b.png', png())], charts)
    const [first, second] = shownFiles()
    await fileDeps.files.remove(sub, [second?.id ?? ''])
    const rounds: ModelMessage[] = [
      {
        role: 'tool',
        tool_call_id: '1',
        content: '',
        images: [{ fileId: first?.id ?? '' }, { fileId: second?.id ?? '' }],
      },
    ]
    await loadResultImages(fileDeps, sub, rounds)
    expect(rounds[0]).toMatchObject({ images: [images[0]] })
  })
})

describe('a file of a tool', () => {
  it.each([
    [5 * megabyte, true],
    [5 * megabyte + 1, false],
  ])('of %i bytes is stored: %s', async (bytes, isStored) => {
    const { show, shownFiles } = open()
    await show([file('a.txt', Buffer.alloc(bytes, 'a'))], charts)
    expect(shownFiles()).toHaveLength(isStored ? 1 : 0)
  })

  it.each([
    [4 * megabyte, 1, []],
    [4 * megabyte + 1, 0, ['a.png is shown to the user only.']],
  ])(
    'that is an image of %i bytes is shown to the model, too, if it is small enough',
    async (bytes, count, notes) => {
      const { show, shownFiles } = open()
      const saved = await show([file('a.png', png(bytes))], charts)
      expect([saved.images.length, listTexts(saved.notes), shownFiles().length]).toMatchObject([
        count,
        notes,
        1,
      ])
    },
  )

  it.each([
    ['a.wav', Buffer.from('RIFF\x24\0\0\0WAVEfmt ', 'latin1'), 'audio/'],
    ['a.png', png(), 'image/png'],
    ['a.txt', Buffer.from('text'), 'application/octet-stream'],
    ['a.pdf', Buffer.from('%PDF-1.7\n'), 'application/octet-stream'],
  ])('of a temporary chat opens only if it is an image or a sound: %s', async (name, bytes, type) => {
    const { show, shownFiles } = open({ isSaved: false })
    await show([file(name, bytes)], undefined)
    const [attachment] = shownFiles()
    expect(attachment?.url?.startsWith(`data:${type}`)).toBe(true)
    expect(attachment?.size).toBe(bytes.length)
    expect(attachment).not.toHaveProperty('integration')
  })

  it('counts with those that the reply has already', async () => {
    const { sub, fileDeps, progress, events } = open()
    for (let index = 0; index < 29; index += 1)
      events.push({
        type: 'data-attachment',
        data: { id: `f${index}`, name: 'a', type: 'text/plain', size: 1 },
      })
    const show = showResultFiles(fileDeps, { sub, sessionId: undefined, progress, events })
    const text = file('a.txt', Buffer.from('text'))
    expect(await show([text, text], charts)).toMatchObject({
      notes: [{ text: 'a.txt was left out: this reply has 30 files already.' }],
      images: [],
    })
  })

  it('is one of ten of a result', async () => {
    const { show } = open({ isSaved: false })
    const texts = (count: number) => Array.from({ length: count }, () => file('a.txt', Buffer.from('x')))
    expect(listTexts((await show(texts(10), charts)).notes)).toEqual([])
    expect(listTexts((await show(texts(12), charts)).notes)).toMatchObject([
      '2 more files were left out: 10 of a result are shown.',
    ])
  })

  it('that cannot be stored is left out, and nothing of it stays', async () => {
    const { sub, fileDeps, progress, events } = open()
    const markReady = vi.spyOn(fileDeps.files, 'markReady').mockRejectedValue(new Error('the table is down'))
    vi.spyOn(process.stdout, 'write').mockReturnValue(true)
    const show = showResultFiles(fileDeps, { sub, sessionId: 's1', progress, events })
    expect(await show([file('a.png', png())], charts)).toMatchObject({
      notes: [{ text: 'a.png was left out. It could not be stored.' }],
      images: [],
    })
    const id = markReady.mock.calls[0]?.[1].id ?? ''
    expect(await fileDeps.files.listAll(sub)).toEqual([])
    expect(await fileDeps.store.read(originalKey(sub, id))).toBeUndefined()
    expect(events.position).toBe(0)
  })
})

it('images of results are loaded again only if they are not there and still stored', async () => {
  const rows: Record<string, object> = {
    here: { id: 'here', type: 'image/png', state: 'ready' },
    unfinished: { id: 'unfinished', type: 'image/png', state: 'incoming' },
    empty: { id: 'empty', type: 'image/png', state: 'ready' },
  }
  const keys: string[] = []
  const fileDeps = {
    files: {
      find: async (_sub: string, id: string) => {
        const row = rows[id]
        if (!row) throw new Error('no such file')
        return row
      },
    },
    store: {
      read: async (key: string) => {
        keys.push(key)
        return key.includes('here') ? Buffer.from('png') : undefined
      },
    },
  } as unknown as Parameters<typeof loadResultImages>[0]
  const images = [
    { url: 'data:,1', fileId: 'here' },
    { url: 'data:,2' },
    {},
    ...['here', 'unfinished', 'empty', 'gone'].map((fileId) => ({ fileId })),
  ]
  const messages: ModelMessage[] = [
    { role: 'assistant', content: 'x' },
    { role: 'tool', tool_call_id: '1', content: 'x' },
    { role: 'tool', tool_call_id: '2', content: 'y', images },
  ]
  await loadResultImages(fileDeps, 'ann', messages)
  expect(messages).toStrictEqual([
    { role: 'assistant', content: 'x' },
    { role: 'tool', tool_call_id: '1', content: 'x' },
    {
      role: 'tool',
      tool_call_id: '2',
      content: 'y',
      images: [
        { url: 'data:,1', fileId: 'here' },
        { url: 'data:,2' },
        {},
        { fileId: 'here', url: `data:image/png;base64,${Buffer.from('png').toString('base64')}` },
      ],
    },
  ])
  expect(keys).toEqual(['users/ann/here/original', 'users/ann/empty/original'])
})

describe('a call with files and links', () => {
  const links = [{ url: 'https://charts.example/1', title: 'The chart' }]

  async function callDraw(result: RichContent, changes: Partial<Tool> = {}) {
    const data = { total: 3 }
    const requests: ModelMessage[][] = []
    const model: Model = {
      async complete({ messages, onText }) {
        onText('Done.')
        requests.push([...messages])
        const toolCalls = requests.length === 1 ? [{ id: '1', name: 'draw', arguments: '{}' }] : []
        return { text: 'Done.', toolCalls, truncated: false, inputTokens: 1, outputTokens: 1 }
      },
    }
    const draw = buildTool({
      name: 'draw',
      integration: { mcpId: 'm', name: 'Charts' },
      ...changes,
      async run(_input, _signal, _continuation, rich) {
        rich?.files.push(...result.files)
        rich?.links.push(...result.links)
        return data
      },
    })
    const reply = open()
    const { progress, events, show } = reply
    await generateReply(buildGenerateInput(model, { tools: [draw], progress, events, showFiles: show }))
    return { ...reply, toolMessage: requests[1]?.findLast(({ role }) => role === 'tool') }
  }

  it('gives the model the image, and the user the file, the link and the notes', async () => {
    const { events, shownFiles, readEvents, toolMessage } = await callDraw({
      files: [file('a.png', png()), file('b.txt', Buffer.alloc(0))],
      links,
    })
    const notes = ['b.txt was left out: it is empty.']
    expect(toolMessage).toEqual({
      role: 'tool',
      tool_call_id: '1',
      content: `{"total":3}\n${notes[0]}`,
      images: [{ fileId: shownFiles()[0]?.id, url: expect.stringMatching(/^data:image\/png/) as string }],
    })
    expect(toReplyParts(events.reply).toolCalls[0]?.result).toMatchObject({
      success: true,
      data: { total: 3 },
      links,
      notes,
      noteCodes: [{ code: 'file_left_out', params: { reason: 'empty', name: 'b.txt' } }],
    })
    const types = readEvents().map(({ type }) => type)
    expect(types.slice(types.indexOf('file'), types.indexOf('tool-output-available') + 1)).toEqual([
      'file',
      'data-attachment',
      'data-result-extras',
      'tool-output-available',
    ])
  })

  it('DEC-185 names the connection whose app shows it, if its tool has one', async () => {
    const { events, readEvents } = await callDraw({ files: [], links: [] }, { appUri: 'ui://charts/app' })
    const app = { mcp_id: 'm' }
    expect(toReplyParts(events.reply).toolCalls[0]?.result).toEqual({
      success: true,
      data: { total: 3 },
      app,
    })
    expect(readEvents()).toContainEqual({
      type: 'data-result-extras',
      data: { toolCallId: '1', app },
    })
  })

  it('is recorded like any other if it has neither', async () => {
    const { events, readEvents, toolMessage } = await callDraw({ files: [], links: [] })
    expect(toolMessage).toEqual({ role: 'tool', tool_call_id: '1', content: '{"total":3}' })
    expect(toReplyParts(events.reply).toolCalls[0]?.result).toEqual({ success: true, data: { total: 3 } })
    expect(readEvents().map(({ type }) => type)).not.toContain('data-result-extras')
  })
})

it('an image that the model makes itself is stored and shown, one with an address is a source', async () => {
  const { progress, events, show, shownFiles, readEvents } = open()
  const model: Model = {
    async complete({ onText, onImage }) {
      onText('Here.')
      onImage?.(`data:image/png;base64,${png().toString('base64')}`)
      onImage?.('https://example.org/a.png')
      return { text: 'Here.', toolCalls: [], truncated: false, inputTokens: 1, outputTokens: 1 }
    },
  }
  await generateReply(buildGenerateInput(model, { progress, events, showFiles: show }))
  expect(shownFiles()).toMatchObject([{ name: 'image.png', type: 'image/png' }])
  expect(readEvents().filter(({ type }) => type === 'source-url')).toMatchObject([
    { url: 'https://example.org/a.png' },
  ])
})
