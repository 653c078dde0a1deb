import { strToU8, zipSync } from 'fflate'
import { afterEach, expect, it, vi } from 'vitest'
import { chatGpt2026, claude2026, isoAt, type Json } from '../../../../test/support/export-samples.ts'
import { readExport, toFile } from '../../../../test/support/read-export.ts'

// What users of LibreChat and of Open WebUI, and of what reads their exports, reported as lost or wrong; each row names a public thread.

/** Turns as `question > reply`, further versions behind the first; what is not shown in brackets. */
async function readOne(conversation: unknown, name = 'chat.json') {
  const { reader, conversations, leftOut } = await readExport(toFile(JSON.stringify(conversation), name))
  const [first] = conversations
  const turns = new Map<number, string[]>()
  for (const { turn, role, content } of first?.messages ?? [])
    turns.set(turn, [...(turns.get(turn) ?? []), role === 'user' ? content : `> ${content}`])
  const reply = first?.messages.findLast(({ role }) => role === 'assistant')
  return {
    reader,
    first,
    conversations,
    leftOut,
    reply,
    turns: [...turns.values()].map((one) => one.join(' ')),
  }
}

const noParent = '00000000-0000-0000-0000-000000000000'
const libreMessage = (id: string, parent: string, text: string, more: Json = {}): Json => ({
  messageId: id,
  parentMessageId: parent || noParent,
  text,
  isCreatedByUser: id.startsWith('q'),
  createdAt: isoAt(Number(id.replace(/\D/g, ''))),
  ...more,
})
const libreChat = (messages: readonly Json[], more: Json = {}): Json => ({
  conversationId: 'c1',
  endpoint: 'agents',
  title: 'Ferries',
  exportAt: '13:18:04 GMT-0400 (Eastern Daylight Time)',
  branches: true,
  recursive: false,
  messages,
  ...more,
})
const libreReply = (more: Json) =>
  readOne(libreChat([libreMessage('q1', '', 'A question'), libreMessage('a2', 'q1', '', more)]))

it('danny-avila/LibreChat#2355: versions of a nested export stay versions', async () => {
  const nest = (message: Json, children: Json[] = []) => ({ ...message, children })
  const { first, turns } = await readOne(
    libreChat([], {
      recursive: true,
      messages: undefined,
      messagesTree: [
        nest(libreMessage('q1', '', 'Hi'), [
          nest(libreMessage('a2', 'q1', 'Hello'), [
            nest(libreMessage('q3', 'a2', 'thanks', { createdAt: undefined }), [
              nest(libreMessage('a4', 'q3', 'Welcome', { createdAt: undefined })),
              nest(libreMessage('a5', 'q3', 'Any time')),
            ]),
            nest(libreMessage('q6', 'a2', 'lol'), [nest(libreMessage('a7', 'q6', 'Funny'))]),
          ]),
        ]),
      ],
    }),
  )
  expect(turns).toEqual(['Hi > Hello', 'thanks > Welcome', 'thanks > Any time', 'lol > Funny'])
  expect(first).toMatchObject({ title: 'Ferries', source_id: 'c1', message_count: 4, created_at: isoAt(1) })
  expect(first?.forks).toEqual([
    { turn: 3, version_of: 2 },
    { turn: 4, version_of: 2 },
  ])
})

it('danny-avila/LibreChat#2800, #8262: a flat export, whose replies are older than their questions', async () => {
  const { conversations, turns } = await readOne(
    libreChat([
      libreMessage('q5', '', 'One'),
      libreMessage('a4', 'q5', 'Two', { unfinished: true }),
      libreMessage('q3', 'a4', 'Three'),
    ]),
  )
  expect(turns).toEqual(['One > Two', 'Three'])
  expect(conversations[0]?.messages.map(({ ended }) => ended)).toEqual([undefined, 'stopped', undefined])
})

it('danny-avila/LibreChat#4513, #3768: files of a folder, and a list of conversations, with the ids of their source', async () => {
  const one = libreChat([libreMessage('q1', '', 'One')])
  const two = { ...libreChat([libreMessage('q1', '', 'Two')]), conversationId: 'c2' }
  const archive = zipSync({
    'chats/one.json': strToU8(JSON.stringify(one)),
    'chats/two.json': strToU8(JSON.stringify(two)),
    'notes.json': strToU8('{"a":1}'),
  })
  for (const files of [
    [toFile(JSON.stringify(one), 'one.json'), toFile(JSON.stringify(two), 'two.json')],
    [toFile(JSON.stringify([one, two]), 'all.json')],
    [toFile(archive, 'chats.zip')],
  ]) {
    const { conversations } = await readExport(...files)
    expect(conversations.map(({ source_id: id }) => id)).toEqual(['c1', 'c2'])
  }
})

