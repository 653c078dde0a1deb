import { countsAsMessage } from '#shared/message-content.ts'
import { toComparable, toSearchable, inlineMark, linkEnd } from '../../lib/text/comparable-text.ts'
import {
  findAll,
  findTerms,
  hasTerm,
  parseSearch,
  type SearchTerm,
  type TextRange,
} from '../../lib/text/search-terms.ts'
import { removeMarks } from '#shared/session-title.ts'
import { truncate } from '#shared/truncate.ts'

/** A conversation as the service sends it for the index. */
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
  content: string
  /** what the page shows of it besides its text */
  details?: string | undefined
}

/** One response of the corpus route. */
export interface SearchIndexPart {
  /** all conversations that there are; null in the parts after the first one */
  sessions: readonly IndexedConversation[] | null
  /** ids of the conversations whose messages follow, in place of those that are known; null in the parts after the first one */
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
  /** every word is in the title; always for an empty query */
  isInTitle: boolean
  /** the newest message with every word, or else with those that the title lacks; absent if only the title has them */
  messageId?: string
  snippet?: Snippet
}

/** The first results, and how many there are. */
export interface SearchResults {
  hits: readonly Hit[]
  total: number
}

interface IndexedMessage extends SearchableMessage {
  /** the text that is searched, see `readMessage` */
  comparable: string
}

/** A message as it is searched: its text, then the addresses of its links, which interrupt no phrase, and its details. */
function readMessage({ content, details = '' }: SearchableMessage): string {
  const addresses = content.includes('](') ? listAddresses(content) : []
  return [
    toSearchable(content),
    ...addresses.map(toComparable),
    ...(details === '' ? [] : [toSearchable(details)]),
  ].join('\n')
}

/** A conversation that has the words of a query, and the message that has those which its title lacks. */
interface Match {
  session: IndexedConversation
  isInTitle: boolean
  message: IndexedMessage | undefined
}

interface ParsedQuery {
  terms: readonly SearchTerm[]
  /** the query itself if it has no terms: quotation marks, or marks of Markdown, alone; else empty */
  literal: string
}

function parseQuery(query: string, options?: Parameters<typeof parseSearch>[1]): ParsedQuery {
  const terms = parseSearch(query, options)
  return { terms, literal: terms.length === 0 ? query.trim() : '' }
}

/** Describes a match, with the places of the words that were found. */
function toHit({ session, isInTitle, message }: Match, { terms, literal }: ParsedQuery): Hit {
  const isLiteral = literal !== ''
  const { id, title, updated_at, archived = false, project_id } = session
  return {
    sessionId: id,
    title,
    updatedAt: updated_at,
    archived,
    isInTitle,
    ...(project_id !== undefined && { projectId: project_id }),
    titleHighlights: isLiteral ? findAll(title, literal) : findTerms(title, terms),
    // an empty query finds every message, and is found in none
    ...(message &&
      (isLiteral || terms.length > 0) && {
        messageId: message.id,
        snippet: isLiteral ? createLiteralSnippet(message.content, literal) : createSnippet(message, terms),
      }),
  }
}

/** A conversation as it is searched. */
interface IndexEntry extends IndexedConversation {
  /** of the title */
  comparable: string
  messages: IndexedMessage[]
}

/** Finds a query in a conversation: its title and one message together have every word. @returns undefined if it is not there */
function findMatch(
  { messages, comparable: title, ...session }: IndexEntry,
  { terms, literal }: ParsedQuery,
): Match | undefined {
  const missingTerms = terms.filter((term) => !hasTerm(title, term))
  const isInTitle = missingTerms.length === 0 && session.title.includes(literal)
  const findMessage = (searched: readonly SearchTerm[]) =>
    messages.findLast(
      ({ content, comparable }) =>
        searched.every((term) => hasTerm(comparable, term)) && content.includes(literal),
    )
  const message = findMessage(terms) ?? (isInTitle ? undefined : findMessage(missingTerms))
  return isInTitle || message ? { session, isInTitle, message } : undefined
}

/** Conversations with the query in their title first, then the newest. */
const compareMatches = (a: Match, b: Match): number =>
  Number(b.isInTitle) - Number(a.isInTitle) || b.session.updated_at.localeCompare(a.session.updated_at)

