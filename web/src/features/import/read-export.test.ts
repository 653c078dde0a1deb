import { strToU8, zipSync, type Zippable } from 'fflate'
import { describe, expect, it } from 'vitest'
import { maxImportedForks, maxMessageCharacters } from '#shared/limits.ts'
import {
  chatGpt2023,
  chatGpt2024,
  chatGpt2026,
  chatGptWithoutMapping,
  claude2023,
  claude2026,
  claudeOther,
  isoAt,
} from '../../../../test/support/export-samples.ts'
import type { BuiltConversation } from './build-conversation.ts'
import type { ChosenFile } from './chosen-files.ts'
import type { LeftOut } from './left-out.ts'
import { toLanguage } from './code-languages.ts'
import { NoConversationsError, openExport } from './read-export.ts'
import { limitCpuTimeAsync } from '../../../../test/support/fuzz.ts'

// jsdom's Blob has no stream
const { Blob: NodeBlob } = process.getBuiltinModule('node:buffer')
const toFile = (content: string | Uint8Array, path = 'conversations.json'): ChosenFile => ({
  file: new NodeBlob([content]) as unknown as File,
  path,
})
const archive = (files: Zippable) => toFile(zipSync(files))
const json = (...conversations: unknown[]) => JSON.stringify(conversations)

/** The count of each kind, or the names behind it. */
const summarize = (leftOut: LeftOut) =>
  Object.fromEntries(
    Object.entries(leftOut).map(([kind, { count, names }]) => [
      kind,
      names.length > 0 ? `${count}: ${names.join(', ')}` : count,
    ]),
  )
async function readAll(...files: ChosenFile[]) {
  const reader = await openExport(files)
  const read: BuiltConversation[] = []
  const sources: string[] = []
  for await (const { source, conversation } of reader.conversations) {
    read.push(conversation)
    sources.push(source)
  }
  return { reader, conversations: read, sources, leftOut: summarize(reader.getLeftOut()) }
}
async function readOne(conversation: unknown) {
  const { conversations, leftOut } = await readAll(toFile(json(conversation)))
  return { conversation: conversations[0], leftOut }
}
/** `turn role: content`, a message a line. */
const transcribe = ({ messages = [] }: Partial<BuiltConversation> = {}) =>
  messages.map(({ turn, role, content }) => `${turn} ${role}: ${content}`)

const message = (role: string, words: string) => ({
  author: { role },
  content: { content_type: 'text', parts: [words] },
})

