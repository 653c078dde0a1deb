import { modelAdministratorSentences } from '#shared/sentences/model.ts'
import { defineSentences } from '#shared/sentences/to-sentence.ts'
import { modelErrors, ModelError } from '../models/model-errors.ts'
import type { Model } from '../models/model.ts'

const say = defineSentences(modelAdministratorSentences)

/** Faults that only the people who run the product can mend. */
const theirs = [
  modelErrors.key,
  modelErrors.notPermitted,
  modelErrors.notModelServer,
  modelErrors.refused,
].map(({ code }) => code)

/** What an administrator is told instead; the server's words are cleaned as for the log. */
function describeForAdministrator({ code, message: answer, rejection }: ModelError, id: string) {
  if (code === modelErrors.unknownModel.code) return say('model_unknown.administrator', { id })
  const found = theirs.find((one) => one === code)
  return found && rejection && say(`${found}.administrator`, { answer })
}

/** For administrators, who can mend it: the error names the model that its server does not know, or says what the server answered. */
export const explainToAdministrator = (model: Model, id: string): Model => ({
  ...model,
  async complete(call) {
    try {
      return await model.complete(call)
    } catch (error) {
      const sentence = error instanceof ModelError ? describeForAdministrator(error, id) : undefined
      if (!(error instanceof ModelError) || !sentence) throw error
      const { status, retryAfterSeconds, message, rejection } = error
      throw new ModelError({ status, sentence, retryAfterSeconds }, message, {
        cause: error,
        ...(rejection && { rejection }),
      })
    }
  },
})
