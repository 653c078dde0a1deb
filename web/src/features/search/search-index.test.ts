import { describe, expect, it } from 'vitest'
import { createSearchIndex, normalizeText, parseTerms, type SearchableMessage } from './search-index.ts'

const session = (id: string, title: string, day: number) => ({
  id,
  title,
  updated_at: `2026-11-${String(day).padStart(2, '0')}T09:00:00Z`,
})
const message = (session_id: string, content: string, id = content): SearchableMessage => ({
  id,
  session_id,
  role: 'user',
  content,
  created_at: '',
})
function corpus() {
  const made = createSearchIndex()
  made.ingest({
    sessions: [session('a', 'Rome in May', 1), session('b', 'Café prices', 3), session('c', 'Rome', 2)],
    changed: ['a', 'b', 'c'],
    messages: [
      message('a', 'The ferry to Naples leaves at nine'),
      message('a', 'And the train?'),
      message('b', 'Naples has the best coffee\nand the ferry is near'),
      message('c', 'Nothing to see'),
    ],
  })
  return made
}
const ids = (query: string, of = corpus()) => of.search(query).map(({ sessionId }) => sessionId)

describe('the search over one’s own conversations', () => {
  it('finds titles and messages, every word, whatever case and accents, newest first', () => {
    expect(ids('naples ferry')).toEqual(['b', 'a'])
    expect(ids('CAFE')).toEqual(['b'])
    expect(ids('café')).toEqual(['b'])
    expect(ids('naples train')).toEqual([])
    expect(ids('"ferry to"')).toEqual(['a'])
    expect(ids('see')).toEqual(['c'])
  })

  it('leaves out the line of a stopped reply: the words of the person are shown', () => {
    const made = corpus()
    const stopped = { ...message('a', 'Generation stopped by user.'), role: 'assistant' as const }
    made.ingest({
      sessions: null,
      changed: null,
      messages: [message('a', 'How is steel generation done?'), stopped],
    })
    expect(made.search('generation').map(({ snippet }) => snippet?.text)).toEqual([
      'How is steel generation done?',
    ])
    expect(ids('stopped by user', made)).toEqual([])
  })

  it('puts titles before messages, and everything in order of time without a word', () => {
    const made = corpus()
    made.ingest({ sessions: null, changed: ['b'], messages: [message('b', 'Rome, again')] })
    expect(ids('rome', made)).toEqual(['c', 'a', 'b'])
    expect(ids('  ', made)).toEqual(['b', 'c', 'a'])
  })

  it('shows an excerpt around the match', () => {
    const [hit] = corpus().search('best FERRY')
    expect(hit?.snippet?.text).toBe('Naples has the best coffee and the ferry is near')
    expect(hit?.snippet?.highlights.map(([from, to]) => hit.snippet?.text.slice(from, to))).toEqual([
      'best',
      'ferry',
    ])
    const made = createSearchIndex()
    made.ingest({
      sessions: [session('x', 'Long', 1)],
      changed: ['x'],
      messages: [message('x', `${'before '.repeat(40)}needle${' after'.repeat(40)}`)],
    })
    const text = made.search('needle')[0]?.snippet?.text ?? ''
    expect(text).toMatch(/^…before .*needle after.*…$/)
    expect(text.length).toBeLessThan(160)
    made.ingest({
      sessions: null,
      changed: ['x'],
      messages: [message('x', 'So:\n\n```ts\nlet **needle** = `1`\n```')],
    })
    expect(made.search('needle')[0]?.snippet?.text).toBe('So: ts let needle = 1 ')
  })

  it('takes changes over: titles, messages sent again, what was deleted', () => {
    const made = corpus()
    made.ingest({
      sessions: [session('a', 'Naples', 9), session('b', 'Café prices', 3)],
      changed: ['a'],
      messages: [message('a', 'Only this')],
    })
    expect(ids('naples', made)).toEqual(['a', 'b'])
    expect(ids('ferry', made)).toEqual(['b'])
    expect(ids('rome', made)).toEqual([])
    expect(made.count()).toBe(2)
  })

  it('answers over 5,000 messages while one types', () => {
    const made = createSearchIndex()
    const sessions = Array.from({ length: 500 }, (_, index) =>
      session(`s${index}`, `Chat ${index}`, 1 + (index % 28)),
    )
    made.ingest({
      sessions,
      changed: sessions.map(({ id }) => id),
      messages: sessions.flatMap(({ id }) =>
        Array.from({ length: 10 }, (_, index) =>
          message(id, `${'lorem ipsum dolor sit amet '.repeat(20)}${id} ${index}`),
        ),
      ),
    })
    expect(made.count()).toBe(5_000)
    expect(made.search('ipsum s499')).toHaveLength(1)
    expect(made.search('ipsum')).toHaveLength(30)
  })
})

it.each([
  ['ÀÉÎ ß', 'aei ß'],
  ['İSTANBUL', 'istanbul'],
  ['日本語', '日本語'],
  ['👩‍👩‍👧 Family', '👩‍👩‍👧 family'],
])('folds %s without moving a letter', (text, folded) => {
  expect(normalizeText(text)).toBe(folded)
  expect(normalizeText(text)).toHaveLength(text.length)
})

it('parses words and phrases', () => {
  expect(parseTerms(' one "two three" one fo"ur ')).toEqual(['one', 'two three', 'fo"ur'])
  expect(parseTerms('"open phrase')).toEqual(['open phrase'])
})
