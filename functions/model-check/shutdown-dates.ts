import * as z from 'zod'
import { trimSlashes } from '#shared/trim-characters.ts'
import { readCapped } from '../platform/net/read-capped.ts'

const dayMs = 86_400_000
/** How long before the shutdown the warnings begin. OpenAI announces the end of a model three to six months ahead. */
const warningDays = 60
const timeoutMs = 10_000
/** OpenAI's list has 30 KB. */
const maxBytes = 4 * 1024 * 1024
const openAiBaseUrl = 'https://api.openai.com/v1'

/** A model of the deployment that its server is about to shut down, or has shut down. */
export interface EndingModel {
  id: string
  /** YYYY-MM-DD */
  shutdownDate: string
  /** negative once it is over */
  daysLeft: number
}

/**
 * The list of a server's models. The date is optional, and null while none was announced.
 * @see https://developers.openai.com/api/docs/deprecations ("To monitor model shutdowns programmatically …"); read on 2026-11-21
 */
const modelsResponse = z.object({
  data: z.array(
    z.object({ id: z.string(), shutdown_date: z.iso.date().nullish().catch(undefined) }).catch({ id: '' }),
  ),
})

interface ModelServer {
  /** OpenAI's by default */
  baseUrl: string | undefined
  key: string
}

/**
 * Asks the server for the dates on which it shuts models down.
 * @returns dates by model id; empty where the server names none
 * @throws Error when it does not answer with a list of models
 */
export async function fetchShutdownDates({
  baseUrl = openAiBaseUrl,
  key,
}: ModelServer): Promise<Map<string, string>> {
  const response = await fetch(`${trimSlashes(baseUrl)}/models`, {
    headers: { authorization: `Bearer ${key || 'none'}` },
    // the key must not be sent to another server
    redirect: 'error',
    signal: AbortSignal.timeout(timeoutMs),
  })
  if (!response.ok) {
    await response.body?.cancel()
    throw new Error(`the request for the list of models was answered with ${response.status}`)
  }
  const bytes = await readCapped(response, maxBytes, () => new Error('the list of models is too large'))
  const parsed = modelsResponse.safeParse(parseJson(new TextDecoder().decode(bytes)))
  if (!parsed.success) throw new Error('the answer is no list of models', { cause: parsed.error })
  return new Map(
    parsed.data.data.flatMap(({ id, shutdown_date: date }) => (date ? [[id, date] as const] : [])),
  )
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Finds the models that end soon, the nearest end first. */
export function findEndingModels(
  ids: readonly string[],
  dates: ReadonlyMap<string, string>,
  now: Date,
): EndingModel[] {
  const today = Date.parse(now.toISOString().slice(0, 10))
  return [...new Set(ids)]
    .flatMap((id) => {
      const shutdownDate = dates.get(id)
      if (shutdownDate === undefined) return []
      return [{ id, shutdownDate, daysLeft: (Date.parse(shutdownDate) - today) / dayMs }]
    })
    .filter(({ daysLeft }) => daysLeft <= warningDays)
    .toSorted((a, b) => a.daysLeft - b.daysLeft)
}
