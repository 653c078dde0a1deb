import { modelErrors, ModelError } from './model/model-errors.ts'
import type { Model } from './model/model.ts'

/** Faults that only the people who run the product can mend. */
const theirs: readonly string[] = [
  modelErrors.key,
  modelErrors.notPermitted,
  modelErrors.notModelServer,
  modelErrors.refused,
].map(({ code }) => code)

/** The sentence of a fault without what a user should do, and the server's words, cleaned as for the log. */
function describeForAdministrator({ code, userMessage, message, rejection }: ModelError, id: string) {
  if (code === modelErrors.unknownModel.code)
    return `The model server does not know the model “${id}”. Correct OPENAI_MODEL or MODELS (on AWS openaiModel or models), and start or deploy again.`
  if (!theirs.includes(code) || !rejection) return undefined
  const [what] = userMessage.split(' Please ')
  return `${what} ${message.charAt(0).toUpperCase()}${message.slice(1)}`
}

/** For administrators, who can mend it: the error names the model that its server does not know, or says what the server answered. */
export const explainToAdministrator = (model: Model, id: string): Model => ({
  ...model,
  async complete(call) {
    try {
      return await model.complete(call)
    } catch (error) {
      const userMessage = error instanceof ModelError ? describeForAdministrator(error, id) : undefined
      if (!(error instanceof ModelError) || userMessage === undefined) throw error
      const { code, status, retryAfterSeconds, message, rejection } = error
      throw new ModelError({ code, status, userMessage, retryAfterSeconds }, message, {
        cause: error,
        ...(rejection && { rejection }),
      })
    }
  },
})
