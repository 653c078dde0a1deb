import { excerpt } from './words.ts'

/** A web search of the demo model: what it looked for, and which pages its text cites where. */
export interface WebSearch {
  query: string
  citations: Citation[]
}

interface Citation {
  url: string
  title: string
  /** positions in the text: the first character, and the one after the last */
  start: number
  end: number
}

const wantsSearch =
  /\b(?:search|look|find|check|browse)\b.*\b(?:web|internet|online)\b|\bon the (?:web|internet)\b/i
const preamble = /^.*?\b(?:web|internet|online)\b(?:\s+(?:for|about|what|whether|if))?[\s:,]*/i

/**
 * A reply that cites pages, where the message asks for a web search. The demo searches nothing, and answers that. A citation is a link in the
 * text, as OpenAI's models write it.
 */
export function webSearchReply(message: string): { text: string; search: WebSearch } | undefined {
  if (!wantsSearch.test(message)) return undefined
  const query = excerpt(message.replace(preamble, '') || message, 80).replace(/[?!.]+$/, '')
  const citations: Citation[] = []
  let text = `Two pages fit **${query}**. As the demo model I searched nothing, but this is what an answer with sources looks like.`
  for (const [statement, host, title] of pages) {
    const url = `https://${host}/?q=${encodeURIComponent(query)}`
    text += `\n\n${statement} `
    const start = text.length
    text += `([${host}](${url}))`
    citations.push({ url, title: `${title}: ${query}`, start, end: text.length })
  }
  return { text, search: { query, citations } }
}

const pages = [
  ['The first page would tell what it is.', 'example.com', 'What it is'],
  ['The second one would tell what is new about it.', 'example.org', 'News'],
] as const
