import { type ModelRequest, type RequestMessage } from '../../../infra/local/doubles/model/model-request.ts'
import { type ReplyParts, splitTokens } from '../../../infra/local/doubles/model/reply-parts.ts'
import { excerpt } from '../../../infra/local/doubles/model/words.ts'

/** An invalid request; all of it goes to the caller, in the form of OpenAI's errors. */
export class InvalidRequest extends Error {
  readonly param: string | null
  readonly status: number
  readonly code: string | null

  constructor(
    message: string,
    param: string | null,
    { status = 400, code = null }: { status?: number; code?: string | null } = {},
  ) {
    super(message)
    this.param = param
    this.status = status
    this.code = code
  }
}

/** What further models and APIs read of a request. */
export interface StrictRequest extends ModelRequest {
  includeUsage: boolean
  /** longest reply in tokens */
  maxTokens: number | undefined
  /** undefined if the model does not reason */
  effort: string | undefined
}

/** A reply of a model that may reason. */
export interface StrictParts extends ReplyParts {
  /** tokens of reasoning, empty if it does not reason */
  reasoning: string[]
}

export interface DemoModelCard {
  id: string
  /** the efforts it takes; without them it does not reason */
  efforts?: readonly string[]
  /** the effort of a request that names none */
  defaultEffort?: string
  seesImages: boolean
  /** as `GET /v1/models` announces it */
  shutdownDate?: string
  /** requests are refused: it has been shut down */
  isRetired?: true
}

export { demoModelName } from '../../../infra/local/doubles/model/server.ts'
/** Reasons unless it is asked not to, like GPT-5.6 and later. */
export const reasoningModelName = 'juno-demo-reasoning'
export const textOnlyModelName = 'juno-demo-text'
export const retiredModelName = 'juno-demo-retired'

const efforts = ['none', 'low', 'medium', 'high']

export const demoModels: readonly DemoModelCard[] = [
  { id: 'juno-demo', seesImages: true },
  { id: reasoningModelName, seesImages: true, efforts, defaultEffort: 'medium' },
  { id: textOnlyModelName, seesImages: false },
  { id: retiredModelName, seesImages: true, shutdownDate: '2026-10-23', isRetired: true },
]

/**
 * The model that a request names.
 * Sources of the errors: https://github.com/simonw/llm/issues/1553 (unknown), https://github.com/openai/openai-quickstart-node/issues/127
 * (retired).
 * @throws InvalidRequest with OpenAI's 404
 */
export function findDemoModel(model: unknown): DemoModelCard {
  if (typeof model !== 'string' || model === '')
    throw new InvalidRequest('You must provide a model parameter.', 'model')
  const card = demoModels.find(({ id }) => id === model)
  const details = { status: 404, code: 'model_not_found' }
  if (!card)
    throw new InvalidRequest(
      `The model \`${model}\` does not exist or you do not have access to it.`,
      null,
      details,
    )
  if (card.isRetired)
    throw new InvalidRequest(
      `The model \`${model}\` has been deprecated, learn more here: https://platform.openai.com/docs/deprecations`,
      null,
      details,
    )
  return card
}

/** @throws InvalidRequest for what is no data URL of an image */
export function parseImage(url: string, param: string): RequestMessage['images'][number] {
  const [, type, data] = /^data:(image\/(?:png|jpeg|gif|webp));base64,([A-Za-z0-9+/=]+)$/.exec(url) ?? []
  if (!type || !data) throw new InvalidRequest('Invalid image.', param)
  return { type, bytes: Buffer.byteLength(data, 'base64') }
}

export const parsePositive = (value: unknown) => (typeof value === 'number' && value > 0 ? value : undefined)

/** What a model thinks before it answers; nothing where it does not reason. */
export function reasoningTokens({ effort, messages, tools }: StrictRequest): string[] {
  if (effort === undefined || effort === 'none') return []
  const question = messages.findLast(({ role }) => role === 'user')?.text ?? ''
  const step =
    messages.at(-1)?.role === 'tool'
      ? 'The tool has answered; I read what came back.'
      : `The question is “${excerpt(question, 80)}”.`
  const more = tools.length > 0 ? ` I have ${tools.length} tools to choose from.` : ''
  return splitTokens(`**Reading the question**\n\n${step}${more}`)
}
