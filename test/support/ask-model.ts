import type { ModelError } from '../../functions/chat/model/model-errors.ts'
import type { Model, ModelCall, ModelMessage, ModelRound, Source } from '../../functions/chat/model/model.ts'

export const weatherQuestion: ModelMessage = {
  role: 'user',
  content: 'How is the weather in the city of Oslo?',
}

/** Asks a model once. @returns its answer or error, and all that it passed on */
export async function askModel(model: Model, call: Partial<ModelCall>) {
  const passed = {
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
      onText: (delta) => passed.texts.push(delta),
      onReasoning: (delta, blockId) => passed.reasoning.push(`${blockId.slice(-2)} ${delta}`),
      onToolInput: ({ name, delta }) => passed.toolInput.push(`${name} ${delta}`),
      onSource: (source) => passed.sources.push(source),
      onOmit: (omission) => passed.omitted.push(omission),
      ...call,
    })
    .then(
      (round): { round?: ModelRound; error?: ModelError } => ({ round }),
      (error: unknown): { round?: ModelRound; error?: ModelError } => ({ error: error as ModelError }),
    )
  return { ...outcome, ...passed }
}
