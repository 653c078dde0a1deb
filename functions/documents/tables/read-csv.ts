import { detectForm, scanCsv } from '#shared/scan-csv.ts'
import type { ExtractedText } from '../extracted-text.ts'
import { readWithContent } from '../read-text.ts'
import { withoutComments } from './csv-comments.ts'

/** Reads a CSV, or values between tabs: its text, and its rows for calculations. @throws DocumentError if the bytes are not text */
export async function readCsv(bytes: Uint8Array): Promise<ExtractedText> {
  const { extracted, content } = await readWithContent(bytes)
  const form = detectForm(content)
  const rows = withoutComments({ [Symbol.iterator]: () => scanCsv(content, form) })
  return { ...extracted, sheets: [{ name: '', rows, separator: form.separator }] }
}
