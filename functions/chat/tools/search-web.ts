import * as z from 'zod'
import type { SearchProvider } from '#shared/search-providers.ts'
import { sayOwnTool } from '#shared/sentences/own-tools.ts'
import { truncate } from '#shared/truncate.ts'
import { AppError } from '../../platform/errors.ts'
import { outboundHttp, parseAllowList, type OutboundRequest } from '../../platform/net/outbound-http.ts'
import { ToolError } from '../../platform/tool-error.ts'
import { readHtmlText } from '../../documents/html-text.ts'
import { toPageAddress } from '#shared/page-address.ts'
import type { FoundPage, SearchWeb } from './search-web-tool.ts'

const timeoutMs = 15_000
const maxTextCharacters = 1_000
const maxTitleCharacters = 300

interface Search {
  query: string
  count: number
}

interface Service {
  /** where WEB_SEARCH_URL says nothing else; SearXNG is one's own */
  url?: string
  request(search: Search, key: string): OutboundRequest & { path: string }
  /** @returns undefined if the answer is not the service's */
  parse(answer: unknown): FoundPage[] | undefined
}

const text = z
  .string()
  .nullish()
  .transform((value) => value ?? '')
const row = z.object({ title: text, url: z.string(), content: text, description: text })
/** A row that cannot be read takes no other with it. */
const rows = z.array(z.unknown()).transform((found) => found.flatMap((one) => row.safeParse(one).data ?? []))
// a search without results has no such part
const braveAnswer = z.object({ web: z.object({ results: rows }).nullish(), type: z.literal('search') })
const answer = z.object({ results: rows })
const parseAnswer = (value: unknown) =>
  answer.safeParse(value).data?.results.map(({ title, url, content }) => ({ title, url, text: content }))

const services: Readonly<Record<SearchProvider, Service>> = {
  brave: {
    url: 'https://api.search.brave.com',
    request: ({ query, count }, key) => ({
      path: `/res/v1/web/search?${new URLSearchParams({ q: query, count: String(count), text_decorations: 'false' }).toString()}`,
      headers: { accept: 'application/json', 'x-subscription-token': key },
    }),
    parse(value) {
      const { success, data } = braveAnswer.safeParse(value)
      if (!success) return undefined
      return (data.web?.results ?? []).map(({ title, url, description }) => ({
        title: plain(title),
        url,
        text: plain(description),
      }))
    },
  },
  tavily: {
    url: 'https://api.tavily.com',
    request: ({ query, count }, key) => ({
      path: '/search',
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
      body: JSON.stringify({ query, max_results: count }),
    }),
    parse: parseAnswer,
  },
  searxng: {
    request: ({ query }, key) => ({
      path: `/search?${new URLSearchParams({ q: query, format: 'json' }).toString()}`,
      headers: { accept: 'application/json', ...(key !== '' && { authorization: `Bearer ${key}` }) },
    }),
    parse: parseAnswer,
  },
}

/** Brave writes entities and marks into its texts. */
const plain = (html: string) => readHtmlText(html).trim()

/** @throws ToolError that says what the service did */
export async function searchWeb(
  { provider, url, readKey, outboundAllow }: SearchWeb,
  search: Search,
  signal: AbortSignal,
): Promise<FoundPage[]> {
  const service = services[provider]
  const { path, ...request } = service.request(search, await readKey())
  const root = (url ?? service.url ?? '').replace(/\/$/, '')
  const http = outboundHttp({ allow: parseAllowList(outboundAllow), timeoutMs })
  try {
    // a key must not follow a redirect
    const { status, text: body } = await http.text(root + path, { ...request, signal, redirect: 'error' })
    if (status === 429) throw new ToolError(sayOwnTool('own_tool.search_busy', { provider, status }))
    if (status !== 200) throw new ToolError(sayOwnTool('own_tool.search_status', { provider, status }))
    const found = service.parse(parseJson(body))
    if (!found) throw new ToolError(sayOwnTool('own_tool.search_unreadable', { provider }))
    return found
      .filter((one) => toPageAddress(one.url) !== undefined)
      .slice(0, search.count)
      .map((one) => ({
        title: truncate(one.title, maxTitleCharacters),
        url: one.url,
        text: truncate(one.text, maxTextCharacters),
      }))
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    throw new ToolError(sayOwnTool('own_tool.search_failed', { provider }), { cause: error })
  } finally {
    await http.close()
  }
}

function parseJson(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    return undefined
  }
}