it.each<
  [
    string,
    string,
    Json,
    { content?: string; reasoning?: unknown; ended?: string; sources?: unknown; leftOut?: Json },
  ]
>([
  [
    '#2756',
    'texts of an assistant',
    { content: [{ type: 'text', text: { value: 'Hello' } }, null] },
    { content: 'Hello' },
  ],
  [
    '#14102',
    'thoughts and calls',
    {
      content: [
        { type: 'think', think: 'Let me see.' },
        { type: 'tool_call', tool_call: { name: 'list_files', args: '{}', output: 'x' } },
        { type: 'tool_call', tool_call: { type: 'code_interpreter', code_interpreter: {} } },
        { type: 'text', text: 'Done.' },
        { type: 'image_file', image_file: { file_id: 'f1', filename: 'plot.png' } },
      ],
    },
    {
      content: 'Done.',
      reasoning: { text: 'Let me see.', durationMs: 0 },
      leftOut: { toolCalls: '1: list_files', codeRuns: 1 },
    },
  ],
  [
    '#3938',
    'artifacts, the last state of each',
    {
      text: 'Here:\n\n:::artifact{identifier="t" type="text/html" title="Timer"}\n```html\n<p>1</p>\n```\n:::\n\nAnd:\n\n:::artifact{identifier="t" type="text/html" title="Timer"}\n<p>2</p>\n:::\n\nEnd.',
    },
    { content: 'Here:\n\nAnd:\n\n**Timer**\n\n```html\n<p>2</p>\n```\n\nEnd.' },
  ],
  [
    '#14102, before 2025',
    'thoughts in the text',
    { text: ':::thinking\nHm.\n:::\nYes.' },
    { content: 'Yes.', reasoning: { text: 'Hm.', durationMs: 0 } },
  ],
  [
    'Laumss/loominary#17',
    'pages behind the marks of a search',
    {
      text: 'Late \ue202turn0search1\ue200.\ue201',
      attachments: [
        {
          type: 'web_search',
          web_search: {
            turn: 0,
            organic: [{ link: 'https://a.example' }, { link: 'https://b.example', title: 'B' }],
          },
        },
      ],
    },
    {
      content: 'Late ([B](https://b.example)).',
      sources: [{ url: 'https://a.example' }, { url: 'https://b.example', title: 'B' }],
    },
  ],
  ['#155', 'an error', { text: 'No credit.', error: true }, { content: 'No credit.', ended: 'failed' }],
])('danny-avila/LibreChat%s: %s', async (_, __, message, { leftOut = {}, ...wanted }) => {
  const { reply, leftOut: found } = await libreReply(message)
  expect(reply).toMatchObject(wanted)
  expect(found).toEqual(leftOut)
})

// Open WebUI
const webUiMessage = (
  id: string,
  parentId: string | null,
  content: unknown,
  more: Json = {},
): [string, Json] => [
  id,
  {
    id,
    parentId,
    childrenIds: [],
    role: id.startsWith('q') ? 'user' : 'assistant',
    content,
    timestamp: Date.parse(isoAt(Number(id.replace(/\D/g, '')))) / 1_000,
    ...more,
  },
]
const webUi = (messages: readonly [string, Json][], { currentId, ...more }: Json = {}): Json => ({
  id: 'w1',
  title: 'Ferries',
  chat: {
    title: 'Old title',
    models: ['llama3'],
    history: { messages: Object.fromEntries(messages), currentId },
  },
  created_at: Date.parse(isoAt(0)) / 1_000,
  updated_at: Date.parse(isoAt(30)) / 1_000,
  ...more,
})
const webUiReply = (content: unknown, more: Json = {}) =>
  readOne([webUi([webUiMessage('q1', null, 'A question'), webUiMessage('a2', 'q1', content, more)])])

it('open-webui/open-webui#8752, #30150, #30154, #24910: dates, pins and the archive; folders and tags are named', async () => {
  const messages = [webUiMessage('q1', null, 'Hi'), webUiMessage('a2', 'q1', 'Hello')]
  const { first, leftOut } = await readOne([
    webUi(messages, { pinned: true, archived: true, folder_id: 'f1', meta: { tags: ['travel'] } }),
  ])
  expect(first).toMatchObject({
    source_id: 'w1',
    title: 'Ferries',
    created_at: isoAt(0),
    updated_at: isoAt(30),
    pinned: true,
    archived: true,
  })
  expect(leftOut).toEqual({ projectPlaces: 1, tags: '1: travel' })
})

