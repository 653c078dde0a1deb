// A message whose boundary is another one than its header says has no parts for a parser: its text is lost. Gateways repeat headers, fold
// boundaries, and replace them.

/** A boundary in a header, with what stands before it. Headers are shorter than 4,000 characters. */
const declared = /^content-type:[^]{0,500}?\bboundary=(?:"([^"]{1,200})"|([^\s";]{1,200}))/gim
/** RFC 2046 allows 70 characters, and no blank at the end; programs write more. */
const delimiter = /^--([^\r\n]{1,200}?)(--)?[ \t]{0,20}$/gm

/** Of the parts of a message that are looked at. */
const maxHeaders = 1_000

interface Header {
  from: number
  to: number
  boundary: string
  end: number
}

const unfold = (boundary: string) => boundary.replaceAll(/\r?\n(?=[ \t])/g, '').trimEnd()

function listHeaders(message: string): Header[] {
  const headers: Header[] = []
  const blankLine = /\n\r?\n/g
  let blank = 0
  for (const match of message.matchAll(declared)) {
    const [text, quoted, plain = ''] = match
    if (headers.length >= maxHeaders) break
    // a blank line ends the head
    if (/\n\r?\n/.test(text)) continue
    const value = quoted ?? plain
    const to = match.index + text.length - (quoted === undefined ? 0 : 1)
    if (blank < to) {
      blankLine.lastIndex = to
      blank = blankLine.exec(message)?.index ?? Infinity
    }
    headers.push({
      from: to - value.length,
      to,
      boundary: unfold(value),
      end: blank,
    })
  }
  return headers
}

/** Writes the boundaries that the message really has into its headers. @param message a character for each byte */
export function repairBoundaries(message: string): string {
  const headers = listHeaders(message)
  if (headers.length === 0) return message
  const lines = [...message.matchAll(delimiter)].map(([, text = '', end], index, all) => ({
    text: text.trimEnd(),
    isEnd: end !== undefined,
    at: all[index]?.index ?? 0,
  }))
  const used = new Set(lines.map(({ text }) => text))
  const closed = new Set(lines.flatMap(({ text, isEnd }) => (isEnd ? text : [])))
  const known = new Set<string>()
  let repaired = ''
  let at = 0
  for (const { from, to, boundary, end } of headers) {
    let real = boundary
    if (!used.has(boundary)) {
      const first = lines.find((line) => line.at >= end && closed.has(line.text) && !line.isEnd)
      // otherwise it has no parts, and those of the message around it follow
      if (first && !known.has(first.text)) real = first.text
    }
    known.add(real)
    repaired += message.slice(at, from) + real
    at = to
  }
  return repaired + message.slice(at)
}
