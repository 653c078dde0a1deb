import { toPageAddress } from '#shared/page-address.ts'
import type { ToolCall } from '#shared/contracts/chat.ts'
import type { ReplyState } from '#shared/reply/reply-state.ts'
import type { PromptMessage } from '../prompt/prompt.ts'

/** What may begin an address: a scheme, or a name with a dot. What ends it is as in GitHub's Markdown, by which the page makes links. */
const candidate =
  /(?:https?:\/\/|(?<![\w@.:/-])(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.){1,8}[a-z]{2,24}(?=[\s/?#:),.;!]|$))[^\s<>]{0,2000}/gi
const trailing = '?!.,:;*_~\'")]'

/** The addresses that stand in a text. */
export function listAddresses(text: string): string[] {
  return [...text.matchAll(candidate)].flatMap(([found]) => {
    let end = found.length
    let open = found.split('(').length - found.split(')').length
    for (; end > 0 && trailing.includes(found.charAt(end - 1)); end -= 1) {
      if (found.charAt(end - 1) !== ')') continue
      // a bracket that the address itself opens belongs to it
      if (open >= 0) break
      open += 1
    }
    return toPageAddress(found.slice(0, end)) ?? []
  })
}

interface ReadCall {
  name: string
  url: unknown
  result: unknown
  isHostAllowed: boolean
}

const fromHistory = ({ tool, parameters, result }: ToolCall): ReadCall => ({
  name: tool,
  url: parameters['url'],
  result: result.data,
  isHostAllowed: result.host_allowed === true,
})

const fromReply = ({ name, input, output, extras }: ReplyState['toolCalls'][number]): ReadCall => ({
  name,
  url: (input as { url?: unknown } | undefined)?.url,
  result: output,
  isHostAllowed: extras?.host_allowed === true,
})

/** The results of a search, as they are stored. */
const listFound = (result: unknown): string[] => {
  const { results } = (result ?? {}) as { results?: unknown }
  return Array.isArray(results)
    ? results.flatMap((one: unknown) => {
        const { url } = (one ?? {}) as { url?: unknown }
        return typeof url === 'string' ? (toPageAddress(url) ?? []) : []
      })
    : []
}

/**
 * Whether a page may be read without asking: its address was typed in a message, or found by a search of this conversation, or its host was
 * allowed in it. Nobody but the user can have chosen what such an address tells its host.
 * @param onlyHosts typed and found addresses ask, too
 */
export function isKnownAddress(
  text: string,
  {
    history,
    reply,
    onlyHosts,
  }: {
    history: readonly PromptMessage[]
    reply: Pick<ReplyState, 'toolCalls'>
    onlyHosts: boolean
  },
): boolean {
  const address = toPageAddress(text)
  if (address === undefined) return false
  const own = history.filter(({ imported }) => imported !== true)
  const calls = [
    ...own.flatMap(({ tool_calls: earlier = [] }) => earlier.map(fromHistory)),
    ...reply.toolCalls.map(fromReply),
  ]
  const { host, protocol } = new URL(address)
  const isOfAllowedHost = calls.some(({ name, url, isHostAllowed }) => {
    const allowed = isHostAllowed && name === 'read_page' ? toPageAddress(String(url)) : undefined
    const known = allowed === undefined ? undefined : new URL(allowed)
    return known?.host === host && known.protocol === protocol
  })
  if (isOfAllowedHost) return true
  if (onlyHosts) return false
  if (calls.some(({ name, result }) => name === 'search_web' && listFound(result).includes(address)))
    return true
  // an app of a server may have put a message into the input field
  const hasApp = history.some(({ tool_calls: earlier = [] }) => earlier.some(({ result }) => result.app))
  return (
    !hasApp && own.some(({ role, content }) => role === 'user' && listAddresses(content).includes(address))
  )
}
