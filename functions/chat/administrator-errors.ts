import { modelAdministratorSentences } from '#shared/sentences/model.ts'
import { defineSentences } from '#shared/sentences/to-sentence.ts'
import { modelErrors, ModelError } from '../models/model-errors.ts'
import type { Model } from '../models/model.ts'

const say = defineSentences(modelAdministratorSentences)

/** Codes of faults that only administrators or operators can mend. */
const administratorCodes = [
  modelErrors.key,
  modelErrors.notPermitted,
  modelErrors.notModelServer,
  modelErrors.refused,
].map(({ code }) => code)

/**
 * Says what the model server answered, which users are not told. The answer is cleaned as for the log.
 * @returns undefined for faults that are described alike to everybody
 */
function describeForAdministrator({ code, message: answer, rejection }: ModelError, id: string) {
  if (code === modelErrors.unknownModel.code) return say('model_unknown.administrator', { id })
  const found = administratorCodes.find((one) => one === code)
  return found && rejection && say(`${found}.administrator`, { answer })
}

/**
 * Wraps a model for a chat of an administrator, who can mend its settings: its errors name a model that the server does not know, or quote
 * what the server answered.
 * @param id of the model, as administrators know it
 */
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
