import { expect, it } from 'vitest'
import { aMessage } from '../../test/support/conversations.ts'
import { openMarkdown } from './conversation-markdown.ts'

const markdown = openMarkdown('en', 'Ada')

it('writes the title on one line, with the start of the conversation below', () => {
  expect(markdown.formatTitle({ title: 'A\ntitle', created_at: '2026-03-01T10:00:00.000Z' })).toBe(
    '# A title\n\nStarted 2026-03-01 10:00 UTC\n',
  )
})

// from a report about another product: LionSR/TeXRA#7310
it.each([
  ['How does <textarea> work', String.raw`How does \<textarea> work`],
  ['2 * 3 * 4 and `x` and ~~no~~', String.raw`2 \* 3 \* 4 and \`x\` and \~\~no\~\~`],
  ['[a](https://b.example) ![c](d)', String.raw`\[a](https://b.example) !\[c](d)`],
  ['a_b_c.txt, _d_ and __init__', String.raw`a_b_c.txt, \_d\_ and \_\_init\_\_`],
  [String.raw`C:\new\*.txt, \(x\)`, String.raw`C:\new\\\*.txt, \\(x\\)`],
  ['R&D, AT&T; &lt;', String.raw`R&D, AT\&T; \&lt;`],
  ['See https://a.example/_b_*c*', 'See https://a.example/_b_*c*'],
  ['C# or F ##', String.raw`C# or F \##`],
])('a title is shown as it is: %s', async (title, written) => {
  const document = markdown.formatTitle({ title, created_at: '2026-03-01T10:00:00.000Z' })
  expect(document.split('\n')[0]).toBe(`# ${written}`)
})

it('names and cells are shown as they are', () => {
  const name = 'a*b*<i>.txt'
  const data = {
    columns: ['<b>'],
    rows: [['*x*|'], ['y']],
    total_rows: 2,
    sources: [{ table: 't', file: name }],
  }
  const call = { action: 'Query tables', parameters: {}, result: { success: true, data } }
  const text = markdown.formatMessage(
    aMessage({
      session_id: 's',
      role: 'assistant',
      content: '*Ho*',
      attachments: [{ id: 'a', name, type: 'text/plain', size: 1 }],
      tool_calls: [
        { ...call, tool: 'query_table' },
        { ...call, tool: name, integration: name, elicited: [{ message: name, action: 'decline' }] },
      ],
      sources: [{ url: 'https://a.example/<b> c', title: name }],
    }),
  )
  const shown = String.raw`a\*b\*\<i>.txt`
  expect(text.split('\n').slice(3)).toEqual([
    '*Ho*',
    '',
    String.raw`| \<b> |`,
    '| --- |',
    String.raw`| \*x\*\| |`,
    '| y |',
    '',
    `2 rows; ${shown}`,
    '',
    `- Attached: ${shown} (text/plain, 0.1 KB)`,
    '- Used: query_table',
    `- Used: ${shown}`,
    `- ${shown} asked: “${shown}” – declined`,
    `- Source 1: ${shown}, <https://a.example/%3Cb%3E%20c>`,
    '',
  ])
})

it('writes the author and time of a message, and leaves its text unchanged', () => {
  const created_at = '2026-03-01T10:00:00.000Z'
  const question = aMessage({ session_id: 's', content: '**Hi**', created_at })
  expect(markdown.formatMessage(question)).toBe('\n## You, 2026-03-01 10:00 UTC\n\n**Hi**\n')
  const reply = aMessage({ session_id: 's', role: 'assistant', content: 'Ho', created_at })
  expect(markdown.formatMessage(reply)).toBe('\n## Ada, 2026-03-01 10:00 UTC\n\nHo\n')
})

it('ends what a message leaves open, so that no later message becomes a part of it', () => {
  const created_at = '2026-03-01T10:00:00.000Z'
  const reply = aMessage({ session_id: 's', role: 'assistant', content: 'So:\n\n```js\na()', created_at })
  expect(markdown.formatMessage(reply)).toBe('\n## Ada, 2026-03-01 10:00 UTC\n\nSo:\n\n```js\na()\n```\n')
})

it.each([
  ['stopped', 'Generation stopped by user'],
  ['failed', 'This reply was ended by an error'],
  ['incomplete', 'This reply was incomplete'],
  ['interrupted', 'This reply was interrupted'],
] as const)('marks a reply that ended as %s: %s', (ended, words) => {
  const created_at = '2026-03-01T10:00:01.000Z'
  const reply = aMessage({ session_id: 's', role: 'assistant', content: 'Half', ended, created_at })
  expect(markdown.formatMessage(reply)).toBe(`\n## Ada, 2026-03-01 10:00 UTC\n\nHalf\n\n- ${words}.\n`)
})

