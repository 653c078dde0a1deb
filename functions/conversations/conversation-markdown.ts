import type { ToolCall } from '#shared/contracts/chat.ts'
import type { ElicitedInput } from '#shared/contracts/elicitation.ts'
import type { Message, MessageWithVersions, Session } from '#shared/contracts/messages.ts'
import { closeMarkdown } from '#shared/close-markdown.ts'
import { formatKb } from '#shared/file-kinds.ts'
import { listShownResults, type TableResult } from '#shared/table-result.ts'
import type { Language } from '#shared/languages.ts'
import { maskSecrets } from '#shared/mask-secrets.ts'
import { stoppedLine } from '#shared/message-content.ts'
import { formatSentence } from '#shared/sentences/format-sentence.ts'
import type { Params } from '#shared/sentences/sentence.ts'
import { exportTexts, showTitle } from './export-texts.ts'

/*
 * A conversation as a Markdown document. Messages are Markdown already and are not changed; what one leaves open is ended. Titles, names and
 * cells are none: their marks are escaped. The pieces joined in order are the document.
 */

const formatMinute = (iso: string) => `${iso.slice(0, 16).replace('T', ' ')} UTC`
const toOneLine = (text: string) => text.replace(/\s+/g, ' ')

/**
 * What would be read as Markdown within a line: a mark, a tag, an entity, the `#` that end a heading. An underscore within a word, and a
 * backslash before a letter, are none; an address, which readers link as it is written, is left out.
 */
const inlineMark =
  /(https?:\/\/[^\s<]+)|[*`[<~]|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])|\\(?![\p{L}\p{N}\s])|&(?=#?\w{1,40};)|(?<= )#(?=#{0,9}$)/gu

/** Writes a text that is no Markdown on one line, so that it is shown as it is. */
const toLine = (text: string) =>
  toOneLine(text).replaceAll(inlineMark, (mark, address?: string) => address ?? `\\${mark}`)

const formatSource = (url: string, title = '') => {
  const address = `<${url.replaceAll(/[<>\s]/g, encodeURIComponent)}>`
  return title === '' ? address : `${toLine(title)}, ${address}`
}

const formatCell = (value: string | number | null) =>
  toLine(String(value ?? '')).replaceAll('|', String.raw`\|`)

/** Longer than every run of ticks in the text. */
const fenceFor = (text: string) =>
  '`'.repeat(Math.max(3, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length + 1)))

export interface ConversationMarkdown {
  /** The beginning of the document: the title, and when the conversation was started. */
  readonly formatTitle: (session: Pick<Session, 'title' | 'created_at'>) => string
  readonly formatMessage: (message: MessageWithVersions) => string
  /** the heading above the messages of branches that are not shown */
  otherVersions: string
}

/**
 * @param language of headings and notes
 * @param assistantName what the assistant is called in the headings
 */
export function openMarkdown(language: Language, assistantName: string): ConversationMarkdown {
  const texts = exportTexts[language]
  const fill = (template: string, params: Params) =>
    formatSentence(template, params, language, () => undefined)

  /** What a tool's server asked the user, and what the user sent. */
  function formatElicited({ integration = texts.server }: ToolCall, input: ElicitedInput): string {
    const { message, action, host, content } = input
    // an exported conversation is passed on: secrets are masked as on the page
    const values = Object.entries(maskSecrets(content ?? {}) as Record<string, unknown>).map(
      ([name, value]) => `${name}: ${String(value)}`,
    )
    const sent = toLine([...(host === undefined ? [] : [host]), ...values].join('; '))
    const question = toLine(String(maskSecrets(message)))
    const asked = fill(texts.asked, {
      integration: toLine(integration),
      message: question,
      answer: texts[action],
    })
    return sent === '' ? asked : fill(texts.withValues, { text: asked, values: sent })
  }

  /** As a quotation, so that it is not taken for the reply. */
  function formatReasoning({ reasoning }: Pick<Message, 'reasoning'>): string {
    if (!reasoning) return ''
    const seconds = Math.max(1, Math.round(reasoning.durationMs / 1_000))
    // imported thoughts may have no duration
    const head = reasoning.durationMs > 0 ? fill(texts.thoughtFor, { seconds }) : texts.thoughts
    const lines = [head, '', ...reasoning.text.trim().split('\n')]
    return lines.map((line) => `> ${line}`.trimEnd()).join('\n')
  }

  /** The result of a query as the page shows it, with its statement. */
  function formatTable({ sql, columns, rows, total, sources }: TableResult): string {
    const toRow = (cells: readonly (string | number | null)[]) => `| ${cells.map(formatCell).join(' | ')} |`
    const places = sources.map(
      ({ file, sheet, integration, title, tool = [integration, title].filter(Boolean).join(' · '), table }) =>
        [file ?? (tool || table), ...(sheet === undefined ? [] : [fill(texts.sheet, { sheet })])].join(', '),
    )
    const count =
      rows.length === total
        ? fill(texts.rows, { total })
        : fill(texts.someRows, { count: rows.length, total })
    const fence = fenceFor(sql)
    return [
      [toRow(columns), toRow(columns.map(() => '---')), ...rows.map(toRow)].join('\n'),
      [count, ...new Set(places)].map(toLine).join('; '),
      ...(sql === '' ? [] : [`${fence}sql\n${sql.trim()}\n${fence}`]),
    ].join('\n\n')
  }

  return {
    formatTitle: ({ title, created_at }) =>
      `# ${toLine(showTitle(title, language))}\n\n${fill(texts.started, { time: formatMinute(created_at) })}\n`,

    formatMessage(message) {
      const { role, content, created_at, attachments, tool_calls, ended, incomplete_reason, versions } =
        message
      const notes = [
        ...attachments.map(({ name, type, size }) =>
          fill(texts.attached, { name: toLine(name), type, size: formatKb(size) }),
        ),
        ...tool_calls.flatMap((call) => [
          fill(call.result.success ? texts.used : texts.usedFailed, { tool: toLine(call.tool) }),
          ...(call.elicited ?? []).map((input) => formatElicited(call, input)),
        ]),
        ...(message.sources ?? []).map(({ url, title }, index) =>
          fill(texts.source, { number: index + 1, source: formatSource(url, title) }),
        ),
        ...(ended ? [incomplete_reason ? texts.incompleteReason[incomplete_reason] : texts[ended]] : []),
      ]
      const heading = [
        `## ${role === 'user' ? texts.you : assistantName}`,
        formatMinute(created_at),
        ...(versions ? [fill(texts.version, { shown: versions.shown, count: versions.count })] : []),
      ].join(', ')
      const text = content === stoppedLine ? texts.stopped : content.trim()
      const parts = [
        heading,
        formatReasoning(message),
        closeMarkdown(text),
        ...listShownResults(tool_calls).map(formatTable),
        notes.map((note) => `- ${note}`).join('\n'),
      ]
      return `\n${parts.filter((part) => part !== '').join('\n\n')}\n`
    },

    otherVersions: `\n# ${texts.otherVersions}\n`,
  }
}
