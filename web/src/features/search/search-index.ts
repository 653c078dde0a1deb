import { countsAsMessage } from '#shared/message-content.ts'

/** A conversation in the index. The index is in memory only. */
export interface IndexedConversation {
  id: string
  title: string
  updated_at: string
  archived?: boolean | undefined
  project_id?: string | undefined
}
export interface SearchableMessage {
  id: string
  session_id: string
  role: 'user' | 'assistant'
  content: string
  created_at: string
}

/** One response of the corpus route. */
export interface SearchIndexPart {
  sessions: readonly IndexedConversation[] | null
  changed: readonly string[] | null
  messages: readonly SearchableMessage[]
}

export interface Hit {
  sessionId: string
  title: string
  updatedAt: string
  archived: boolean
  projectId?: string
  /** matches in the title: [from, to) */
  titleHighlights: readonly HighlightRange[]
  /** the newest matching message; absent when only the title matches */
  messageId?: string
  snippet?: { text: string; highlights: readonly HighlightRange[] }
}
export type HighlightRange = readonly [from: number, to: number]

interface IndexedMessage extends SearchableMessage {
  normalized: string
}

const maxHits = 30
const maxSnippetCharacters = 140
const charactersBeforeMatch = 40

/**
 * Normalises case and accents. The result has the same length, so that offsets are valid in both; a letter that would become several
 * letters is not changed.
 */
export function normalizeText(text: string): string {
  const lower = text.toLowerCase()
  // some letters become longer in lower case, such as the Turkish dotted I
  const source =
    lower.length === text.length ? lower : text.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase())
  return source.replaceAll(/[^\p{ASCII}]/gu, normalizeLetter)
}

/** A cache, because normalising is slow. */
const normalizedLetters = new Map<string, string>()

function normalizeLetter(letter: string): string {
  const known = normalizedLetters.get(letter)
  if (known !== undefined) return known
  const plain = letter.toLowerCase().normalize('NFD').replaceAll(/\p{M}/gu, '')
  const result = plain.length === letter.length ? plain : letter
  normalizedLetters.set(letter, result)
  return result
}

/** Parses the words of a query; quotes group words. */
export function parseTerms(query: string): string[] {
  const terms = [...query.matchAll(/"([^"]+)"?|(\S+)/g)].map(([, phrase, word]) =>
    normalizeText(phrase ?? word ?? '').trim(),
  )
  return [...new Set(terms)].filter((term) => term !== '')
}

/** Creates an empty search index. */
export function createSearchIndex() {
  const sessions = new Map<string, IndexedConversation & { normalized: string; messages: IndexedMessage[] }>()

  return {
    /** Adds a part, in the order of the server. */
    ingest({ sessions: all, changed, messages }: SearchIndexPart): void {
      if (all) {
        const sessionsById = new Map(all.map((session) => [session.id, session]))
        for (const id of sessions.keys()) if (!sessionsById.has(id)) sessions.delete(id)
        for (const session of all)
          sessions.set(session.id, {
            ...session,
            normalized: normalizeText(session.title),
            messages: sessions.get(session.id)?.messages ?? [],
          })
      }
      for (const id of changed ?? []) {
        const session = sessions.get(id)
        if (session) session.messages = []
      }
      for (const message of messages) {
        // skip internal messages
        if (!countsAsMessage(message.content)) continue
        sessions
          .get(message.session_id)
          ?.messages.push({ ...message, normalized: normalizeText(message.content) })
      }
    },

    /** Finds conversations whose title or one message has every word; title matches first, then the newest. */
    search(query: string): Hit[] {
      const terms = parseTerms(query)
      const hits: { hit: Hit; rank: number }[] = []
      for (const {
        id,
        title,
        updated_at,
        archived = false,
        project_id,
        normalized,
        messages,
      } of sessions.values()) {
        const isInTitle = terms.every((term) => normalized.includes(term))
        const message = messages.findLast(({ normalized: text }) =>
          terms.every((term) => text.includes(term)),
        )
        if (!isInTitle && !message) continue
        hits.push({
          rank: isInTitle ? 1 : 0,
          hit: {
            sessionId: id,
            title,
            updatedAt: updated_at,
            archived,
            ...(project_id !== undefined && { projectId: project_id }),
            titleHighlights: findHighlights(normalized, terms),
            ...(message &&
              terms.length > 0 && { messageId: message.id, snippet: createSnippet(message, terms) }),
          },
        })
      }
      return hits
        .toSorted((a, b) => b.rank - a.rank || b.hit.updatedAt.localeCompare(a.hit.updatedAt))
        .slice(0, maxHits)
        .map(({ hit }) => hit)
    },

    countMessages: () => [...sessions.values()].reduce((sum, { messages }) => sum + messages.length, 0),
  }
}
/** Ranges of the terms in order; overlapping ones are merged. */
function findHighlights(normalized: string, terms: readonly string[]): HighlightRange[] {
  const highlights: [number, number][] = []
  for (const term of terms)
    for (
      let offset = normalized.indexOf(term);
      offset >= 0;
      offset = normalized.indexOf(term, offset + term.length)
    )
      highlights.push([offset, offset + term.length])
  const merged: [number, number][] = []
  for (const range of highlights.toSorted(([a], [b]) => a - b)) {
    const last = merged.at(-1)
    if (last && range[0] <= last[1]) last[1] = Math.max(last[1], range[1])
    else merged.push(range)
  }
  return merged
}

/** The text around the first match, on one line, without Markdown. */
function createSnippet({ content, normalized }: IndexedMessage, terms: readonly string[]) {
  const first = Math.min(...terms.map((term) => normalized.indexOf(term)))
  let from = Math.max(0, first - charactersBeforeMatch)
  if (from > 0) {
    const space = content.indexOf(' ', from)
    if (space >= 0 && space < first) from = space + 1
  }
  const to = Math.min(content.length, from + maxSnippetCharacters)
  const prefix = from > 0 ? '…' : ''
  const words = content
    .slice(from, to)
    .replaceAll(/```|\*\*|`/g, '')
    .replaceAll(/\s+/g, ' ')
  const text = `${prefix}${words}${to < content.length ? '…' : ''}`
  return { text, highlights: findHighlights(normalizeText(text), terms) }
}
