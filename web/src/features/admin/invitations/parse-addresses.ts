/** An address, and the line of the list that it is in, counted from 1. */
export interface ListedAddress {
  line: number
  email: string
}

/**
 * Reads addresses from a list with one in each line, or from a CSV with one in a column: with commas, semicolons or tabs, with quotes or without.
 * A line without an address stays as it is, so that its result can say so; a first line without one is the head of a table.
 */
export function parseAddresses(text: string): ListedAddress[] {
  const lines = text.replace(/^\uFEFF/, '').split(/\r\n|\r|\n/)
  const found = lines.flatMap((line, index) => {
    const cells = line.split(/[,;\t]/).map((cell) => cell.replaceAll('"', '').trim())
    const email = cells.find((cell) => cell.includes('@')) ?? cells.find((cell) => cell !== '')
    return email === undefined ? [] : [{ line: index + 1, email: unwrap(email) }]
  })
  const [first, ...others] = found
  return first && !first.email.includes('@') && others.some(({ email }) => email.includes('@'))
    ? others
    : found
}

/** `Ann <ann@example.com>`, as mail programs copy it. */
function unwrap(text: string): string {
  const inside = text.endsWith('>') ? text.slice(text.lastIndexOf('<') + 1, -1).trim() : ''
  return inside.includes('@') ? inside : text
}
