import { readStoredJson, writeStored } from '../browser/storage.ts'

const storageKey = 'juno.model'

interface ModelChoice {
  model?: string | undefined
  effort?: string | undefined
}

/** The model and effort that were chosen last in this browser, for new chats. Not validated: the picker ignores what is not offered. */
export function readLastModel(): ModelChoice {
  const { model, effort } = (readStoredJson('local', storageKey) ?? {}) as ModelChoice
  return { model, effort }
}

/** Stores the choice for new chats of this browser. */
export const rememberModel = (choice: ModelChoice): void =>
  void writeStored('local', storageKey, JSON.stringify(choice))