it.each([
  ['length', 'it reached the limit of its length'],
  ['time', 'its time was over'],
  ['budget', 'a limit of use was reached'],
  ['filter', 'the model’s server withheld the rest'],
] as const)('says why a reply is incomplete: %s', (incomplete_reason, words) => {
  const ended = { ended: 'incomplete', incomplete_reason } as const
  const reply = aMessage({ session_id: 's', role: 'assistant', content: 'Half', ...ended })
  expect(markdown.formatMessage(reply)).toContain(`\n- This reply was incomplete: ${words}.\n`)
})

it('writes the tables below a reply, with their statements and where they come from', () => {
  const data = {
    columns: ['region', 'sum|€'],
    rows: [
      ['No|rth', 1.5],
      [null, 2],
    ],
    total_rows: 7,
    sources: [{ table: 't', file: 'A.xlsx', sheet: 'May' }],
  }
  const tool_calls = [
    {
      tool: 'query_table',
      action: 'Query tables',
      parameters: { sql: 'SELECT 1' },
      result: { success: true, data },
    },
  ]
  const reply = aMessage({ session_id: 's', role: 'assistant', content: 'Ho', tool_calls })
  expect(markdown.formatMessage(reply)).toContain(
    '\n\nHo\n\n| region | sum\\|€ |\n| --- | --- |\n| No\\|rth | 1.5 |\n|  | 2 |\n\n2 of 7 rows; A.xlsx, sheet “May”\n\n```sql\nSELECT 1\n```\n\n- Used: query_table\n',
  )
})

it('writes a statement with ticks between longer ones', () => {
  const result = {
    success: true,
    data: { columns: ['a'], rows: [[1], [2]], total_rows: 2, sources: [{ table: 't', file: 'A.csv' }] },
  }
  const parameters = { sql: 'SELECT "````"' }
  const tool_calls = [{ tool: 'query_table', action: 'Query tables', parameters, result }]
  const reply = aMessage({ session_id: 's', role: 'assistant', content: 'Ho', tool_calls })
  expect(markdown.formatMessage(reply)).toContain('\n`````sql\nSELECT "````"\n`````\n')
})

it('masks secrets in what a server has asked and what was answered, as the page does', () => {
  const tool_calls = [
    {
      tool: 'sign_in',
      action: 'Sign in',
      parameters: {},
      result: { success: true },
      elicited: [
        {
          message: 'Use password: hunter2hunter2',
          action: 'accept' as const,
          content: { user: 'ada', api_key: 'key-4711' },
        },
      ],
    },
  ]
  const text = markdown.formatMessage(
    aMessage({ session_id: 's', role: 'assistant', content: 'Ho', tool_calls }),
  )
  expect(text).toContain('user: ada; api_key: ••••')
  expect(text).toContain('Use password: ••••')
  expect(text).not.toMatch(/4711|hunter2/)
})

it('lists the files of a message, with or without text', () => {
  const created_at = '2026-03-01T10:00:00.000Z'
  const attachments = ['a.txt', 'b\n.txt'].map((name) => ({ id: name, name, type: 'text/plain', size: 1 }))
  const files = '- Attached: a.txt (text/plain, 0.1 KB)\n- Attached: b .txt (text/plain, 0.1 KB)\n'
  const render = (content: string) =>
    markdown.formatMessage(aMessage({ session_id: 's', content, attachments, created_at }))
  expect(render('Read these')).toBe(`\n## You, 2026-03-01 10:00 UTC\n\nRead these\n\n${files}`)
  expect(render('')).toBe(`\n## You, 2026-03-01 10:00 UTC\n\n${files}`)
})

it('quotes the reasoning above a reply, and numbers its sources below', () => {
  const reply = aMessage({
    session_id: 's',
    role: 'assistant',
    content: 'It is [1].',
    created_at: '2026-03-01T10:00:00.000Z',
    reasoning: { text: 'First\n\nthen', durationMs: 11_600 },
    sources: [{ url: 'https://a.example/', title: 'A\npage' }, { url: 'https://b.example/' }],
  })
  expect(markdown.formatMessage(reply)).toBe(
    [
      '\n## Ada, 2026-03-01 10:00 UTC',
      '> Thought for 12 s:\n>\n> First\n>\n> then',
      'It is [1].',
      '- Source 1: A page, <https://a.example/>\n- Source 2: <https://b.example/>\n',
    ].join('\n\n'),
  )
})