it.each<[string, string, [string, Json][], string | undefined, string[]]>([
  [
    '#5204',
    'versions, and the one that is shown',
    [
      webUiMessage('q1', null, 'Hi'),
      webUiMessage('a2', 'q1', 'One'),
      webUiMessage('a3', 'q1', 'Two'),
      webUiMessage('q4', 'a2', 'On'),
      webUiMessage('a5', 'q4', 'Yes'),
    ],
    'a5',
    ['Hi > One', 'On > Yes', 'Hi > Two'],
  ],
  [
    '#20474',
    'a current message that is not there',
    [webUiMessage('q1', null, 'Hi'), webUiMessage('a2', 'q1', 'One', { childrenIds: ['lost'] })],
    'lost',
    ['Hi > One'],
  ],
  [
    '#21648',
    'a reply without role and parent',
    [
      webUiMessage('q1', null, 'Hi', { childrenIds: ['a2'] }),
      ['a2', { model: 'x', content: 'One', followUps: ['More?'] }],
    ],
    'a2',
    ['Hi > One'],
  ],
  [
    '#29216',
    'replies without a link to their question',
    [
      webUiMessage('q1', null, 'Hi'),
      webUiMessage('a2', null, 'One'),
      webUiMessage('q3', 'a2', 'On'),
      webUiMessage('a4', null, 'Two'),
    ],
    'a4',
    ['Hi > One', 'On > Two'],
  ],
  ['#24424', 'a cycle', [webUiMessage('q1', 'a2', 'Hi'), webUiMessage('a2', 'q1', 'One')], 'a2', []],
])('open-webui/open-webui%s: %s', async (_, __, messages, currentId, turns) => {
  const { turns: found } = await readOne([webUi(messages, { currentId })])
  expect(found).toEqual(turns)
})

const details = (type: string, attributes: string, body: string) =>
  `<details type="${type}" done="true" ${attributes}>\n${body}\n</details>\n`
it.each<
  [
    string,
    string,
    unknown,
    Json,
    { content?: string; reasoning?: unknown; ended?: string; sources?: unknown; leftOut?: Json },
  ]
>([
  [
    'danny-avila/LibreChat#13802',
    'thoughts and calls beside the text',
    `${details('reasoning', 'duration="3"', '<summary>Thought</summary>\n> no')}255`,
    {
      output: [
        { type: 'reasoning', summary: [], content: [{ type: 'output_text', text: '15 * 17' }], duration: 3 },
        { type: 'function_call', name: 'get_weather', arguments: '{}' },
        { type: 'function_call_output', output: [] },
        { type: 'message', content: [{ type: 'output_text', text: '255' }] },
      ],
    },
    {
      content: '255',
      reasoning: { text: '15 * 17', durationMs: 3_000 },
      leftOut: { toolCalls: '1: get_weather' },
    },
  ],
  [
    'danny-avila/LibreChat#13802, before',
    'thoughts and calls in the text',
    `${details('reasoning', 'duration="7"', '<summary>Thought for 7 seconds</summary>\n&gt; if a &lt; b\n&gt; then')}${details('tool_calls', 'id="1" name="search_web_search" arguments="{&quot;q&quot;:1}"', '<summary>x</summary>')}Yes.\n\n<details>\n<summary>Mine</summary>\n</details>`,
    {},
    {
      content: 'Yes.\n\n<details>\n<summary>Mine</summary>\n</details>',
      reasoning: { text: 'if a < b\nthen', durationMs: 7_000 },
      leftOut: { webSearches: 1 },
    },
  ],
  [
    'open-webui/open-webui#24157',
    'an error in the place of a reply',
    '',
    { error: { content: 'No.' } },
    { content: '', ended: 'failed' },
  ],
  [
    'open-webui/open-webui#2029',
    'sources',
    'Late [1].',
    {
      sources: [
        {
          source: { name: 'a.pdf' },
          metadata: [{ source: 'https://a.example', title: 'A' }, { source: 'a.pdf' }],
        },
      ],
    },
    { content: 'Late [1].', sources: [{ url: 'https://a.example', title: 'A' }] },
  ],
])('%s: %s', async (_, __, content, more, { leftOut = {}, ...wanted }) => {
  const { reply, leftOut: found } = await webUiReply(content, more)
  expect(reply).toMatchObject(wanted)
  expect(found).toEqual(leftOut)
})

