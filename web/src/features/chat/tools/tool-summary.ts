import type { ToolCall } from '#shared/contracts/chat.ts'
import * as texts from './texts.ts'

/** One line about a call and its result. */
export interface ToolSummary {
  /** the service, e.g. Gmail; empty for tools without one */
  service: string
  action: string
  outcome: string
}

/** For example "Gmail · Read e-mails · 3 results". */
export function summarizeToolCall({ tool, action, integration, result }: ToolCall): ToolSummary {
  return {
    service: integration ?? '',
    action: formatToolName(tool, action),
    outcome: result.success
      ? formatResultCount(result.data)
      : truncateToLine(result.error ?? texts.failedOutcome),
  }
}

/** The title of a tool, or its humanised name. */
export const formatToolName = (tool: string, title = tool) => (title === tool ? humanize(tool) : title)

/** gmail → Gmail, google-drive → Google drive. Names with capitals stay as they are. */
export function humanize(name: string): string {
  if (/[A-Z]/.test(name)) return name
  const words = name.replaceAll(/[_-]+/g, ' ').trim()
  return words.charAt(0).toUpperCase() + words.slice(1)
}

function formatResultCount(data: unknown): string {
  const list = findRows(data)
  if (list) return texts.resultCount(list.length)
  return ''
}

const maxLineCharacters = 120

function truncateToLine(text: string): string {
  const line = text.split('\n', 1)[0]?.trim() ?? ''
  return line.length > maxLineCharacters ? `${line.slice(0, maxLineCharacters - 3)}...` : line
}

/** The result itself if it is a list, or its only list. */
export function findRows(data: unknown): readonly unknown[] | undefined {
  if (Array.isArray(data)) return data
  if (typeof data !== 'object' || data === null) return undefined
  const lists = Object.values(data).filter((value) => Array.isArray(value))
  return lists.length === 1 ? lists[0] : undefined
}

/** Strings as they are, everything else as JSON. */
export function formatValue(value: unknown): string {
  if (typeof value === 'string') return value
  if (value === null || value === undefined) return ''
  return typeof value === 'object' ? JSON.stringify(value) : String(value as number | boolean | bigint)
}
