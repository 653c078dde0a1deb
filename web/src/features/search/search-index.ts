import { isRealContent } from '#shared/message-content.ts'

/** What is searched: the titles and messages of one user, in memory only. */
export interface CorpusSession {
  id: string
  title: string
  updated_at: string
  archived?: boolean | undefined
}
export interface CorpusMessage {
  id: string
  session_id: string
  role: 'user' | 'assistant'
  content: string
  created_at: string
}

/** One answer of the corpus route. */
export interface CorpusPart {
  sessions: readonly CorpusSession[] | null
  changed: readonly string[] | null
  messages: readonly CorpusMessage[]
}

export interface Hit {
  sessionId: string
  title: string
  updatedAt: string
  /** it stands in the archive */
  archived: boolean
  /** where the title has what was looked for: [from, to) */
  titleMarks: readonly Mark[]
  /** the newest message that has it, and its words; absent when only the title does */
  messageId?: string
  snippet?: { text: string; marks: readonly Mark[] }
}
export type Mark = readonly [from: number, to: number]

interface IndexedMessage extends CorpusMessage {
  folded: string
}

const maxHits = 30
const maxSnippet = 140
const beforeMatch = 40

/**
 * Letters as they are compared: without case and without accents. As long as the original, so that places in one are places in
 * the other: a letter that would become several stays as it is.
 */
export function fold(text: string): string {
  const lower = text.toLowerCase()
  // a few letters grow when they are made small, as the Turkish dotted I does
  const source =
    lower.length === text.length ? lower : text.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase())
  return source.replaceAll(/[^\p{ASCII}]/gu, foldedLetter)
}

/** Normalising is slow, and the letters of one person's texts are few. */
const folded = new Map<string, string>()

function foldedLetter(letter: string): string {
  const known = folded.get(letter)
  if (known !== undefined) return known
  const plain = letter.toLowerCase().normalize('NFD').replaceAll(/\p{M}/gu, '')
  const kept = plain.length === letter.length ? plain : letter
  folded.set(letter, kept)
  return kept
}

/** The words of a query; quotation marks keep words together. */
export function termsOf(query: string): string[] {
  const terms = [...query.matchAll(/"([^"]+)"?|(\S+)/g)].map(([, phrase, word]) =>
    fold(phrase ?? word ?? '').trim(),
  )
  return [...new Set(terms)].filter((term) => term !== '')
}

export function createCorpus() {
  const sessions = new Map<string, CorpusSession & { folded: string; messages: IndexedMessage[] }>()

  return {
    /** Takes over a part, in the order the server sends them. */
    take({ sessions: all, changed, messages }: CorpusPart): void {
      if (all) {
        const kept = new Map(all.map((session) => [session.id, session]))
        for (const id of sessions.keys()) if (!kept.has(id)) sessions.delete(id)
        for (const session of all)
          sessions.set(session.id, {
            ...session,
            folded: fold(session.title),
            messages: sessions.get(session.id)?.messages ?? [],
          })
      }
      for (const id of changed ?? []) {
        const session = sessions.get(id)
        if (session) session.messages = []
      }
      for (const message of messages) {
        // lines of the product's own are nobody's words
        if (!isRealContent(message.content)) continue
        sessions.get(message.session_id)?.messages.push({ ...message, folded: fold(message.content) })
      }
    },

    /** Conversations whose title or one of whose messages has every word; titles first, then the newest. */
    search(query: string): Hit[] {
      const terms = termsOf(query)
      const found: { hit: Hit; rank: number }[] = []
      for (const { id, title, updated_at, archived = false, folded, messages } of sessions.values()) {
        const inTitle = terms.every((term) => folded.includes(term))
        const message = messages.findLast(({ folded: text }) => terms.every((term) => text.includes(term)))
        if (!inTitle && !message) continue
        found.push({
          rank: inTitle ? 1 : 0,
          hit: {
            sessionId: id,
            title,
            updatedAt: updated_at,
            archived,
            titleMarks: marksOf(folded, terms),
            ...(message && terms.length > 0 && { messageId: message.id, snippet: snippetOf(message, terms) }),
          },
        })
      }
      return found
        .toSorted((a, b) => b.rank - a.rank || b.hit.updatedAt.localeCompare(a.hit.updatedAt))
        .slice(0, maxHits)
        .map(({ hit }) => hit)
    },

    count: () => [...sessions.values()].reduce((sum, { messages }) => sum + messages.length, 0),
  }
}
/** Places of the terms, joined where they touch, in order. */
function marksOf(folded: string, terms: readonly string[]): Mark[] {
  const marks: [number, number][] = []
  for (const term of terms)
    for (let at = folded.indexOf(term); at >= 0; at = folded.indexOf(term, at + term.length))
      marks.push([at, at + term.length])
  const joined: [number, number][] = []
  for (const mark of marks.toSorted(([a], [b]) => a - b)) {
    const last = joined.at(-1)
    if (last && mark[0] <= last[1]) last[1] = Math.max(last[1], mark[1])
    else joined.push(mark)
  }
  return joined
}

/** The surroundings of the first word that is found, on one line, without the marks of Markdown. */
function snippetOf({ content, folded }: IndexedMessage, terms: readonly string[]) {
  const first = Math.min(...terms.map((term) => folded.indexOf(term)))
  let from = Math.max(0, first - beforeMatch)
  if (from > 0) {
    const space = content.indexOf(' ', from)
    if (space >= 0 && space < first) from = space + 1
  }
  const to = Math.min(content.length, from + maxSnippet)
  const lead = from > 0 ? '…' : ''
  const words = content
    .slice(from, to)
    .replaceAll(/```|\*\*|`/g, '')
    .replaceAll(/\s+/g, ' ')
  const text = `${lead}${words}${to < content.length ? '…' : ''}`
  return { text, marks: marksOf(fold(text), terms) }
}