describe('an export of ChatGPT', () => {
  it('of 2023 has edited questions and regenerated replies as versions, and shows the current branch', async () => {
    const { conversation, leftOut } = await readOne(chatGpt2023)
    expect(conversation).toMatchObject({
      source_id: 'aaaaaaaa-0000-4000-8000-000000000001',
      title: 'Boiling eggs',
      created_at: isoAt(0),
      updated_at: isoAt(30),
      turns: 4,
      forks: [
        { turn: 2, version_of: 1 },
        { turn: 4, version_of: 1 },
      ],
      head: 3,
      message_count: 4,
    })
    expect(transcribe(conversation)).toEqual([
      '1 user: How long do eggs take?',
      '1 assistant: Six minutes.',
      '2 user: How long do eggs take?',
      '2 assistant: About **seven** minutes.',
      '3 user: And hard ones?',
      '3 assistant: Ten.',
      '4 user: How long does an ostrich egg take?',
      '4 assistant: Two hours.',
    ])
    expect(conversation?.messages[0]?.created_at).toBe(isoAt(1))
    expect(leftOut).toEqual({})
  })

  it('of 2024 has pictures of the user and of tools, and names what is left out', async () => {
    const { reader, conversations, leftOut } = await readAll(
      archive({
        'conversations.json': strToU8(json(chatGpt2024)),
        'file-UserPicture1-dog.png': strToU8('dog'),
        'dalle-generations/file-Generated1-12345678.webp': strToU8('cat'),
        'chat.html': strToU8('<script>'),
        'user.json': strToU8('{}'),
      }),
    )
    const [conversation] = conversations
    expect(conversation).toMatchObject({
      title: 'Draw this as a cat, <b>please</b>',
      archived: true,
      turns: 2,
    })
    expect(transcribe(conversation)).toEqual([
      '1 user: Draw this as a cat, <b>please</b>',
      '1 assistant: Here is your cat.',
      '2 user: What is six times seven?',
      '2 assistant: It is 42.',
    ])
    const [question, drawing] = conversation?.messages ?? []
    expect(question?.files).toEqual([{ id: 'file-UserPicture1', name: 'dog.png' }])
    expect(drawing?.files).toEqual([{ id: 'file-Generated1', name: '' }])
    expect(leftOut).toEqual({ accountData: '1: user.json', codeRuns: 1, recordings: 1 })
    const dog = await reader.readFile('file-UserPicture1', 'dog.png')
    expect([dog?.name, await dog?.blob.text()]).toEqual(['dog.png', 'dog'])
    expect((await reader.readFile('file-Generated1', ''))?.name).toBe('file-Generated1-12345678.webp')
    expect(await reader.readFile('file-Nothing', '')).toBeUndefined()
  })

  it('of 2026 has no hidden context, no marks of citations, and its canvas as a document', async () => {
    const { conversation, leftOut } = await readOne(chatGpt2026)
    expect(conversation?.title).toBe('Rome in spring')
    expect(transcribe(conversation)).toEqual([
      '1 user: Where is this?',
      '1 assistant: In Rome, at the Forum.\n\n**Plan**\n\n````markdown\n# Day 1\n```\nwalk\n```\n````',
    ])
    expect(conversation?.messages[0]?.files).toEqual([
      { id: 'file-Lost1', name: 'lost.pdf' },
      { id: 'file_00000000abcd', name: '' },
    ])
    expect(JSON.stringify(conversation)).not.toContain('CANARY')
    expect(conversation?.messages[1]?.reasoning).toEqual({ text: '**Looks**\n\nRoman', durationMs: 0 })
    expect(leftOut).toEqual({ citations: 1, parts: '1: hologram_v9' })
  })

  it.each([
    ['entity\ue202["city","Rome","of Italy"]', 'Rome'],
    ['entity\ue202Rome', 'Rome'],
    ['url\ue202its site\ue202https://example.com/a', '[its site](https://example.com/a)'],
    ['url\ue202its site\ue202javascript:a', 'its site'],
    ['cite\ue202turn0search0\ue202turn1search2', ''],
    ['', ''],
  ])('has the words of %j', async (mark, words) => {
    const { conversation } = await readOne({
      id: 'marks',
      mapping: { a: { message: message('assistant', `In \ue200${mark}\ue201.`) } },
    })
    expect(conversation?.messages[0]?.content).toBe(`In ${words}.`)
  })

  it.each([
    ['their names in a list', '{"file-Generated1.dat":"dalle-generations/cat.webp","other":7}', 'cat.webp'],
    ['a list that is damaged', '{"file-', 'file-Generated1'],
  ])('since May 2026 has files without types, with %s', async (_, names, name) => {
    const { reader, leftOut } = await readAll(
      archive({
        'conversations-000.json': strToU8(json(chatGpt2024)),
        'conversation_asset_file_names.json': strToU8(names),
        'file-UserPicture1.dat': strToU8('dog'),
        'file-Generated1.dat': strToU8('cat'),
      }),
    )
    expect((await reader.readFile('file-UserPicture1', 'dog.png'))?.name).toBe('dog.png')
    expect((await reader.readFile('file-Generated1', ''))?.name).toBe(name)
    expect(leftOut).not.toHaveProperty('otherFiles')
  })

  it('of several files, or in an archive within an archive, is read whole', async () => {
    const split = {
      'a/conversations-000.json': strToU8(json(chatGpt2023)),
      'a/conversations-001.json': strToU8(json(chatGpt2026)),
    }
    expect((await readAll(archive(split))).conversations).toHaveLength(2)
    const nested = { 'Conversations__1-chatgpt-1.zip': zipSync(split), 'report.html': strToU8('') }
    expect((await readAll(archive(nested))).conversations).toHaveLength(2)
    const wrapped = toFile(JSON.stringify({ conversations: [chatGpt2023, chatGpt2024] }))
    expect((await readAll(wrapped)).conversations).toHaveLength(2)
  })

  it('shows the branch of its current message, also if that one is hidden', async () => {
    const node = (id: string, parent: string | null, one: object, seconds: number) => [
      id,
      { id, parent, message: { ...one, create_time: 1_700_000_000 + seconds } },
    ]
    const { conversation } = await readOne({
      id: 'hidden',
      mapping: Object.fromEntries([
        node('q', null, message('user', 'Hi'), 1),
        node('a', 'q', message('assistant', 'One'), 2),
        node('hidden', 'a', message('system', 'Context'), 3),
        node('b', 'q', message('assistant', 'Two'), 4),
      ]),
      current_node: 'hidden',
    })
    expect(transcribe(conversation)).toEqual([
      '1 user: Hi',
      '1 assistant: One',
      '2 user: Hi',
      '2 assistant: Two',
    ])
    expect(conversation?.head).toBe(1)
  })

  it('names no empty output of a tool, which goes with its call', async () => {
    const output = { author: { role: 'tool' }, content: { content_type: 'execution_output', text: '' } }
    const { leftOut } = await readOne({
      id: 'output',
      mapping: {
        q: { message: message('user', 'Hi') },
        call: { parent: 'q', message: { ...message('assistant', 'x = 1'), recipient: 'python' } },
        output: { parent: 'call', message: output },
      },
    })
    expect(leftOut).toEqual({ codeRuns: 1 })
  })

  it('has the beginning as its title if that is blank', async () => {
    const { conversation } = await readOne({ ...chatGpt2023, title: ' \n' })
    expect(conversation?.title).toBe('How long do eggs take?')
  })

  it.each([200, 201])('a change of a canvas at %i places is made at all of them or not', async (count) => {
    const call = (name: string, fields: object) => ({
      ...message('assistant', JSON.stringify(fields)),
      recipient: `canmore.${name}`,
    })
    const { conversation, leftOut } = await readOne({
      id: 'canvas',
      mapping: {
        a: {
          message: call('create_textdoc', { name: 'L', type: 'document', content: 'a-b '.repeat(count) }),
        },
        b: {
          parent: 'a',
          message: call('update_textdoc', {
            updates: [{ pattern: 'a.*?b', multiple: true, replacement: 'c' }],
          }),
        },
      },
    })
    const replaced = conversation?.messages[0]?.content.match(/c /g)?.length ?? 0
    expect([replaced, leftOut]).toEqual(count === 200 ? [200, {}] : [0, { documentChanges: 1 }])
  })

  it('without the current message shows the newest one', async () => {
    const { conversation } = await readOne({ ...chatGpt2023, current_node: 'gone' })
    expect(conversation).toMatchObject({ turns: 4, message_count: 2 })
    expect(conversation).not.toHaveProperty('head')
  })
})

