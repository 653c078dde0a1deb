import type { ListedModel } from '#shared/models.ts'
import { parseJson } from '#shared/parse-json.ts'
import { trimSlashes } from '#shared/trim-characters.ts'
import * as z from 'zod'
import { readListedModels } from './listed-models.ts'
import { readCapped } from '../net/read-capped.ts'

const defaultTimeoutMs = 10_000
/** OpenAI's list has 30 KB, OpenRouter's 1 MB. */
const maxBytes = 4 * 1024 * 1024
const openAiBaseUrl = 'https://api.openai.com/v1'
/** Statuses of servers that have no list: not every model server has one. */
const noListStatuses = [404, 405, 501]

/**
 * The dates of a server's models. A date is optional, and null while none was announced.
 * @see https://developers.openai.com/api/docs/deprecations ("To monitor model shutdowns programmatically …"); read on 2026-11-21
 */
const shutdownDate = z.object({ shutdown_date: z.iso.date() })

interface ModelServer {
  /** OpenAI's by default */
  baseUrl: string | undefined
  key: string
  /** sends the request; `fetch` without it */
  send?: typeof fetch
  /** how long the answer may take */
  timeoutMs?: number
}

/** What a server says about its models. */
export interface ServerModels {
  /** all that it lists */
  ids: readonly string[]
  /** those that can chat, in the server's order */
  chatModels: readonly ListedModel[]
  /** YYYY-MM-DD by model id, for those whose end is announced */
  shutdownDates: ReadonlyMap<string, string>
}

/** A server answered the request for its models with an error. */
export class ListRefused extends Error {
  readonly status: number

  constructor(status: number) {
    super(`the request for the list of models was answered with ${status}`)
    this.status = status
  }
}

/**
 * Asks a server which models it has.
 * @returns undefined if it has no list
 * @throws Error when it does not answer, or with an error
 */
export async function fetchServerModels({
  baseUrl = openAiBaseUrl,
  key,
  send = fetch,
  timeoutMs = defaultTimeoutMs,
}: ModelServer): Promise<ServerModels | undefined> {
  const response = await send(`${trimSlashes(baseUrl)}/models`, {
    headers: {
      authorization: `Bearer ${key || 'none'}`,
      // Anthropic's API, and servers of its form: https://platform.claude.com/docs/en/api/models-list
      'x-api-key': key || 'none',
      'anthropic-version': '2023-06-01',
    },
    // the key must not be sent to another server
    redirect: 'error',
    signal: AbortSignal.timeout(timeoutMs),
  })
  if (!response.ok) {
    await response.body?.cancel()
    if (noListStatuses.includes(response.status)) return undefined
    throw new ListRefused(response.status)
  }
  const bytes = await readCapped(response, maxBytes, () => new Error('the list of models is too large'))
  const listed = readListedModels(parseJson(new TextDecoder().decode(bytes)))
  return (
    listed && {
      ids: listed.map(({ id }) => id),
      chatModels: listed.flatMap(({ model }) => model ?? []),
      shutdownDates: new Map(
        listed.flatMap(({ id, fields }) => {
          const { data } = shutdownDate.safeParse(fields)
          return data ? [[id, data.shutdown_date] as const] : []
        }),
      ),
    }
  )
}

/** Gemini lists its models with a prefix, Ollama with a tag. */
const toPlainId = (id: string) => id.replace(/^models\//, '').replace(/:latest$/, '')

/** Whether a server lists a model. LiteLLM lists all models of a provider as `openai/*`. */
const isListed = (id: string, ids: readonly string[]): boolean =>
  ids.some((listed) =>
    listed.endsWith('*') ? id.startsWith(listed.slice(0, -1)) : toPlainId(listed) === toPlainId(id),
  )

/** @returns those of the models that the server does not list; none if it lists nothing */
export const findUnlisted = (ids: readonly string[], server: ServerModels | undefined): string[] =>
  server && server.ids.length > 0 ? ids.filter((id) => !isListed(id, server.ids)) : []
