import { modelErrors, ModelError } from './model/model-errors.ts'
import type { Model } from './model/model.ts'

/** Faults that only the people who run the product can mend. */
const theirs: readonly string[] = [
  modelErrors.key,
  modelErrors.notPermitted,
  modelErrors.notModelServer,
  modelErrors.refused,
].map(({ code }) => code)

/** What an administrator is told instead; the server's words are cleaned as for the log. */
function describeForAdministrator({ code, message: answer, rejection }: ModelError, id: string) {
  if (code === modelErrors.unknownModel.code)
    return {
      userMessage: `The model server does not know the model “${id}”. Correct OPENAI_MODEL or MODELS (on AWS openaiModel or models), and start or deploy again.`,
    }
  if (!theirs.includes(code) || !rejection) return undefined
  return { userMessage: `The model server refused the request: ${answer}` }
}

/** For administrators, who can mend it: the error names the model that its server does not know, or says what the server answered. */
export const explainToAdministrator = (model: Model, id: string): Model => ({
  ...model,
  async complete(call) {
    try {
      return await model.complete(call)
    } catch (error) {
      const described = error instanceof ModelError ? describeForAdministrator(error, id) : undefined
      if (!(error instanceof ModelError) || !described) throw error
      const { code, status, retryAfterSeconds, message, rejection } = error
      throw new ModelError({ code, status, ...described, retryAfterSeconds }, message, {
        cause: error,
        ...(rejection && { rejection }),
      })
    }
  },
})
