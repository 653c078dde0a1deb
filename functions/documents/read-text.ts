import { DocumentError, TextCollector, type ExtractedText } from './extracted-text.ts'

/** @returns the encoding of the byte order mark */
function detectByteOrderMark([a, b, c]: Uint8Array): string | undefined {
  if (a === 0xef && b === 0xbb && c === 0xbf) return 'utf-8'
  if (a === 0xff && b === 0xfe) return 'utf-16le'
  if (a === 0xfe && b === 0xff) return 'utf-16be'
  return undefined
}

/** Detects UTF-16 without a byte order mark: most bytes at even, or at odd, positions are zeros. */
function detectUtf16(bytes: Uint8Array): string | undefined {
  const sample = bytes.subarray(0, 4_096)
  let evenZeros = 0
  let oddZeros = 0
  sample.forEach((byte, index) => {
    if (byte !== 0) return
    if (index % 2 === 0) evenZeros += 1
    else oddZeros += 1
  })
  const threshold = sample.length / 4
  if (oddZeros > threshold && evenZeros < oddZeros / 20) return 'utf-16le'
  return evenZeros > threshold && oddZeros < evenZeros / 20 ? 'utf-16be' : undefined
}

/** Decodes UTF-16, UTF-8, or else Windows-1252, which accepts any bytes. */
function decode(bytes: Uint8Array): string {
  const encoding = detectByteOrderMark(bytes) ?? detectUtf16(bytes)
  if (encoding) return new TextDecoder(encoding).decode(bytes)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    // most files that are not UTF-8 are Windows-1252
    return new TextDecoder('windows-1252').decode(bytes)
  }
}

/** @throws DocumentError if the bytes are not text */
export function readText(bytes: Uint8Array): ExtractedText {
  const content = decode(bytes)
  if (content.includes('\0')) throw new DocumentError('unreadable', 'binary content')
  const text = new TextCollector()
  text.add(content.replaceAll('\r\n', '\n'))
  return text.end()
}
