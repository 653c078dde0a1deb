import { isUtf8 } from '../files/text-bytes.ts'
import { decodeText } from './decode-text.ts'

// A part of a message whose head does not say its encoding, or says another than its own, loses its letters in a parser: pages declare their
// encoding themselves, and programs send texts as they are stored on their machine.

const textType =
  /^content-type:[ \t]{0,5}text\/(?:plain|html)\b[^\r\n]{0,500}(?:\r?\n[ \t][^\r\n]{0,500}){0,5}/gim
const charset = /\bcharset\s{0,5}=\s{0,5}"?([\w.:-]{1,40})"?/i

/** Parts of a message that are looked at, and how much of each. */
const maxParts = 100
const sampleCharacters = 65_536
const headCharacters = 4_000

function decodeQuotedPrintable(body: string): Buffer {
  const text = body
    .replaceAll(/=[ \t]{0,20}\r?\n/g, '')
    .replaceAll(/=([\dA-F]{2})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
  return Buffer.from(text, 'latin1')
}

function readSample(head: string, body: string): Buffer {
  const [, transfer = ''] = /^content-transfer-encoding:\s{0,5}([\w-]{1,20})/im.exec(head) ?? []
  // the next part begins with a delimiter
  const end = body.search(/\n--[^\s-]/)
  const own = end < 0 ? body : body.slice(0, end)
  if (/^base64$/i.test(transfer)) return Buffer.from(own, 'base64')
  return /^quoted-printable$/i.test(transfer) ? decodeQuotedPrintable(own) : Buffer.from(own, 'latin1')
}

/** Whether a text is UTF-8 of which some bytes are damaged: letters of other encodings are such by chance at most. */
function isDamagedUtf8(bytes: Uint8Array): boolean {
  const text = new TextDecoder().decode(bytes)
  const damaged = text.split('\ufffd').length - 1
  const letters = text.match(/[\u0080-\ufffc\ufffe\uffff]/g)?.length ?? 0
  return letters > 0 && damaged <= letters * 3
}

const isDecodable = (label: string) => {
  try {
    return new TextDecoder(label).encoding !== ''
  } catch {
    return false
  }
}

/** In these, a few pairs of bytes may look like UTF-8. */
const multiByte = /^(?:gb|big5|shift[_-]?jis|sjis|euc-|ks_c|windows-(?:31j|949)|cp9(?:32|36|49|50))/i
const minUtf8Bytes = 6

/** Whether a text that is declared as something else is UTF-8: other texts are such by chance at most. */
function isUnsaidUtf8(sample: Uint8Array, declared: string): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(sample)
  } catch {
    return false
  }
  const letters = sample.reduce((sum, byte) => sum + (byte >= 0x80 ? 1 : 0), 0)
  return letters >= (multiByte.test(declared) ? minUtf8Bytes : 1)
}

/** Writes the fields in UTF-8 that are in another encoding, without lines of a mailbox before them. @param message a character for each byte */
export async function repairFields(message: string): Promise<string> {
  const lines = message.replace(/^(?:\r?\n|>From [^\n]{0,200}\n){1,20}(?=[!-9;-~]{1,80}:)/, '')
  const [blank = ''] = /\r?\n\r?\n/.exec(lines.slice(0, sampleCharacters)) ?? []
  const end = blank === '' ? 0 : lines.indexOf(blank)
  const fields = Buffer.from(lines.slice(0, end), 'latin1')
  if (isUtf8(fields)) return lines
  const declared = charset.exec(lines.slice(0, end))?.[1] ?? ''
  const isKnown = isDecodable(declared) && !/^utf-?8$/i.test(declared)
  const text = isKnown ? new TextDecoder(declared).decode(fields) : (await decodeText(fields)).text
  return Buffer.from(text).toString('latin1') + lines.slice(end)
}

/** Writes the encodings of texts into the heads of their parts that do not have it. @param message a character for each byte */
export async function repairEncodings(message: string): Promise<string> {
  let repaired = ''
  let at = 0
  let count = 0
  for (const match of message.matchAll(textType)) {
    count += 1
    if (count > maxParts) break
    const [type] = match
    const declared = charset.exec(type)?.[1]
    // no letter of another language can be ASCII: it is a default that nobody meant
    const isAscii = /^(?:us-)?ascii$/i.test(declared ?? '')
    const isOther = declared !== undefined && !isAscii && !/^utf-?8$/i.test(declared)
    const to = match.index + type.length
    const [blank = ''] = /\n\r?\n/.exec(message.slice(to, to + sampleCharacters)) ?? []
    const end = blank === '' ? message.length : message.indexOf(blank, to)
    const before = message.slice(Math.max(0, match.index - headCharacters), match.index)
    const start =
      match.index - before.length + Math.max(0, before.lastIndexOf('\n\n'), before.lastIndexOf('\n\r\n'))
    const body = message.slice(end + blank.length, end + blank.length + sampleCharacters)
    const whole = readSample(message.slice(start, end), body)
    // the last letter may be cut off
    const sample =
      body.length < sampleCharacters
        ? whole
        : whole.subarray(0, Math.max(0, whole.lastIndexOf(' '), whole.lastIndexOf('\n')))
    // 7-bit encodings of Japanese begin their letters with an escape character
    const isEscaped = declared === undefined && sample.includes(0x1b)
    const isKept = isOther
      ? !isUnsaidUtf8(sample, declared)
      : !isAscii && (isUtf8(sample) ? !isEscaped : declared !== undefined && isDamagedUtf8(sample))
    if (isKept) continue
    const encoding = isOther ? 'utf-8' : (await decodeText(sample)).encoding
    if (!isDecodable(encoding)) continue
    const known =
      declared === undefined
        ? `${type}; charset="${encoding}"`
        : type.replace(charset, `charset="${encoding}"`)
    repaired += message.slice(at, match.index) + known
    at = to
  }
  return repaired + message.slice(at)
}

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
