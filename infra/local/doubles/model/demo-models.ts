import { InvalidRequest } from './model-request.ts'

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

export const demoModelName = 'juno-demo'
/** Reasons unless it is asked not to, like GPT-5.6 and later. */
export const reasoningModelName = 'juno-demo-reasoning'
export const textOnlyModelName = 'juno-demo-text'
export const retiredModelName = 'juno-demo-retired'

const efforts = ['none', 'low', 'medium', 'high']

export const demoModels: readonly DemoModelCard[] = [
  { id: demoModelName, seesImages: true },
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
