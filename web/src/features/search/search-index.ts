import { countsAsMessage } from '#shared/message-content.ts'
import { toComparable, toSearchable } from '../../lib/comparable-text.ts'
import {
  findAll,
  findTerms,
  hasTerm,
  parseSearch,
  type SearchTerm,
  type TextRange,
} from '../../lib/search-terms.ts'
import { createLiteralSnippet, createSnippet, listAddresses, type Snippet } from './search-snippet.ts'

/** A conversation in the index. The index is in memory only. */
export interface IndexedConversation {
  id: string
  title: string
  updated_at: string
  archived?: boolean | undefined
  project_id?: string | undefined
}
/** A message as the service sends it for the index. */
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

/** A conversation that was found. */
export interface Hit {
  sessionId: string
  title: string
  updatedAt: string
  archived: boolean
  projectId?: string
  /** matches in the title: [from, to) */
  titleHighlights: readonly TextRange[]
  /** every word is in the title */
  isInTitle: boolean
  /** the newest matching message; absent when only the title matches */
  messageId?: string
  snippet?: Snippet
}

/** The first results, and how many there are. */
export interface SearchResults {
  hits: readonly Hit[]
  total: number
}

interface IndexedMessage extends SearchableMessage {
  comparable: string
}

/** A message as it is searched: its text, then the addresses of its links, which interrupt no phrase. */
function readMessage(content: string): string {
  const text = toSearchable(content)
  if (!content.includes('](')) return text
  return [text, ...listAddresses(content).map(toComparable)].join('\n')
}

/** A conversation that has the words of a query, and the message that has those which its title lacks. */
interface Match {
  session: IndexedConversation
  isInTitle: boolean
  message: IndexedMessage | undefined
}

/** The words of a query, or the query itself if it has marks alone, which words are compared without. */
function parseQuery(query: string): { terms: readonly SearchTerm[]; literal: string } {
  const terms = parseSearch(query)
  return { terms, literal: terms.length === 0 ? query.trim() : '' }
}

/** Describes a match, with the places of the words that were found. */
function toHit({ session, isInTitle, message }: Match, query: string): Hit {
  const { terms, literal } = parseQuery(query)
  const { id, title, updated_at, archived = false, project_id } = session
  return {
    sessionId: id,
    title,
    updatedAt: updated_at,
    archived,
    isInTitle,
    ...(project_id !== undefined && { projectId: project_id }),
    titleHighlights: literal === '' ? findTerms(title, terms) : findAll(title, literal),
    ...(message &&
      query.trim() !== '' && {
        messageId: message.id,
        snippet:
          literal === ''
            ? createSnippet(message.content, terms)
            : createLiteralSnippet(message.content, literal),
      }),
  }
}

/** Creates an index of conversations and their messages, empty at first. It lives in memory, in the worker of the search. */
export function createSearchIndex() {
  const sessions = new Map<string, IndexedConversation & { comparable: string; messages: IndexedMessage[] }>()

  return {
    /** Adds a part, in the order of the server. */
    ingest({ sessions: all, changed, messages }: SearchIndexPart): void {
      if (all) {
        const sessionsById = new Map(all.map((session) => [session.id, session]))
        for (const id of sessions.keys()) if (!sessionsById.has(id)) sessions.delete(id)
        for (const session of all)
          sessions.set(session.id, {
            ...session,
            comparable: toSearchable(session.title),
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
          ?.messages.push({ ...message, comparable: readMessage(message.content) })
      }
    },

    /**
     * Finds conversations whose title and one message together have every word; those whose title has them first, then the newest. A
     * query of marks alone, which words are compared without, is found as it is written.
     * @param limit so many of them are returned
     */
    search(query: string, limit = 30): SearchResults {
      const { terms, literal } = parseQuery(query)
      const found: Match[] = []
      for (const { messages, comparable: title, ...session } of sessions.values()) {
        const missingTerms = terms.filter((term) => !hasTerm(title, term))
        const isInTitle = missingTerms.length === 0 && session.title.includes(literal)
        const findMessage = (searched: readonly SearchTerm[]) =>
          messages.findLast(
            ({ content, comparable }) =>
              searched.every((term) => hasTerm(comparable, term)) && content.includes(literal),
          )
        const message = findMessage(terms) ?? (isInTitle ? undefined : findMessage(missingTerms))
        if (isInTitle || message) found.push({ session, isInTitle, message })
      }
      const hits = found
        .toSorted(
          (a, b) =>
            Number(b.isInTitle) - Number(a.isInTitle) ||
            b.session.updated_at.localeCompare(a.session.updated_at),
        )
        .slice(0, limit)
        .map((match) => toHit(match, query))
      return { hits, total: found.length }
    },

    countMessages: () => [...sessions.values()].reduce((sum, { messages }) => sum + messages.length, 0),
  }
}
