import { areListedByServer, type ListedModel } from '#shared/models.ts'
import { parseHeaders } from '#shared/secret-values.ts'
import { followModels } from '../../functions/platform/models/followed-models.ts'
import { openModelServer } from '../../functions/platform/models/model-server.ts'
import {
  fetchServerModels,
  findUnlisted,
  ListRefused,
  type ServerModels,
} from '../../functions/platform/models/server-models.ts'
import { listLocalModels } from './function-environment.ts'
import type { LocalSettings } from './settings.ts'

/** The start waits for it, and so does the page. */
const timeoutMs = 2_000

type ModelSettings = Pick<LocalSettings, 'model' | 'models'>

function fetchModels({ model }: ModelSettings) {
  const { headers } = model ?? {}
  const { baseUrl, fetch: send } = openModelServer({
    address: model?.baseUrl,
    readHeaders: headers === undefined ? undefined : async () => parseHeaders(headers),
  })
  return fetchServerModels({ baseUrl, key: model?.key ?? '', send, timeoutMs })
}

/** Where the server lists the models: reads its newest list. */
export const followLocalModels = (
  settings: ModelSettings,
): (() => Promise<readonly [ListedModel, ...ListedModel[]]>) | undefined =>
  areServerModels(settings) ? followModels(() => fetchModels(settings)) : undefined

/** Whether the models are those that the configured server lists. */
export const areServerModels = ({ model, models }: ModelSettings): boolean =>
  areListedByServer({ baseUrl: model?.baseUrl, models, defaultId: model?.name })

/** How many names of models a line has. */
const maxNames = 8

/** Lines for the terminal: which model answers, and what its server knows instead. None for the demo model. */
export async function describeLocalModels(settings: ModelSettings): Promise<string[]> {
  const { model } = settings
  if (!model) return []
  const { models, defaultId } = listLocalModels(settings)
  const describeDefault = (id: string) => `The default model is ${id}.`
  if (model.baseUrl === undefined) return [describeDefault(defaultId)]
  const server = await fetchModels(settings).catch((error: Error) => error)
  const names = server && !(server instanceof Error) ? formatNames(server) : undefined
  if (areServerModels(settings)) {
    const first = server instanceof Error ? undefined : server?.chatModels[0]
    if (first)
      return [
        `${describeDefault(first.id)} ${model.baseUrl} lists ${names}; OPENAI_MODEL or MODELS chooses others.`,
      ]
    const reason = server instanceof Error ? describeMissingList(server) : 'has no list of models.'
    return [
      `${model.baseUrl} ${reason} Set OPENAI_MODEL to the name of one; until then it is asked for ${defaultId}.`,
    ]
  }
  const unlisted =
    server instanceof Error ? [] : findUnlisted([defaultId, ...models.map(({ id }) => id)], server)
  return [
    describeDefault(defaultId),
    ...(unlisted.length > 0
      ? [`${model.baseUrl} does not list ${[...new Set(unlisted)].join(', ')}. It lists ${names}.`]
      : []),
  ]
}

function describeMissingList(error: Error): string {
  if (error instanceof ListRefused) {
    const hint = error.status === 401 || error.status === 403 ? ' It may want a key in OPENAI_API_KEY.' : ''
    return `did not list its models: it answered with ${error.status}.${hint}`
  }
  return error.name === 'TypeError' ? 'could not be reached.' : 'did not list its models.'
}

function formatNames({ chatModels }: ServerModels): string {
  const names = chatModels.slice(0, maxNames).map(({ id }) => id)
  const others = chatModels.length - names.length
  return `${names.join(', ')}${others > 0 ? ` and ${others} more` : ''}`
}
