/** Texts, names and comments in their signs, words, numbers, and other signs; what is not closed goes to the end. */
const tokens =
  /'(?:[^']|'')*(?:'|$)|"(?:[^"]|"")*(?:"|$)|`[^`]*(?:`|$)|\[[^\]]*(?:\]|$)|--[^\n]*|\/\*[^]*?(?:\*\/|$)|\s+|[\p{L}_][\p{L}\p{N}_$]*|[^]/guy

export interface Token {
  text: string
  start: number
  end: number
}

export const listTokens = (sql: string): Token[] =>
  Array.from(sql.matchAll(tokens), ({ 0: text, index: start }) => ({
    text,
    start,
    end: start + text.length,
  })).filter(({ text }) => !/^(?:\s|--|\/\*)/.test(text))

export const isWord = (text: string): boolean => /^[\p{L}_]/u.test(text)
