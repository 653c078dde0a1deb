import { detectForm, scanCsv, type CsvForm, type CsvRow } from '#shared/scan-csv.ts'
import type { ExtractedText } from '../extracted-text.ts'
import { readText } from '../read-text.ts'
import { withoutComments } from './csv-comments.ts'

/** Programs write `="00123"`, so that a workbook keeps the zeros. */
const readFormula = (cell: string) => {
  if (!cell.startsWith('="') || !cell.endsWith('"') || cell.length < 3) return cell
  const text = cell.slice(2, -1)
  return text.replaceAll('""', '').includes('"') ? cell : text.replaceAll('""', '"')
}

function* readRows(content: string, form: CsvForm): Generator<CsvRow> {
  for (const { number, cells } of scanCsv(content, form)) yield { number, cells: cells.map(readFormula) }
}

export async function readCsv(bytes: Uint8Array): Promise<ExtractedText> {
  let content = ''
  const extracted = await readText(bytes, (decoded) => (content = decoded))
  const form = detectForm(content)
  const rows = withoutComments({ [Symbol.iterator]: () => readRows(content, form) })
  return { ...extracted, sheets: [{ name: '', rows, separator: form.separator }] }
}
