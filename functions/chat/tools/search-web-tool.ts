import * as z from 'zod'
import type { SearchProvider } from '#shared/search-providers.ts'
import type { Source } from '../../models/model.ts'
import { zodParameters, type Tool } from '../../tools/calls/tool.ts'

const defaultCount = 5
const parameters = z.object({
  query: z.string().trim().min(1).max(400),
  count: z.number().int().min(1).max(10).default(defaultCount),
})

/** The search service of a deployment. */
export interface SearchWeb {
  provider: SearchProvider
  /** the root of its addresses; the provider's own by default */
  url: string | undefined
  /** empty if none is configured */
  readKey: () => Promise<string>
  outboundAllow: string | undefined
}

export interface FoundPage {
  title: string
  url: string
  text: string
}

/** Searches the web. Its code is loaded with the first call. */
export const searchWebTool = (service: SearchWeb, onSource: (source: Source) => void): Tool => ({
  name: 'search_web',
  title: 'Search the web',
  description:
    'Searches the web and gives titles, addresses and short texts of pages. read_page reads the pages that it found at once.',
  parameters: zodParameters(parameters),
  writes: false,
  activity: 'research',
  timeoutMs: 20_000,
  async run(input, signal): Promise<{ results: FoundPage[] }> {
    const { query, count } = input as z.infer<typeof parameters>
    const { searchWeb } = await import('./search-web.ts')
    const results = await searchWeb(service, { query, count }, signal)
    for (const { url, title } of results) onSource({ url, title })
    return { results }
  },
})
