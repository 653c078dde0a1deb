import { isRecord, type RequestMessage } from './chat-request.ts'
import { excerpt } from './words.ts'

const maxRows = 10
const maxColumns = 5
const maxCell = 80

/** Writes the answer to a user's message from what the called tools gave back, and from nothing else. */
export function answerFromResults(messages: readonly RequestMessage[]): string {
  const start = messages.findLastIndex(({ role }) => role === 'user')
  const turn = messages.slice(start + 1)
  const names = new Map(turn.flatMap(({ calls }) => calls).map(({ id, name }) => [id, name]))
  const sections = turn
    .filter(({ role }) => role === 'tool')
    .map(({ text, toolCallId }) => resultText(names.get(toolCallId ?? '') ?? 'the tool', text))
  return sections.join('\n\n')
}

function resultText(tool: string, text: string): string {
  const value = parsed(text)
  const problem = errorOf(value)
  if (problem !== undefined)
    return `\`${tool}\` did not work: ${excerpt(problem, 300)}\n\nNothing was changed. Shall I try again, or do it another way?`
  if (isRecord(value) && typeof value['attachmentId'] === 'string')
    return `Here it is: \`${scalar(value['name'])}\`. I am a demo, so the picture says no more than that.`
  const { label, data } = unwrap(value)
  if (Array.isArray(data)) {
    if (data.length === 0) return `\`${tool}\` found nothing.`
    const count = `${data.length} ${data.length === 1 ? 'entry' : 'entries'}`
    return `Here is what \`${tool}\` found${label ? ` under **${label}**` : ''}, ${count}:\n\n${listText(data)}`
  }
  if (isRecord(data)) return `\`${tool}\` is done. It says:\n\n${fieldsText(data)}`
  return `\`${tool}\` answered:\n\n${quote(scalar(data))}`
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // plain text is a result as well
    return text
  }
}

function errorOf(value: unknown): string | undefined {
  if (!isRecord(value)) return undefined
  if (value['success'] !== false && value['isError'] !== true && !value['error']) return undefined
  const { error, message } = value
  const nested = isRecord(error) ? error['message'] : error
  return scalar(nested ?? message ?? 'it gave no reason')
}

/** The part of a result that matters: the first list inside it, or the object itself. */
function unwrap(value: unknown, label = ''): { label: string; data: unknown } {
  if (!isRecord(value)) return { label, data: value }
  const inner = value['data'] ?? value['result']
  if (inner !== undefined && inner !== null) return unwrap(inner, label)
  const list = Object.entries(value).find(([, member]) => Array.isArray(member))
  return list ? { label: list[0], data: list[1] } : { label, data: value }
}

function listText(items: unknown[]): string {
  const shown = items.slice(0, maxRows)
  const more = items.length > maxRows ? `\n\n…and ${items.length - maxRows} more.` : ''
  const records = shown.filter(isRecord)
  if (records.length !== shown.length) return shown.map((item) => `- ${cell(item)}`).join('\n') + more
  const all = [...new Set(records.flatMap((record) => Object.keys(record)))]
  // ids say nothing to people, where there is anything else
  const telling = all.filter((name) => !/^id$|_id$|[a-z]Id$/.test(name))
  const columns = (telling.length > 0 ? telling : all).slice(0, maxColumns)
  const row = (cells: string[]) => `| ${cells.join(' | ')} |`
  const body = records.map((record) => row(columns.map((column) => cell(record[column]))))
  return [row(columns.map(cell)), row(columns.map(() => '---')), ...body].join('\n') + more
}

function fieldsText(record: Record<string, unknown>): string {
  return Object.entries(record)
    .slice(0, 2 * maxRows)
    .map(([name, value]) => `- **${cell(name)}**: ${cell(value)}`)
    .join('\n')
}

const cell = (value: unknown) => excerpt(scalar(value), maxCell).replaceAll('|', '\\|')
const quote = (text: string) => excerpt(text, 2_000).replace(/^/gm, '> ')

function scalar(value: unknown): string {
  if (value === undefined || value === null) return '–'
  if (typeof value === 'string') return value
  return JSON.stringify(value)
}
