import type { ToolCall } from '#shared/contracts/chat.ts'
import type { ElicitedInput } from '#shared/contracts/elicitation.ts'
import type { Message, MessageWithVersions, Session } from '#shared/contracts/messages.ts'
import { closeMarkdown } from '#shared/close-markdown.ts'
import { formatKb } from '#shared/file-kinds.ts'
import { listShownResults, type TableResult } from '#shared/table-result.ts'
import { stoppedLine } from '#shared/message-content.ts'

/*
 * A conversation as a Markdown document. Messages are Markdown already and are not changed; what one leaves open is ended. The pieces joined in order are the document.
 */

const formatMinute = (iso: string) => `${iso.slice(0, 16).replace('T', ' ')} UTC`
const toOneLine = (text: string) => text.replace(/\s+/g, ' ')

const endings: Readonly<Record<NonNullable<Message['ended']>, string>> = {
  stopped: stoppedLine,
  failed: 'This reply was ended by an error.',
  incomplete: 'This reply was incomplete.',
  interrupted: 'This reply was interrupted.',
}

const incompleteEndings: Readonly<Record<NonNullable<Message['incomplete_reason']>, string>> = {
  length: 'This reply was incomplete: it reached the limit of its length.',
  time: 'This reply was incomplete: its time was over.',
  budget: 'This reply was incomplete: a limit of use was reached.',
  filter: 'This reply was incomplete: the model’s server withheld the rest.',
}

/** The beginning of the document: the title, and when the conversation was started. */
export const markdownTitle = ({ title, created_at }: Pick<Session, 'title' | 'created_at'>): string =>
  `# ${toOneLine(title)}\n\nStarted ${formatMinute(created_at)}\n`

const formatSource = (url: string, title = '') =>
  title === '' ? `<${url}>` : `${toOneLine(title)}, <${url}>`

const elicitedActions = { accept: 'sent', decline: 'declined', cancel: 'cancelled' } as const

/** What a tool's server asked the user, and what the user sent. */
function formatElicited({ integration = 'The server' }: ToolCall, input: ElicitedInput): string {
  const { message, action, host, content } = input
  const values = Object.entries(content ?? {}).map(([name, value]) => `${name}: ${String(value)}`)
  const sent = toOneLine([...(host === undefined ? [] : [host]), ...values].join('; '))
  return `- ${integration} asked: “${toOneLine(message)}” – ${elicitedActions[action]}${sent === '' ? '' : `: ${sent}`}`
}

/** As a quotation, so that it is not taken for the reply. */
function formatReasoning({ reasoning }: Pick<Message, 'reasoning'>): string {
  if (!reasoning) return ''
  const seconds = Math.max(1, Math.round(reasoning.durationMs / 1_000))
  // imported thoughts may have no duration
  const head = reasoning.durationMs > 0 ? `Thought for ${seconds} s:` : 'Thoughts:'
  const lines = [head, '', ...reasoning.text.trim().split('\n')]
  return lines.map((line) => `> ${line}`.trimEnd()).join('\n')
}

const formatCell = (value: string | number | null) =>
  toOneLine(String(value ?? ''))
    .replaceAll('\\', '\\\\')
    .replaceAll('|', String.raw`\|`)

/** The result of a query as the page shows it, with its statement. */
function formatTable({ sql, columns, rows, total, sources }: TableResult): string {
  const toRow = (cells: readonly (string | number | null)[]) => `| ${cells.map(formatCell).join(' | ')} |`
  const places = sources.map(
    ({ file, sheet, integration, title, tool = [integration, title].filter(Boolean).join(' · '), table }) =>
      [file ?? (tool || table), ...(sheet === undefined ? [] : [`sheet “${sheet}”`])].join(', '),
  )
  const count = rows.length === total ? `${total} rows` : `${rows.length} of ${total} rows`
  const fence = '`'.repeat(Math.max(3, ...[...sql.matchAll(/`+/g)].map(([ticks]) => ticks.length + 1)))
  return [
    [toRow(columns), toRow(columns.map(() => '---')), ...rows.map(toRow)].join('\n'),
    [count, ...new Set(places)].map(toOneLine).join('; '),
    ...(sql === '' ? [] : [`${fence}sql\n${sql.trim()}\n${fence}`]),
  ].join('\n\n')
}

/** The heading above the messages of branches that are not shown. */
export const markdownOtherVersions = '\n# Other versions\n'

/** @param assistantName what the assistant is called in the headings */
export function markdownMessage(message: MessageWithVersions, assistantName: string): string {
  const { role, content, created_at, attachments, tool_calls, ended, incomplete_reason, versions } = message
  const notes = [
    ...attachments.map(
      ({ name, type, size }) => `- Attached: ${toOneLine(name)} (${type}, ${formatKb(size)})`,
    ),
    ...tool_calls.flatMap((call) => [
      `- Used: ${call.tool}${call.result.success ? '' : ' (failed)'}`,
      ...(call.elicited ?? []).map((input) => formatElicited(call, input)),
    ]),
    ...(message.sources ?? []).map(
      ({ url, title }, index) => `- Source ${index + 1}: ${formatSource(url, title)}`,
    ),
    ...(ended ? [`- ${incomplete_reason ? incompleteEndings[incomplete_reason] : endings[ended]}`] : []),
  ]
  const version = versions ? `, version ${versions.shown} of ${versions.count}` : ''
  const heading = `## ${role === 'user' ? 'You' : assistantName}, ${formatMinute(created_at)}${version}`
  const tables = listShownResults(tool_calls).map(formatTable)
  const parts = [
    heading,
    formatReasoning(message),
    closeMarkdown(content.trim()),
    ...tables,
    notes.join('\n'),
  ]
  return `\n${parts.filter((part) => part !== '').join('\n\n')}\n`
}
