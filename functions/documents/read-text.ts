import { DocumentError, TextCollector, type Extracted } from './extracted.ts'

/** Encoding marks at the beginning of a file. */
function markedEncoding([a, b, c]: Uint8Array): string | undefined {
  if (a === 0xef && b === 0xbb && c === 0xbf) return 'utf-8'
  if (a === 0xff && b === 0xfe) return 'utf-16le'
  if (a === 0xfe && b === 0xff) return 'utf-16be'
  return undefined
}

/** Text of two bytes a letter without a mark has its zeros on one side. */
function wideEncoding(bytes: Uint8Array): string | undefined {
  const sample = bytes.subarray(0, 4_096)
  let even = 0
  let odd = 0
  sample.forEach((byte, index) => {
    if (byte !== 0) return
    if (index % 2 === 0) even += 1
    else odd += 1
  })
  const most = sample.length / 4
  if (odd > most && even < odd / 20) return 'utf-16le'
  return even > most && odd < even / 20 ? 'utf-16be' : undefined
}

/** UTF-8, what its mark says, two bytes a letter, or else the old Western encoding, which takes anything. */
function decode(bytes: Uint8Array): string {
  const encoding = markedEncoding(bytes) ?? wideEncoding(bytes)
  if (encoding) return new TextDecoder(encoding).decode(bytes)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    // not UTF-8: read as what such files mostly are
    return new TextDecoder('windows-1252').decode(bytes)
  }
}

/** @throws DocumentError for bytes that are no text */
export function readText(bytes: Uint8Array): Extracted {
  const content = decode(bytes)
  if (content.includes('\0')) throw new DocumentError('unreadable', 'binary content')
  const text = new TextCollector()
  text.add(content.replaceAll('\r\n', '\n'))
  return text.end()
}
