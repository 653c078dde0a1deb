import { plural, t } from '@lingui/core/macro'
import type { ToolCall } from '#shared/contracts/chat.ts'
import { toPageAddress } from '#shared/page-address.ts'
import { isOwnTool, type CalledTool } from './own-tools.ts'

/** Whether a call reads a page of the web. */
export const isReadPage = (call: CalledTool): boolean => isOwnTool(call, ['read_page'])

/** The page that `read_page` fetches for an address. */
export function toPageUrl(address: string): URL | undefined {
  const found = toPageAddress(address)
  return found === undefined ? undefined : new URL(found)
}

const wordsPerMinute = 200

/** The host of the page that a call has read, or was to read. @returns undefined for other calls */
export function findPageHost(call: ToolCall): string | undefined {
  if (!isReadPage(call)) return undefined
  const { url } = (call.result.data ?? call.parameters) as { url?: unknown }
  const address = typeof url === 'string' ? url : ''
  return toPageUrl(address)?.host
}

/** How long the text of a page takes to be read, and whether it is all of it. */
export function describePage({ result }: ToolCall): string {
  const { words, truncated } = (result.data ?? {}) as { words?: unknown; truncated?: unknown }
  if (typeof words !== 'number' || words === 0) return t`no text`
  const time = plural(
    { minutes: Math.max(1, Math.round(words / wordsPerMinute)) },
    {
      one: '# min of text',
      other: `# min of text`,
    },
  )
  return truncated === true ? t`${{ time }}, not all of it` : time
}
