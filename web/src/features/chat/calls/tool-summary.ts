import { plural, t } from '@lingui/core/macro'
import type { ToolCall } from '#shared/contracts/chat.ts'
import { findQueryError, parseTableResult } from '#shared/table-result.ts'
import { translateName } from '../../../lib/text/translate-name.ts'
import { translateSentences } from '../../../lib/text/translate-sentences.ts'
import { nameSources } from '../query/describe-sources.ts'
import { formatRowCount } from '../query/format-shown-rows.ts'
import { describePage, findPageHost } from './page-calls.ts'
import { shorten } from '../../../lib/text/shorten.ts'

/** The parts of the line about a call and its result. */
export interface ToolSummary {
  /** e.g. Gmail; empty for tools without an integration */
  integrationName: string
  toolTitle: string
  outcome: string
}

/** Summarises a call, for a line such as "Gmail · Read e-mails · 3 results". */
export function summariseToolCall(call: ToolCall): ToolSummary {
  const { tool, action, integration } = call
  const host = findPageHost(call)
  if (host !== undefined) {
    const isRead = call.result.success
    return {
      integrationName: '',
      toolTitle: isRead ? t`Read ${{ host }}` : t`${{ host }} was not read`,
      outcome: isRead ? describePage(call) : describeOutcome(call),
    }
  }
  const query = parseTableResult(call)
  return {
    integrationName: query ? nameSources(query.sources) : (integration ?? ''),
    toolTitle: formatToolName(tool, action),
    outcome: query ? formatRowCount(query.total) : describeOutcome(call),
  }
}

function describeOutcome(call: ToolCall): string {
  const { result } = call
  if (!result.success) return toFirstLine(translateSentences(result.error ?? '', result.codes)) || t`failed`
  const queryError = findQueryError(call)
  if (queryError) return toFirstLine(translateSentences(queryError.text, queryError.codes))
  const list = findResultList(result.data)
  return list ? plural({ count: list.length }, { one: '# result', other: `# results` }) : ''
}

/** The title of a tool; its name as words if it has no title of its own. */
export const formatToolName = (tool: string, title = tool) =>
  translateName(title === tool ? humanise(tool) : title)

/** Writes an identifier as words: gmail → Gmail, google-drive → Google drive. A name with capitals stays as it is. */
function humanise(name: string): string {
  if (/[A-Z]/.test(name)) return name
  const words = name.replaceAll(/[_-]+/g, ' ').trim()
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** A longer outcome would hide the name of the tool. */
const maxLineCharacters = 120

const toFirstLine = (text: string): string =>
  shorten(text.trim().split('\n', 1)[0]?.trimEnd() ?? '', maxLineCharacters)

/** Finds the list of a tool's results: its data if that is a list, or the only list in the data; undefined otherwise. */
export function findResultList(data: unknown): readonly unknown[] | undefined {
  if (Array.isArray(data)) return data
  if (typeof data !== 'object' || data === null) return undefined
  const lists = Object.values(data).filter((value) => Array.isArray(value))
  return lists.length === 1 ? lists[0] : undefined
}

/** Formats a value of a call: strings as they are, other values as JSON, null and undefined as an empty string. */
export function formatValue(value: unknown): string {
  if (typeof value === 'string') return value
  if (value === null || value === undefined) return ''
  return typeof value === 'object' ? JSON.stringify(value) : String(value as number | boolean | bigint)
}
