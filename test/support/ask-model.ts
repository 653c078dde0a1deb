import type { ModelError } from '../../functions/models/model-errors.ts'
import type { Model, ModelCall, ModelMessage, ModelRound, Source } from '../../functions/models/model.ts'

export const weatherQuestion: ModelMessage = {
  role: 'user',
  content: 'How is the weather in the city of Oslo?',
}

/** Asks a model once. @returns its answer or error, and all that it passed on */
export async function askModel(model: Model, call: Partial<ModelCall>) {
  const received = {
    texts: [] as string[],
    reasoning: [] as string[],
    toolInput: [] as string[],
    sources: [] as Source[],
    omitted: [] as string[],
  }
  const outcome = await model
    .complete({
      messages: [weatherQuestion],
      tools: [],
      signal: new AbortController().signal,
      onText: (delta) => received.texts.push(delta),
      onReasoning: (delta, blockId) => received.reasoning.push(`${blockId.slice(-2)} ${delta}`),
      onToolInput: ({ name, delta }) => received.toolInput.push(`${name} ${delta}`),
      onSource: (source) => received.sources.push(source),
      onOmit: (omission) => received.omitted.push(omission),
      ...call,
    })
    .then(
      (round): { round?: ModelRound; error?: ModelError } => ({ round }),
      (error: unknown): { round?: ModelRound; error?: ModelError } => ({ error: error as ModelError }),
    )
  return { ...outcome, ...received }
}