describe('an export of Claude', () => {
  it('of 2023 has texts, and what was read of attachments', async () => {
    const { conversation, leftOut } = await readOne(claude2023)
    expect(conversation).toMatchObject({
      title: 'Notes on tea',
      created_at: isoAt(0),
      updated_at: isoAt(9),
      turns: 1,
    })
    expect(transcribe(conversation)).toEqual([
      '1 user: Summarise this.\n\n**tea.txt**\n\n````\nGreen tea: 80 °C ```\n````',
      '1 assistant: Not too hot.',
    ])
    expect(conversation?.messages[0]?.files).toEqual([])
    expect(leftOut).toEqual({})
  })

  it('of 2026 has branches, artifacts and names of files', async () => {
    const { conversation, leftOut } = await readOne(claude2026)
    expect(conversation).toMatchObject({
      title: 'Draw a circle',
      turns: 2,
      forks: [{ turn: 2, version_of: 1 }],
    })
    expect(transcribe(conversation)).toEqual([
      '1 user: Draw a circle',
      '1 assistant: Here it is.\n\n**Circle**\n\n```svg\n<svg/>\n```',
      '2 user: Draw a square',
      '2 assistant: A square.',
    ])
    expect(conversation?.messages[0]?.files).toEqual([
      { id: 'dddddddd-0000-4000-8000-000000000001', name: 'sketch.png' },
    ])
    expect(conversation?.messages[1]?.reasoning?.text).toBe('A thought.')
    expect(JSON.stringify(conversation)).not.toContain('CANARY')
    expect(leftOut).toEqual({ webSearches: 1, recordings: 1, parts: '1: hologram' })
  })

  it('of another writer is read, too', async () => {
    expect(transcribe((await readOne(claudeOther)).conversation)).toEqual([
      '1 user: Hello',
      '1 assistant: Hi!',
    ])
  })

  it('has files and documents apart that it does not name', async () => {
    const attachment = (letter: string) => [{ extracted_content: letter.repeat(20_001) }]
    const page = (content: string) => ({
      type: 'tool_use',
      name: 'notes',
      input: { title: 'Page', content },
    })
    const tag = (words: string) => `<antArtifact type="text/markdown">${words}</antArtifact>`
    const { conversation } = await readOne({
      uuid: 'c1',
      chat_messages: [
        { sender: 'human', text: 'One', attachments: attachment('a') },
        { sender: 'assistant', content: [page('First'), page('Second')] },
        { sender: 'human', text: 'Two', attachments: attachment('b') },
        { sender: 'assistant', text: `${tag('Third')}${tag('Fourth')}` },
      ],
    })
    const files = conversation?.messages.flatMap((one) => one.files) ?? []
    expect(new Set(files.map(({ id }) => id)).size).toBe(2)
    const replies = conversation?.messages.map(({ content }) => content).join('\n') ?? ''
    for (const words of ['First', 'Second', 'Third', 'Fourth']) expect(replies).toContain(words)
  })

  it('has long texts of attachments as files', async () => {
    const [message] = claude2023.chat_messages
    const attachments = [{ file_name: 'big.html', extracted_content: 'x'.repeat(30_000) }]
    const { conversation } = await readOne({
      ...claude2023,
      chat_messages: [{ ...message, attachments, files: [] }],
    })
    expect(conversation?.messages[0]).toMatchObject({
      content: 'Summarise this.',
      files: [{ name: 'big.html.txt', text: 'x'.repeat(30_000) }],
    })
  })
})

