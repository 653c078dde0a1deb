import * as z from 'zod'
import { modelApis } from './model-apis.ts'
import { parseJson } from './parse-json.ts'

/** The reasoning efforts that OpenAI's models know; other servers have words of their own. */
const effort = z.string().regex(/^[a-z][a-z-]{0,19}$/, 'must be a word such as low, medium or high')
const tokens = z
  .number('must be a number of tokens')
  .int('must be a number of tokens')
  .positive('must be a number of tokens')
/** USD per million tokens. */
const price = z
  .number('must be US dollars per million tokens')
  .nonnegative('must be US dollars per million tokens')

/** A model that users may choose. */
const listedModel = z.strictObject({
  /** the server's name of it */
  id: z.string('must be the name of a model').trim().min(1, 'must be the name of a model').max(200),
  /** what users call it; the id without one */
  name: z.string().trim().min(1).max(60).optional(),
  /** the API of requests to it; MODEL_API decides without it */
  api: z.enum(modelApis, 'must be responses, chat or messages').optional(),
  /** of prompt and answer together */
  contextTokens: tokens.optional(),
  /** of one answer, reasoning included; the server's own limit without it */
  maxOutputTokens: tokens.optional(),
  /** false: it sees no images; unknown without it */
  vision: z.boolean('must be true or false').optional(),
  /** the efforts that users may choose from, in this order */
  efforts: z.array(effort).min(1, 'must name at least one effort').max(8).optional(),
  /** its server searches the web for it */
  webSearch: z.boolean('must be true or false').optional(),
  price: z
    .strictObject({
      input: price,
      /** of tokens that the server had in its cache; as `input` without it */
      cachedInput: price.optional(),
      /** of tokens that the server wrote into its cache; as `input` without it */
      cacheWrite: price.optional(),
      output: price,
      /** of requests whose prompt has more tokens than `above`; prices of the cache rise as `input` does */
      long: z.strictObject({ above: tokens, input: price, output: price }).optional(),
      /** USD per 1,000 searches of the web by its server; what OpenAI and Anthropic ask without it */
      webSearch: z
        .number('must be US dollars per 1,000 searches')
        .nonnegative('must be US dollars per 1,000 searches')
        .optional(),
    })
    .optional(),
})
export type ListedModel = z.infer<typeof listedModel>

/** All environment variables of a function together have 4 KB; the models may use this much of it. */
const maxListCharacters = 2_000

/**
 * MODELS, or `models` in the context of the CDK: the models that users may choose from, in the order in which the page shows them.
 * JSON in a variable or on the command line, an array in cdk.json. One issue for each wrong field.
 */
export const modelList = z
  .preprocess(
    (value) => (typeof value === 'string' ? parseJson(value) : value),
    z.array(listedModel, 'must be a list of models, in JSON').min(1, 'must name at least one model'),
  )
  .superRefine((models, check) => {
    const ids = models.map(({ id }) => id)
    const repeatedId = ids.find((id, index) => ids.indexOf(id) !== index)
    if (repeatedId !== undefined)
      check.addIssue({ code: 'custom', message: `must name ${repeatedId} only once` })
    for (const [index, { api = 'responses', efforts, webSearch }] of models.entries()) {
      if (efforts && new Set(efforts).size < efforts.length)
        check.addIssue({
          code: 'custom',
          path: [index, 'efforts'],
          message: 'must name each effort only once',
        })
      if (webSearch && api === 'chat')
        check.addIssue({
          code: 'custom',
          path: [index, 'webSearch'],
          message: 'needs the API responses or messages, and this model has chat',
        })
    }
    if (JSON.stringify(models).length > maxListCharacters)
      check.addIssue({
        code: 'custom',
        message: `must not be longer than ${maxListCharacters.toLocaleString('en')} characters, because all environment variables of a function together have 4 KB`,
      })
  })

/**
 * OpenAI's model for everyday work, where the operator names none.
 * @see https://developers.openai.com/api/docs/deprecations (active in November 2026; replaces gpt-5-mini, which ends on 2026-12-11)
 */
export const defaultModel: ListedModel = {
  id: 'gpt-6.1-terra',
  name: 'GPT-6.1 Terra',
  contextTokens: 1_050_000,
  vision: true,
  price: {
    input: 1,
    cachedInput: 0.05,
    cacheWrite: 1.25,
    output: 5,
    long: { above: 272_000, input: 2, output: 7.5 },
  },
}

/** OpenAI's image model, where the operator names none. @see https://developers.openai.com/api/docs/deprecations (active in November 2026) */
export const defaultImageModel = 'gpt-image-2.6-flare'

/** The models of a deployment, and which of them is the default. */
interface OfferedModels {
  models: readonly ListedModel[]
  defaultId: string
}

/** The models of a deployment, with the default one, which is added in front where the operator has not listed it. */
export function listModels(
  models: readonly ListedModel[] | undefined,
  defaultId: string | undefined,
): OfferedModels {
  const id = defaultId ?? models?.[0]?.id ?? defaultModel.id
  if (models?.some((model) => model.id === id)) return { models, defaultId: id }
  const first = id === defaultModel.id ? defaultModel : { id }
  return { models: [first, ...(models ?? [])], defaultId: id }
}

/** Whether titles can be written: what they cost is known of one model at least. */
export const hasPricedModel = (models: readonly ListedModel[]): boolean =>
  models.some(({ price }) => price !== undefined)

/** Whether the models are those that their server lists: it is not OpenAI's, and the operator names none. */
export const areListedByServer = ({
  baseUrl,
  models,
  defaultId,
}: {
  baseUrl: string | undefined
  models: readonly ListedModel[] | undefined
  defaultId: string | undefined
}): boolean => baseUrl !== undefined && models === undefined && defaultId === undefined

/** A model as `/config.json` shows it to the page. */
export interface PublicModel extends Pick<ListedModel, 'id' | 'contextTokens' | 'price'> {
  name: string
  /** false where it is known to see no images */
  vision: boolean
  /** empty where users cannot choose one */
  efforts: string[]
  /** that of conversations in which no other was chosen; exactly one is */
  isDefault: boolean
}

/** Builds what the page shows of the models: none of their settings. */
export function toPublicModels({ models, defaultId }: OfferedModels): PublicModel[] {
  return models.map(({ id, name = id, vision = true, efforts = [], contextTokens, price }) => ({
    id,
    name,
    isDefault: id === defaultId,
    vision,
    efforts,
    ...(contextTokens !== undefined && { contextTokens }),
    ...(price && { price }),
  }))
}