it('says what servers asked the user, and what was sent', () => {
  const created_at = '2026-03-01T10:00:00.000Z'
  const call = { tool: 'book', action: 'Book', parameters: {}, result: { success: true } }
  const reply = aMessage({
    session_id: 's',
    role: 'assistant',
    content: '',
    created_at,
    tool_calls: [
      {
        ...call,
        integration: 'Trains',
        elicited: [
          { message: 'Which\nseat?', action: 'accept', content: { seat: 12, row: 'b\nc' } },
          { message: 'Sign in', action: 'accept', host: 'trains.example' },
          { message: 'Pay', action: 'accept', host: 'pay.example', content: { card: true } },
          { message: 'Insure', action: 'decline' },
        ],
      },
      { ...call, elicited: [{ message: 'Name', action: 'cancel' }] },
    ],
  })
  expect(markdown.formatMessage(reply)).toBe(
    [
      '\n## Ada, 2026-03-01 10:00 UTC\n',
      '- Used: book',
      '- Trains asked: “Which seat?” – sent: seat: 12; row: b c',
      '- Trains asked: “Sign in” – sent: trains.example',
      '- Trains asked: “Pay” – sent: pay.example; card: true',
      '- Trains asked: “Insure” – declined',
      '- Used: book',
      '- The server asked: “Name” – cancelled\n',
    ].join('\n'),
  )
})

it('says which version of a message it is, and rounds short reasoning up to a second', () => {
  const created_at = '2026-03-01T10:00:00.000Z'
  const question = aMessage({ session_id: 's', content: ' Hi \n', created_at })
  expect(markdown.formatMessage({ ...question, versions: { shown: 2, count: 3 } })).toBe(
    '\n## You, 2026-03-01 10:00 UTC, version 2 of 3\n\nHi\n',
  )
  const reasoning = { text: ' So. \n', durationMs: 400 }
  const reply = aMessage({ session_id: 's', role: 'assistant', content: 'Ho', created_at, reasoning })
  expect(markdown.formatMessage(reply)).toBe(
    '\n## Ada, 2026-03-01 10:00 UTC\n\n> Thought for 1 s:\n>\n> So.\n\nHo\n',
  )
})

it.each([
  ['de', '# Neuer Chat\n\nBegonnen: 2026-03-01 10:00 UTC\n', 'Diese Antwort wurde unterbrochen.'],
  ['ja', '# 新しいチャット\n\n開始：2026-03-01 10:00 UTC\n', 'この回答は中断されました。'],
  ['ar', '# محادثة جديدة\n\nبدأت في 2026-03-01 10:00 UTC\n', 'قوطع هذا الرد.'],
] as const)(
  'says what is not the conversation’s in the language of the user: %s',
  (language, head, ending) => {
    const created_at = '2026-03-01T10:00:00.000Z'
    const markdown = openMarkdown(language, 'Ada')
    expect(markdown.formatTitle({ title: 'New Chat', created_at })).toBe(head)
    const call = { action: '', parameters: {} }
    const data = {
      columns: ['a'],
      rows: [[1]],
      total_rows: 7,
      sources: [{ table: 'ta', file: 'A', sheet: 'B' }],
    }
    const elicited = (['accept', 'decline', 'cancel'] as const).map((action) => ({ message: '', action }))
    const all = ([undefined, 'length', 'time', 'budget', 'filter'] as const).map((incomplete_reason) =>
      markdown.formatMessage({
        ...aMessage({ session_id: 's', role: 'assistant', content: '', created_at }),
        attachments: [{ id: '', name: '', type: '', size: 1 }],
        reasoning: { text: '', durationMs: 2_000 },
        sources: [{ url: 'x:' }],
        tool_calls: [
          { ...call, tool: 'q', result: { success: false }, elicited },
          { ...call, tool: 'query_table', result: { success: true, data } },
        ],
        ended: incomplete_reason ? 'incomplete' : 'interrupted',
        incomplete_reason,
        versions: { shown: 1, count: 2, ids: [] },
      } as never),
    )
    const text = [markdown.otherVersions, ...all].join('')
    expect(text).toContain(`\n- ${ending}\n`)
    const english = text.replaceAll(/UTC|KB|Version|query_table/g, '').match(/[a-z]{4,}/gi) ?? []
    expect(language === 'de' ? [] : english.filter((word) => word !== 'Ada')).toEqual([])
    expect(text).not.toMatch(/\b(?:You|Attached|Used|Source|This|reply|Thought|rows|sheet|asked|sent|of)\b/)
  },
)

it('shows a reply that was stopped before its first word as stopped, in the language of the user', () => {
  const reply = aMessage({ session_id: 's', role: 'assistant', content: 'Generation stopped by user.' })
  expect(openMarkdown('fr', 'Ada').formatMessage(reply)).toContain('\n\nRéponse arrêtée par l’utilisateur.\n')
})