describe('a hostile or damaged export', () => {
  it('loses nothing but its bad conversations', async () => {
    const { conversations, leftOut } = await readAll(
      toFile(`[${JSON.stringify(chatGpt2023)}, {"mapping": {"a": tru}}, null, 7, ${JSON.stringify(chatGptWithoutMapping)},
        {"id":"e","mapping":{}}, {"mapping":{"a":{"message":{"author":{"role":"user"},"content":{"parts":["no id"]}}}}},
        ${JSON.stringify(claude2023)}`),
    )
    expect(conversations.map(({ title }) => title)).toEqual(['Boiling eggs', 'Notes on tea'])
    expect(leftOut).toEqual({ unreadableConversations: 6, emptyConversations: 1 })
  })

  const values: unknown[] = [null, 1, -1e308, '', 'x', true, [], [[]], {}, { parts: 1 }, { toString: 1 }]
  it.each(values.map((value) => [JSON.stringify(value), value]))(
    'survives %s in every field',
    async (_, value) => {
      const replaceEach = (from: unknown): unknown[] =>
        typeof from !== 'object' || from === null
          ? [value]
          : Object.entries(from).flatMap(([name, field]) =>
              [value, ...replaceEach(field)].map((changed) =>
                Array.isArray(from) ? from.with(Number(name), changed) : { ...from, [name]: changed },
              ),
            )
      const all = [chatGpt2023, chatGpt2024, chatGpt2026, claude2023, claude2026].flatMap(replaceEach)
      const { conversations } = await readAll(toFile(json(...all)))
      expect(conversations.length).toBeGreaterThan(0)
      for (const { title, created_at, messages } of conversations) {
        expect(title).not.toBe('')
        expect(Date.parse(created_at)).not.toBeNaN()
        expect(messages.every(({ content, turn }) => typeof content === 'string' && turn > 0)).toBe(true)
      }
    },
  )

  it('ends where messages are their own parents', async () => {
    const { conversation, leftOut } = await readOne({
      id: 'cycle',
      mapping: {
        a: { parent: 'b', children: ['b'], message: message('user', 'lost') },
        b: { parent: 'a', children: ['a'], message: message('assistant', 'lost') },
        c: { parent: 'c', children: ['c'], message: message('user', 'lost') },
        d: { parent: null, children: ['a', 'd', '__proto__'], message: message('user', 'found') },
      },
    })
    expect(transcribe(conversation)).toEqual(['1 user: found'])
    expect(leftOut).toEqual({ messages: 3 })
  })

  it('has names of prototypes as any other', async () => {
    const { conversation } = await readOne(
      JSON.parse(
        `{"id":"constructor","mapping":{"__proto__":{"parent":null,"message":${JSON.stringify(message('user', 'Hi'))}},
          "toString":{"parent":"__proto__","message":${JSON.stringify(message('assistant', 'Hello'))}}}}`,
      ),
    )
    expect(transcribe(conversation)).toEqual(['1 user: Hi', '1 assistant: Hello'])
    expect(toLanguage('constructor')).toBe('constructor')
  })

  it.each([
    [
      'Claude',
      {
        uuid: 'c1',
        chat_messages: [
          { uuid: 'm1', sender: 'human', text: 'Hi' },
          {
            uuid: 'm2',
            sender: 'assistant',
            content: [
              { type: 'tool_use', name: 'toString', input: {} },
              { type: 'text', text: 'Hello' },
            ],
          },
        ],
      },
    ],
    [
      'LibreChat',
      {
        conversationId: 'c1',
        messages: [
          { messageId: 'm1', isCreatedByUser: true, text: 'Hi' },
          {
            messageId: 'm2',
            parentMessageId: 'm1',
            isCreatedByUser: false,
            content: [
              { type: 'tool_call', tool_call: { name: 'toString' } },
              { type: 'text', text: 'Hello' },
            ],
          },
        ],
      },
    ],
  ])('of %s names a call with the name of a prototype as any other', async (_, value) => {
    const { leftOut } = await readOne(value)
    expect(leftOut).toEqual({ toolCalls: '1: toString' })
  })

  // from a report about another product: nowledge-co/community#261
  it('whose links are missing goes on where it did: what lacks its parent follows what was before it', async () => {
    const said = (id: string, parent: string | null, minute: number, role: string) => [
      id,
      { parent, message: { ...message(role, id), create_time: 1_700_000_000 + minute * 60 } },
    ]
    const { conversation, leftOut } = await readOne({
      id: 'gap',
      current_node: 'a3',
      mapping: Object.fromEntries([
        said('a3', 'q3', 8, 'assistant'),
        said('q1', 'root', 1, 'user'),
        said('a1', 'q1', 2, 'assistant'),
        said('q2', 'gone', 3, 'user'),
        said('a2', 'q2', 4, 'assistant'),
        said('q2, edited', 'gone', 5, 'user'),
        said('a2 of that', 'q2, edited', 6, 'assistant'),
        ['hidden', { parent: 'lost', message: null }],
        said('q3', 'hidden', 7, 'user'),
        said('q1, edited', 'root', 9, 'user'),
      ] as [string, unknown][]),
    })
    expect(transcribe(conversation)).toEqual([
      '1 user: q1',
      '1 assistant: a1',
      '2 user: q2',
      '2 assistant: a2',
      '3 user: q2, edited',
      '3 assistant: a2 of that',
      '4 user: q3',
      '4 assistant: a3',
      '5 user: q1, edited',
    ])
    expect(conversation?.forks).toEqual([
      { turn: 3, version_of: 2 },
      { turn: 5, version_of: 1 },
    ])
    expect(leftOut).toEqual({})
  })

  it('that lacks every link keeps its order, also of 100,000 messages', { tags: 'long' }, async () => {
    const count = 100_000
    const mapping = Object.fromEntries(
      Array.from({ length: count }, (_, index) => [
        `n${index}`,
        {
          parent: `lost${index}`,
          message: {
            ...message(index % 2 ? 'assistant' : 'user', `${index}`),
            create_time: 1_700_000_000 + index,
          },
        },
      ]),
    )
    const { conversation } = await readOne({ id: 'apart', mapping })
    expect(conversation).toMatchObject({ turns: count / 2, message_count: count })
    expect(conversation?.forks).toBeUndefined()
  })

  it('of 100,000 messages in a row, or side by side, is read in seconds', { tags: 'long' }, async () => {
    const count = 100_000
    const build = (parent: (index: number) => string | null) => ({
      id: 'long',
      mapping: Object.fromEntries(
        Array.from({ length: count }, (_, index) => [
          `n${index}`,
          { parent: parent(index), message: message(index % 2 ? 'assistant' : 'user', `text ${index}`) },
        ]),
      ),
    })
    const row = await readOne(build((index) => (index === 0 ? null : `n${index - 1}`)))
    expect(row.conversation).toMatchObject({ turns: count / 2, message_count: count })
    const side = await readOne(build((index) => (index === 0 ? null : 'n0')))
    expect(side.conversation?.forks).toHaveLength(maxImportedForks)
    expect(side.leftOut['versions']).toBeGreaterThan(count / 3)
  })

  it('has endless titles and messages cut', async () => {
    const { conversation, leftOut } = await readOne({
      id: 'i'.repeat(1_000),
      title: ' \u0000<script>\n'.repeat(10_000),
      create_time: 9e15,
      mapping: { a: { message: message('user', '😀'.repeat(maxMessageCharacters)) } },
    })
    expect(conversation?.title.length).toBeLessThanOrEqual(200)
    expect(conversation?.source_id.length).toBeLessThanOrEqual(200)
    expect(conversation?.messages[0]?.content.length).toBeLessThanOrEqual(maxMessageCharacters)
    expect(conversation?.messages[0]?.content.isWellFormed()).toBe(true)
    expect(Date.parse(conversation?.created_at ?? '')).toBeLessThanOrEqual(Date.now())
    expect(leftOut).toEqual({ longTexts: 1 })
  })

  it('with endless marks is read in time in proportion', async () => {
    const words = ['\ue200', '\ue200entity\ue202', '\ue200\ue201', '\ue202']
      .map((one) => one.repeat(100_000))
      .join('')
    const one = { id: 'marks', mapping: { a: { message: message('assistant', words) } } }
    await expect(limitCpuTimeAsync(() => readOne(one), 2_000)).resolves.toBeDefined()
  })

  it('does not unpack files that are too large, whatever the archive says', async () => {
    const { reader } = await readAll(
      archive({
        'conversations.json': strToU8(json(chatGpt2023)),
        'file-Bomb1-a.png': new Uint8Array(30_000_000),
      }),
    )
    expect(await reader.readFile('file-Bomb1', 'a.png')).toBeUndefined()
  })

  it('keeps what stands before the damage of an archive', async () => {
    const random = (length: number) => Array.from({ length }, () => Math.random().toString(36)).join('')
    const many = [chatGpt2023, ...Array.from({ length: 50 }, () => ({ ...chatGpt2023, title: random(500) }))]
    const bytes = zipSync({ 'conversations.json': strToU8(JSON.stringify(many)) })
    bytes.fill(0xff, bytes.length - 40_000, bytes.length - 20_000)
    const { conversations, leftOut } = await readAll(toFile(bytes))
    expect(conversations.length).toBeGreaterThan(0)
    expect(conversations.length).toBeLessThan(many.length)
    expect(leftOut).toMatchObject({ damagedParts: '1: conversations.json' })
  })

  it.each([
    ['an archive without conversations', zipSync({ 'a.json': strToU8('[]') })],
    [
      'an archive in an archive in an archive',
      zipSync({
        'conversations.zip': zipSync({
          'conversations.zip': zipSync({ 'conversations.json': strToU8('[]') }),
        }),
      }),
    ],
  ])('names %s', async (_, bytes) => {
    await expect(openExport([toFile(bytes)])).rejects.toThrow(NoConversationsError)
  })

  it.each(['', 'A report on beans.', '{"user": {"email": "ann@example.org"}}'])(
    'names a file that is none: %s',
    async (text) => {
      await expect(readAll(toFile(text))).rejects.toThrow(NoConversationsError)
    },
  )

  it('rejects what only begins like an archive', async () => {
    await expect(openExport([toFile('PK and nothing else')])).rejects.toThrow(/.+/)
  })
})
