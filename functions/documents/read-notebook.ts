import * as z from 'zod'
import { OmissionCounter, TextCollector, type ExtractedText } from './extracted-text.ts'
import { readHtmlText } from './html-text.ts'
import { LetterLedger } from './letter-ledger.ts'
import { readText } from './read-text.ts'
import { showTerminal } from './terminal-text.ts'

const lines = z
  .union([z.string(), z.array(z.union([z.string(), z.array(z.string())]))])
  // programs write lists within the list
  .transform((value) => (typeof value === 'string' ? value : value.flat().join('')))
  .catch('')

const output = z.object({
  output_type: z.string().catch(''),
  text: lines.optional(),
  data: z.record(z.string(), z.unknown()).catch({}).default({}),
  ename: z.string().catch('').optional(),
  evalue: z.string().catch('').optional(),
  traceback: z
    .array(z.string())
    .transform((all) => all.join('\n'))
    .catch('')
    .optional(),
  // nbformat 3 has no `data`
  html: lines.optional(),
  png: z.unknown().optional(),
})

const anyOutput = output.catch({ output_type: '', data: {} })

const cell = z.object({
  cell_type: z.string().catch('code'),
  source: lines.optional(),
  // the code of nbformat 3
  input: lines.optional(),
  execution_count: z.number().nullable().catch(null).default(null),
  // nbformat 3
  prompt_number: z.number().optional().catch(undefined),
  level: z.int().min(1).max(6).catch(1).optional(),
  attachments: z.record(z.string(), z.unknown()).catch({}).default({}),
  outputs: z.array(anyOutput).catch([]).default([]),
})
const cellList = z.array(cell.catch({ cell_type: '', execution_count: null, attachments: {}, outputs: [] }))

const notebook = z.object({
  cells: cellList.optional(),
  // nbformat 3
  worksheets: z.array(z.object({ cells: cellList })).optional(),
  metadata: z
    .object({ language_info: z.object({ name: z.string() }).optional().catch(undefined) })
    .catch({})
    .default({}),
})
type Notebook = z.infer<typeof notebook>
type Output = z.infer<typeof output>

/** A fence that the content does not close. */
const fence = (content: string) =>
  '`'.repeat(Math.max(3, ...(content.match(/`+/g) ?? []).map((run) => run.length + 1)))

function formatCode(code: string, language: string): string {
  const mark = fence(code)
  return `${mark}${language}\n${code}\n${mark}`
}

const dataUri = /(data:image\/[\w.+-]{1,40};base64,)[\w+/=-]{40,}/g

function formatProse(source: string, attachments: object, omissions: OmissionCounter): string {
  omissions.add('pictures', Object.keys(attachments).length)
  return source.replaceAll(dataUri, (_, start: string) => {
    omissions.add('pictures')
    return `${start}…`
  })
}

/** What only its own program shows: its text is the name of its class. */
const widgetType = 'application/vnd.jupyter.widget-view+json'

function formatOutput(
  { output_type, text, html: oldHtml, png, ename, evalue, traceback, ...rest }: Output,
  omissions: OmissionCounter,
): string {
  const data = {
    ...(oldHtml !== undefined && { 'text/html': oldHtml }),
    ...(png !== undefined && { 'image/png': png }),
    ...rest.data,
  } as Output['data']
  if (output_type === 'error' || output_type === 'pyerr') {
    const summary = `${ename ?? ''}: ${evalue ?? ''}`
    const trace = showTerminal(traceback ?? '').trimEnd()
    return trace === '' || trace.includes(summary) ? trace || summary : `${trace}\n${summary}`
  }
  if (widgetType in data) {
    omissions.add('outputs')
    return ''
  }
  const types = Object.keys(data)
  omissions.add('pictures', types.some((type) => type.startsWith('image/')) ? 1 : 0)
  // the page of an output has its table in rows; its text may be a name only
  const html = lines.parse(data['text/html'])
  const page = html === '' ? '' : readHtmlText(html, { omissions })
  const plain = showTerminal(
    text ?? lines.parse(data['text/markdown'] ?? data['text/plain'] ?? data['text/latex']),
  ).trimEnd()
  const shown = page.includes('\t') || plain === '' ? page.replace(/\n$/, '') || plain : plain
  const json =
    shown === '' && data['application/json'] !== undefined ? JSON.stringify(data['application/json']) : shown
  // what only programs show
  if (json === '' && types.length > 0 && !types.some((type) => type.startsWith('image/')))
    omissions.add('outputs')
  return json
}

function formatCells({ cells, worksheets = [], metadata }: Notebook, omissions: OmissionCounter): string {
  const language = metadata.language_info?.name ?? ''
  const ledger = new LetterLedger()
  const given = (cells ?? worksheets.flatMap((sheet) => sheet.cells)).flatMap((one, index) => {
    const { cell_type, input = '', source = input, level = 1, attachments } = one
    const isCode = cell_type === 'code'
    const shown = one.outputs.map((output) => formatOutput(output, omissions)).filter((text) => text !== '')
    const content = isCode ? source : formatProse(source, attachments, omissions)
    for (const text of [content, one.source === undefined ? '' : input, ...shown]) {
      ledger.receive(text)
      ledger.endLine()
    }
    if (!isCode) return cell_type === 'heading' && source !== '' ? `${'#'.repeat(level)} ${source}` : content
    const label = `In [${one.execution_count ?? one.prompt_number ?? index + 1}]:`
    ledger.write(`${label}${language}Out:`)
    return [
      `${label}\n${formatCode(source, language)}`,
      ...(shown.length > 0 ? [`Out:\n${formatCode(shown.join('\n'), '')}`] : []),
    ]
  })
  return ledger
    .settle(given, omissions)
    .filter((part) => part.trim() !== '')
    .join('\n\n')
}

/** What is not a notebook is read as text. @throws DocumentError if the bytes are not text */
export async function readNotebook(bytes: Uint8Array): Promise<ExtractedText> {
  const omissions = new OmissionCounter()
  const source = new TextDecoder().decode(bytes)
  const content = parseNotebook(source)
  const cells = content ? formatCells(content, omissions) : ''
  if (cells === '') return readText(bytes)
  const text = new TextCollector()
  text.add(cells)
  return { ...text.end(), ...omissions.list() }
}

function parseNotebook(source: string): Notebook | undefined {
  try {
    return notebook.parse(JSON.parse(source))
  } catch {
    return undefined
  }
}
