import { parseJson } from '#shared/parse-json.ts'
import { isRecord, type RequestMessage } from './model-request.ts'
import { isSearchResult } from './tool-choice.ts'
import { describeRows, withoutTableNote } from './table-query.ts'
import { excerpt } from './words.ts'

const maxRows = 10
const maxColumns = 5
const maxCell = 80

const moment = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' })
const isMoment = (text: string) =>
  /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d+)?)?Z$/.test(text) && !Number.isNaN(Date.parse(text))

/** Writes the reply to a user message from the tool results alone. */
export function replyFromResults(messages: readonly RequestMessage[]): string {
  const start = messages.findLastIndex(({ role }) => role === 'user')
  const turn = messages.slice(start + 1)
  const names = new Map(turn.flatMap(({ calls }) => calls).map(({ id, name }) => [id, name]))
  const sections = turn
    .filter(({ role }, index) => role === 'tool' && !isSearchResult(turn, index))
    .map((result) => [
      resultText(names.get(result.toolCallId ?? '') ?? 'the tool', result.text),
      ...seenText(result),
    ])
    .map((parts) => parts.join('\n\n'))
  return sections.join('\n\n')
}

/** What the model was shown, as proof that it was. */
const seenText = ({ images }: RequestMessage): string[] =>
  images.map(({ type, bytes }) => `I see the image: ${type}, ${Math.ceil(bytes / 1_024)} KB.`)

function resultText(tool: string, text: string): string {
  const value = parseJson(withoutTableNote(text)) ?? text
  const problem = findError(value)
  if (problem?.includes('denied')) return `Then \`${tool}\` does nothing. Tell me what should be different.`
  if (problem !== undefined)
    return `\`${tool}\` did not work: ${excerpt(problem, 300)}\n\nNothing was changed. Shall I try again, or do it another way?`
  if (isRecord(value) && typeof value['attachmentId'] === 'string')
    return `Here it is: \`${scalar(value['name'])}\`. I am a demo, so the image says no more than that.`
  if (isRecord(value) && tool === 'remember') return `I will remember that: ${scalar(value['text'])}.`
  if (isRecord(value) && tool === 'forget') return `I have forgotten that: ${scalar(value['text'])}.`
  if (isRecord(value) && isRecord(value['schedule'])) return scheduleText(tool, value, value['schedule'])
  const described = tool === 'query_table' && isRecord(value) ? describeRows(value) : undefined
  if (described !== undefined) return described
  const { label, data } = unwrap(value)
  if (Array.isArray(data)) {
    const what = label ? formatFieldName(label).toLowerCase() : 'entries'
    if (data.length === 0) return `\`${tool}\` found no ${what}.`
    const count =
      data.length === 1 ? `1 ${what.replace(/ies$/, 'y').replace(/s$/, '')}` : `${data.length} ${what}`
    return `\`${tool}\` found ${count}:\n\n${listText(data)}`
  }
  if (isRecord(data)) return `That is done. \`${tool}\` says:\n\n${fieldsText(data)}`
  return `\`${tool}\` answered:\n\n${quote(scalar(data))}`
}

function scheduleText(
  tool: string,
  result: Record<string, unknown>,
  schedule: Record<string, unknown>,
): string {
  if (result['deleted'] === true) return 'The schedule is deleted.'
  if (result['already_existed'] === true) return 'You have this schedule already, so I created no other.'
  if (schedule['paused_because'] !== undefined) return 'The schedule is paused.'
  const [next] = Array.isArray(schedule['next_runs']) ? schedule['next_runs'] : []
  const done = tool === 'create_schedule' ? 'The schedule is created' : 'The schedule is changed'
  return `${done}. It runs next on ${scalar(next)} (${scalar(schedule['time_zone'])}).`
}

function findError(value: unknown): string | undefined {
  if (typeof value === 'string') return /^Error: (.*)/s.exec(value)?.[1]
  if (!isRecord(value)) return undefined
  if (value['success'] !== false && value['isError'] !== true && !value['error']) return undefined
  const { error, message } = value
  const nested = isRecord(error) ? error['message'] : error
  return scalar(nested ?? message ?? 'it gave no reason')
}

/** The part of a result that matters: the first list inside it, or the object itself. */
export function unwrap(value: unknown, label = ''): { label: string; data: unknown } {
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
  // ids and values that are the same in every row are left out, unless nothing else is there
  const differs = (name: string) => new Set(records.map((record) => scalar(record[name]))).size > 1
  const telling = all.filter((name) => !isId(name) && (records.length === 1 || differs(name)))
  const columns = (telling.length > 0 ? telling : all).slice(0, maxColumns)
  const row = (cells: string[]) => `| ${cells.join(' | ')} |`
  const body = records.map((record) => row(columns.map((column) => cell(record[column]))))
  return [row(columns.map(formatFieldName)), row(columns.map(() => '---')), ...body].join('\n') + more
}

function fieldsText(record: Record<string, unknown>): string {
  const all = Object.entries(record)
  const telling = all.filter(([name]) => !isId(name))
  return (telling.length > 0 ? telling : all)
    .slice(0, 2 * maxRows)
    .map(([name, value]) => `- **${formatFieldName(name)}**: ${cell(value)}`)
    .join('\n')
}

const isId = (name: string) => /^id$|_id$|[a-z]Id$/.test(name)

/** The name of a field as people write it: `dueDate` and `due_date` as `Due date`. */
function formatFieldName(name: string): string {
  const words = cell(
    name
      .replaceAll('_', ' ')
      .replaceAll(
        /([a-z])([A-Z])/g,
        (_, before: string, after: string) => `${before} ${after.toLowerCase()}`,
      ),
  )
  return words.charAt(0).toUpperCase() + words.slice(1)
}

const cell = (value: unknown) => excerpt(scalar(value), maxCell).replaceAll('|', '\\|')
const quote = (text: string) => excerpt(text, 2_000).replace(/^/gm, '> ')

function scalar(value: unknown): string {
  if (value === undefined || value === null) return '–'
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (typeof value === 'string') return isMoment(value) ? moment.format(new Date(value)) : value
  return JSON.stringify(value)
}