/** Creates an index of conversations and their messages, empty at first. It lives in memory, in the worker of the search. */
export function createSearchIndex() {
  const entries = new Map<string, IndexEntry>()

  /** Sets the conversations that there are, with the messages that are indexed already. */
  const replaceConversations = (sessions: readonly IndexedConversation[]) => {
    const ids = new Set(sessions.map(({ id }) => id))
    for (const id of entries.keys()) if (!ids.has(id)) entries.delete(id)
    for (const session of sessions) {
      const messages = entries.get(session.id)?.messages ?? []
      entries.set(session.id, { ...session, comparable: toSearchable(session.title), messages })
    }
  }

  return {
    /** Adds a part, in the order of the server. */
    ingest({ sessions, changed, messages }: SearchIndexPart): void {
      if (sessions) replaceConversations(sessions)
      for (const id of changed ?? []) {
        const entry = entries.get(id)
        if (entry) entry.messages = []
      }
      for (const message of messages) {
        // internal messages say nothing
        const shown = { ...message, content: countsAsMessage(message.content) ? message.content : '' }
        if (shown.content === '' && !shown.details) continue
        entries.get(message.session_id)?.messages.push({ ...shown, comparable: readMessage(shown) })
      }
    },

    /**
     * Finds conversations whose title and one message together have every word; those whose title has them first, then the newest. A
     * query of quotation marks or marks of Markdown alone is found as it is written; an empty one finds every conversation.
     * Marks at a word are ignored if nothing is found with them.
     * @param limit how many of them are returned at most
     */
    search(query: string, limit: number): SearchResults {
      const findMatches = (parsed: ParsedQuery) => ({
        parsed,
        matches: [...entries.values()].flatMap((entry) => findMatch(entry, parsed) ?? []),
      })
      const asWritten = findMatches(parseQuery(query))
      const { parsed: parsedQuery, matches } =
        asWritten.matches.length > 0 ? asWritten : findMatches(parseQuery(query, { withoutMarks: true }))
      const hits = matches
        .toSorted(compareMatches)
        .slice(0, limit)
        .map((match) => toHit(match, parsedQuery))
      return { hits, total: matches.length }
    },
  }
}

/** The part of a message that shows what was found in it. */
interface Snippet {
  text: string
  highlights: readonly TextRange[]
}

/** About what a line of the results shows. */
const maxSnippetCharacters = 140
/** How much of the text stands before the match, so that the match is seen in a narrow window, too. */
const charactersBeforeMatch = 40
/** The longest text of a link that is found in Markdown: without a limit, many brackets would take long. */
const maxLinkTextCharacters = 300

const linkEnds = new RegExp(linkEnd, 'gu')
/** The line below the head of a table, and one that is drawn. */
const tableRule = /^[ \t]{0,20}[|:-][ \t|:-]{2,1000}$/gm
const inlineMarks = new RegExp(inlineMark, 'gu')
const links = new RegExp(String.raw`!?\[([^[\]\n]{0,${maxLinkTextCharacters}})${linkEnd.source}`, 'gu')

/** The addresses of the links in a message. */
const listAddresses = (content: string): string[] =>
  [...content.matchAll(linkEnds)].map(([end]) => end.slice(2, -1))

/** The text around the first occurrence of a query without terms, on one line. */
function createLiteralSnippet(content: string, literal: string): Snippet {
  const text = content.replaceAll(/\s+/g, ' ')
  return cutSnippet(text, Math.max(0, text.indexOf(literal)), (cut) => findAll(cut, literal))
}

/**
 * The text around the first match, on one line and without most Markdown; or the address of a link, or the details of the message, around their
 * match.
 */
function createSnippet(
  { content, details = '' }: { content: string; details?: string | undefined },
  terms: readonly SearchTerm[],
): Snippet {
  const text = removeMarks(
    content.replaceAll(tableRule, '').replaceAll(links, '$1').replaceAll(inlineMarks, ''),
  )
    // where no blank tells it from a sign, as in Chinese
    .replaceAll('**', '')
    .replaceAll(/\s+/g, ' ')
  const highlight = (cut: string) => findTerms(cut, terms)
  for (const whole of [text, ...listAddresses(content), details.replaceAll(/\s+/g, ' ')]) {
    const [first] = findTerms(whole, terms)
    if (first) return cutSnippet(whole, first[0], highlight)
  }
  return cutSnippet(text, 0, highlight)
}

/** Cuts what surrounds a match. @param matchStart where it begins @param findHighlights finds the matches in the part that is shown */
function cutSnippet(
  whole: string,
  matchStart: number,
  findHighlights: (text: string) => readonly TextRange[],
): Snippet {
  let from = Math.max(0, matchStart - charactersBeforeMatch)
  if (from > 0) {
    // from the next word on
    const space = whole.indexOf(' ', from)
    if (space >= 0 && space < matchStart) from = space + 1
    // not between the halves of a surrogate pair
    else if (/[\udc00-\udfff]/.test(whole.charAt(from))) from += 1
  }
  const rest = whole.slice(from)
  const isWhole = rest.length <= maxSnippetCharacters
  const text = `${from > 0 ? '…' : ''}${truncate(rest, maxSnippetCharacters)}${isWhole ? '' : '…'}`
  return { text, highlights: findHighlights(text) }
}
