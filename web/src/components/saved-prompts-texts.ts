import { t } from '@lingui/core/macro'

export const list = t`Saved prompts`
export const none = t`No saved prompts yet.`
export const notLoaded = t`The saved prompts could not be loaded.`
export const add = t`Add prompt`
export const addTitle = t`New prompt`
export const editTitle = t`Edit prompt`
export const edit = (name: string) => t`Edit ${name}`
export const remove = (name: string) => t`Delete ${name}`
export const name = t`Name`
export const text = t`Text`
export const textHint = t`What is put into the message. You can change it before you send it.`
export const nameMissing = t`Please enter a name.`
export const textMissing = t`Please enter the text.`
export const save = t`Save`
export const removed = t`Prompt deleted`
export const notRemoved = t`The prompt could not be deleted`
export const notRestored = t`The prompt could not be restored`
export const undo = t`Undo`
