import { describe, expect, it } from 'vitest'
import { createSearchIndex, type SearchableMessage } from './search-index.ts'

const session = (id: string, title: string, day: number) => ({
  id,
  title,
  updated_at: `2026-11-${String(day).padStart(2, '0')}T09:00:00Z`,
})
const message = (session_id: string, content: string, id = content): SearchableMessage => ({
  id,
  session_id,
  content,
})
function createCorpus() {
  const index = createSearchIndex()
  index.ingest({
    sessions: [session('a', 'Rome in May', 1), session('b', 'Café prices', 3), session('c', 'Rome', 2)],
    changed: ['a', 'b', 'c'],
    messages: [
      message('a', 'The ferry to Naples leaves at nine'),
      message('a', 'And the train?'),
      message('b', 'Naples has the best coffee\nand the ferry is near'),
      message('c', 'Nothing to see'),
    ],
  })
  return index
}
const findIds = (query: string, index = createCorpus()) =>
  index.search(query, 30).hits.map(({ sessionId }) => sessionId)

describe('the search in the user’s conversations', () => {
  it('finds titles and messages that contain every word, ignoring case and accents, newest first', () => {
    expect(findIds('naples ferry')).toEqual(['b', 'a'])
    expect(findIds('CAFE')).toEqual(['b'])
    expect(findIds('café')).toEqual(['b'])
    expect(findIds('naples train')).toEqual([])
    expect(findIds('"ferry to"')).toEqual(['a'])
    expect(findIds('see')).toEqual(['c'])
  })

  it.each(['ferry, Naples!', 'ferry?', 'coffee:', '(ferry', 'naples…', '#ferry', '“best coffee”,'])(
    'finds %s, whose marks belong to no word of the text',
    (query) => {
      expect(findIds(query)).toContain('b')
    },
  )

  it.each(['C++', '12:30', 'a.b@c.org', '.env', '#42', 'C#'])(
    'finds %s as it is written, and nothing else that has its letters',
    (word) => {
      const index = createCorpus()
      index.ingest({ sessions: null, changed: ['c'], messages: [message('c', `About ${word} and more`)] })
      const others = 'The environment of c: 42 at 1230, a b c org'
      index.ingest({ sessions: null, changed: ['a'], messages: [message('a', others)] })
      expect([findIds(word, index), findIds(`${word}, more`, index)]).toEqual([['c'], ['c']])
    },
  )

  it('finds what is shown of a message besides its text, and shows it', () => {
    const index = createCorpus()
    const details = 'orders.csv\nTo: info@zanzibarhof.example'
    index.ingest({
      sessions: null,
      changed: ['a', 'c'],
      messages: [
        { ...message('a', 'Generation stopped by user.', 'stopped'), details },
        { ...message('c', '', 'waiting'), details: 'Subject: Quokkakeller' },
      ],
    })
    expect(index.search('zanzibarhof orders.csv', 30).hits).toMatchObject([
      { sessionId: 'a', messageId: 'stopped', snippet: { text: 'orders.csv To: info@zanzibarhof.example' } },
    ])
    expect(findIds('quokkakeller', index)).toEqual(['c'])
    expect(findIds('stopped by user', index)).toEqual([])
  })

  it('ignores the line of a stopped reply, and shows the user’s message', () => {
    const index = createCorpus()
    const stoppedReply = message('a', 'Generation stopped by user.')
    index.ingest({
      sessions: null,
      changed: null,
      messages: [message('a', 'How is steel generation done?'), stoppedReply],
    })
    expect(index.search('generation', 30).hits.map(({ snippet }) => snippet?.text)).toEqual([
      'How is steel generation done?',
    ])
    expect(findIds('stopped by user', index)).toEqual([])
  })

  it('lists matching titles before messages, and all conversations by date for an empty query', () => {
    const index = createCorpus()
    index.ingest({ sessions: null, changed: ['b'], messages: [message('b', 'Rome, again')] })
    expect(findIds('rome', index)).toEqual(['c', 'a', 'b'])
    expect(findIds('  ', index)).toEqual(['b', 'c', 'a'])
  })

  it.each([...Array.from('*_|[]\\"\'`>'), '||', '""'])(
    'finds %s, which words are compared without',
    (marks) => {
      const index = createSearchIndex()
      index.ingest({
        sessions: [session('a', 'One', 1), session('b', `Two ${marks}`, 2), session('c', 'Three', 3)],
        changed: ['a', 'b', 'c'],
        messages: [message('a', `It is\nso${marks}what`), message('c', 'Nothing to see')],
      })
      const { hits } = index.search(` ${marks} `, 30)
      expect(
        hits.map(({ sessionId, titleHighlights, snippet }) => [sessionId, titleHighlights, snippet]),
      ).toEqual([
        ['b', [[4, 4 + marks.length]], undefined],
        ['a', [], { text: `It is so${marks}what`, highlights: [[8, 8 + marks.length]] }],
      ])
    },
  )

  it('keys and two letters for one are found, and shown as text', () => {
    const index = createSearchIndex()
    index.ingest({
      sessions: [session('a', 'Österreich', 1)],
      changed: ['a'],
      messages: [message('a', 'In Österreich press <kbd>Ctrl</kbd>+<kbd>C</kbd>')],
    })
    const [hit] = index.search('oesterreich', 30).hits
    expect([hit?.titleHighlights, hit?.snippet?.highlights]).toEqual([[[0, 10]], [[3, 13]]])
    expect(index.search('Ctrl+C', 30).hits[0]?.snippet).toEqual({
      text: 'In Österreich press Ctrl+C',
      highlights: [[20, 26]],
    })
  })

  it('shows an excerpt around the match', () => {
    const [hit] = createCorpus().search('best FERRY', 30).hits
    expect(hit?.snippet?.text).toBe('Naples has the best coffee and the ferry is near')
    expect(hit?.snippet?.highlights.map(([from, to]) => hit.snippet?.text.slice(from, to))).toEqual([
      'best',
      'ferry',
    ])
    const index = createSearchIndex()
    index.ingest({
      sessions: [session('x', 'Long', 1)],
      changed: ['x'],
      messages: [message('x', `${'before '.repeat(40)}needle${' after'.repeat(40)}`)],
    })
    const text = index.search('needle', 30).hits[0]?.snippet?.text ?? ''
    expect(text).toMatch(/^…before .*needle after.*…$/)
    expect(text.length).toBeLessThan(160)
    index.ingest({
      sessions: null,
      changed: ['x'],
      messages: [message('x', 'So:\n\n```ts\nlet **needle** = `1`\n```')],
    })
    expect(index.search('needle', 30).hits[0]?.snippet?.text).toBe('So: ts let needle = 1 ')
  })

  it('applies changed titles, replaced messages and deletions', () => {
    const index = createCorpus()
    index.ingest({
      sessions: [session('a', 'Naples', 9), session('b', 'Café prices', 3)],
      changed: ['a'],
      messages: [message('a', 'Only this')],
    })
    expect(findIds('naples', index)).toEqual(['a', 'b'])
    expect(findIds('ferry', index)).toEqual(['b'])
    expect(findIds('rome', index)).toEqual([])
    expect(findIds('only this', index)).toEqual(['a'])
  })

  it.each([
    ['one word in the title and one in a message', 'rome naples', ['a']],
    ['words of two messages', 'naples train', []],
    ['a word of the title, and one that is nowhere', 'rome nowhere', []],
  ])('finds %s', (_, query, ids) => {
    expect(findIds(query)).toEqual(ids)
  })

  it('shows what the message has of words that the title has in part', () => {
    const [hit] = createCorpus().search('rome naples', 30).hits
    expect(hit).toMatchObject({
      isInTitle: false,
      titleHighlights: [[0, 4]],
      messageId: 'The ferry to Naples leaves at nine',
      snippet: { text: 'The ferry to Naples leaves at nine', highlights: [[13, 19]] },
    })
  })

  it.each([
    ['"timetable of"', 'See the timetable of ferries'],
    ['nesodden', 'https://ferries.example.org/nesodden'],
  ])('finds %s over a link and in its address', (query, text) => {
    const index = createCorpus()
    const linked = message('c', 'See the [timetable](https://ferries.example.org/nesodden) of [ferries](a)')
    index.ingest({ sessions: null, changed: ['c'], messages: [linked] })
    const [hit] = index.search(query, 30).hits
    expect(hit?.snippet?.text).toBe(text)
    expect(hit?.snippet?.highlights).toHaveLength(1)
  })

  it('searches 5,000 messages, and counts more conversations than it returns', () => {
    const index = createSearchIndex()
    const sessions = Array.from({ length: 500 }, (_, index) =>
      session(`s${index}`, `Chat ${index}`, 1 + (index % 28)),
    )
    index.ingest({
      sessions,
      changed: sessions.map(({ id }) => id),
      messages: sessions.flatMap(({ id }) =>
        Array.from({ length: 10 }, (_, index) =>
          message(id, `${'lorem ipsum dolor sit amet '.repeat(20)}${id} ${index}`),
        ),
      ),
    })
    expect(index.search('ipsum s499', 30)).toMatchObject({ total: 1 })
    expect(index.search('ipsum', 30).hits).toHaveLength(30)
    expect(index.search('ipsum', 60).hits).toHaveLength(60)
    expect(index.search('ipsum', 30)).toMatchObject({ total: 500 })
  })
})