it('keeps artifacts without a name apart, and blanks before links single', async () => {
  const { reply } = await libreReply({
    text: ':::artifact{type="text/html"}\n<p>1</p>\n:::\n\n:::artifact{type="text/html"}\n<p>2</p>\n:::\n\nSee \ue200\ue202turn0search0\ue201.',
    attachments: [
      { type: 'web_search', web_search: { turn: 0, organic: [{ link: 'https://a.example', title: 'A' }] } },
    ],
  })
  expect(reply?.content).toBe(
    '```html\n<p>1</p>\n```\n\n```html\n<p>2</p>\n```\n\nSee ([A](https://a.example)).',
  )
})

it('a call with a long result in its tag is left out, and not shown as text', async () => {
  const result = 'x'.repeat(150_000)
  const { reply, leftOut } = await webUiReply(
    `${details('tool_calls', `name="list" result="${result}"`, '<summary>x</summary>')}Yes.`,
  )
  expect([reply?.content, leftOut]).toEqual(['Yes.', { toolCalls: '1: list' }])
})

it('pictures of several conversations have ids of their own, also where messages have none', async () => {
  const listed = (id: string) => ({
    id,
    chat: {
      messages: [
        {
          role: 'user',
          content: [
            { type: 'text', text: 'Look' },
            { type: 'image_url', image_url: { url: `data:image/png;base64,${btoa(id)}` } },
          ],
        },
      ],
    },
  })
  const { conversations } = await readOne([listed('w1'), listed('w2')])
  const ids = conversations.map(({ messages }) => messages[0]?.files[0]?.id)
  expect(ids).toEqual(['w1 message-0-1', 'w2 message-0-1'])
})

it('the time of a thought is none if a clock was set back meanwhile: the service refuses what is below zero', async () => {
  const thought = { type: 'reasoning', summary: [{ text: 'Hm.' }], duration: -3 }
  const { reply } = await webUiReply('', {
    output: [thought, { type: 'message', content: [{ text: 'Yes.' }] }],
  })
  expect(reply?.reasoning).toEqual({ text: 'Hm.', durationMs: 0 })
})

it('Chang-Tong/dsh-import-agents#6: pictures that are in the export, texts of documents, names of other files', async () => {
  const url = `data:image/png;base64,${btoa('PNG')}`
  const { first } = await readOne([
    webUi([
      webUiMessage(
        'q1',
        null,
        [
          { type: 'text', text: 'Look' },
          { type: 'image_url', image_url: { url } },
        ],
        {
          files: [
            { type: 'image', url },
            { type: 'image', url: '/api/v1/files/f1/content', name: 'cat.png' },
            { type: 'file', id: 'f2', name: 'plan.pdf', file: { data: { content: 'Oak.' } } },
          ],
        },
      ),
    ]),
  ])
  const bytes = Uint8Array.from([80, 78, 71])
  expect(first?.messages).toMatchObject([
    {
      content: 'Look',
      files: [
        { name: 'q1-1.png', bytes },
        { name: 'q1-file-0.png', bytes },
        { id: 'f1', name: 'cat.png' },
        { name: 'plan.pdf.txt', text: 'Oak.' },
      ],
    },
  ])
})

afterEach(() => void vi.useRealTimers())

it.each<[string, Json]>([
  ['ChatGPT', chatGpt2026],
  ['Claude', claude2026],
  ['LibreChat', libreChat([libreMessage('q1', '', 'Hi'), libreMessage('a2', 'q1', 'Hello')])],
  ['Open WebUI', webUi([webUiMessage('q1', null, 'Hi'), webUiMessage('a2', 'q1', 'Hello')])],
  [
    'this product',
    {
      id: 's1',
      message_count: 1,
      created_at: isoAt(0),
      updated_at: isoAt(9),
      messages: [{ turn: 1, role: 'user', content: 'Hi', created_at: isoAt(1) }],
    },
  ],
])('an export of %s whose dates are to come has none that is later than its import', async (_, exported) => {
  const now = Date.parse('2020-01-01T00:00:00Z')
  vi.useFakeTimers({ toFake: ['Date'], now })
  const { first } = await readOne([exported])
  const times = [
    first?.created_at,
    first?.updated_at,
    ...(first?.messages ?? []).map((one) => one.created_at),
  ]
  expect(times.length).toBeGreaterThan(2)
  expect(times.filter((time) => !(Date.parse(time ?? '') <= now))).toEqual([])
})
