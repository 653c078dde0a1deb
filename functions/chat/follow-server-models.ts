import type { ListedModel } from '#shared/models.ts'
import { followModels } from '../platform/models/followed-models.ts'
import { fetchServerModels } from '../platform/models/server-models.ts'

/** Follows the models that a server lists. @returns loads those of now; an opened model remembers what its server rejects */
export function followServerModels<Models>({
  baseUrl,
  send,
  readKey,
  createModels,
}: {
  baseUrl: Parameters<typeof fetchServerModels>[0]['baseUrl']
  send: Parameters<typeof fetchServerModels>[0]['send'] | undefined
  readKey: () => Promise<string>
  createModels: (models: readonly ListedModel[], defaultId: string) => Models
}): () => Promise<Models> {
  const load = followModels(async () =>
    // a reply waits for the first list
    fetchServerModels({ baseUrl, key: await readKey(), ...(send && { send }), timeoutMs: 5_000 }),
  )
  let listed: readonly ListedModel[] | undefined
  let models: Models | undefined
  return async () => {
    const current = await load()
    if (!models || listed !== current) models = createModels(current, current[0].id)
    listed = current
    return models
  }
}
