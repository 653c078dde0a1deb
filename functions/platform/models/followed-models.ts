import { defaultModel, type ListedModel } from '#shared/models.ts'
import { logger } from '../telemetry/logger.ts'
import type { ServerModels } from './server-models.ts'

/** A menu with more is no menu; aggregators list hundreds. */
const maxModels = 50
/** How long a list is used before the server is asked again. */
const freshMs = 10 * 60_000
/** After a failure, or an empty list: the server may be starting. */
const retryMs = 15_000

const atOnce = <Value>(load: () => Promise<Value>) => {
  let running: Promise<Value> | undefined
  return () =>
    (running ??= load().finally(() => {
      running = undefined
    }))
}

/**
 * The models of a server, where the operator names none: the first that is listed is the default. The newest list is used until the server
 * sends another, also while it does not answer; only the first one is waited for. Without a list it is the default of shared/models.ts,
 * under which servers with one model answer, too.
 * @param fetchModels undefined is a server without a list
 * @returns the same array while nothing changes; it is never empty
 */
export function followModels(fetchModels: () => Promise<ServerModels | undefined>) {
  let current: readonly [ListedModel, ...ListedModel[]] = [defaultModel]
  let isKnown = false
  let dueAtMs = 0

  const refresh = atOnce(async () => {
    let waitMs = retryMs
    try {
      const server = await fetchModels()
      const [first, ...others] = (server?.chatModels ?? []).slice(0, maxModels)
      if (!server) waitMs = freshMs
      if (first) {
        waitMs = freshMs
        isKnown = true
        const next = [first, ...others] as const
        if (JSON.stringify(next) !== JSON.stringify(current)) current = [...next]
      }
    } catch (error) {
      logger.warn('the model server did not list its models', { error })
    }
    dueAtMs = Date.now() + waitMs
  })

  return async (): Promise<readonly [ListedModel, ...ListedModel[]]> => {
    if (Date.now() >= dueAtMs) {
      const refreshing = refresh()
      if (!isKnown) await refreshing
    }
    return current
  }
}