it('a snippet begins near the umlaut that two letters stand for, also after the same word without one', () => {
  const index = createSearchIndex()
  const content = `ostlich ${'und so weiter '.repeat(30)}östlich`
  index.ingest({ sessions: [session('a', 'Rome', 1)], changed: ['a'], messages: [message('a', content)] })
  const snippet = index.search('oestlich', 30).hits[0]?.snippet
  expect(snippet?.highlights.map(([from, to]) => snippet.text.slice(from, to))).toEqual(['östlich'])
})

it.each([
  ['a heading', '## Needles\n\n### A needle is sharp', 'Needles A needle is sharp'],
  ['a quotation', 'He says:\n> a **needle**\n> is sharp', 'He says: a needle is sharp'],
  ['items', 'Buy:\n- a *needle*\n* thread', 'Buy: a needle thread'],
  ['bold letters without blanks', 'これは**needle**です', 'これはneedleです'],
  ['a line that is struck out', 'A ~~needle~~ pin, 2 * 3 > 1', 'A needle pin, 2 * 3 > 1'],
  [
    'a link, a picture and code',
    'See [the needle](https://a.example/b_(c)), ![a pin](pin.png) and `x`',
    'See the needle, a pin and x',
  ],
  ['a table', '| Tool | Price |\n| :--- | ---: |\n| needle | 1 |', '| Tool | Price | | needle | 1 |'],
])('a snippet has no marks of Markdown: %s', (_, content, text) => {
  const index = createSearchIndex()
  index.ingest({ sessions: [session('a', 'Rome', 1)], changed: ['a'], messages: [message('a', content)] })
  const { snippet } = index.search('needle', 30).hits[0] ?? {}
  expect(snippet?.text).toBe(text)
  const found = snippet?.highlights.map(([from, to]) => snippet.text.slice(from, to).toLowerCase())
  expect(new Set(found)).toEqual(new Set(['needle']))
})

it.each(['', 'x'])('a snippet cuts no character of two units (%j)', (shift) => {
  const index = createSearchIndex()
  index.ingest({
    sessions: [session('a', 'Rome', 1)],
    changed: ['a'],
    messages: [message('a', `${'😀'.repeat(40)}${shift}(ferry${shift} ${'😀'.repeat(300)}`)],
  })
  expect(index.search('ferry', 30).hits[0]?.snippet?.text.isWellFormed()).toBe(true)
})

it('shows the part of a long address that has the word', () => {
  const index = createSearchIndex()
  index.ingest({
    sessions: [{ id: 'a', title: 'Trip', updated_at: '' }],
    changed: null,
    messages: [
      { id: 'm', session_id: 'a', content: `[Map](https://maps.example/${'x'.repeat(200)}/walrus)` },
    ],
  })
  const { text, highlights } = index.search('walrus', 1).hits[0]?.snippet ?? { text: '', highlights: [] }
  expect(highlights.map(([from, to]) => text.slice(from, to))).toEqual(['walrus'])
})
