import { plural, t } from '@lingui/core/macro'

// memory-card
export const title = t`Memory`
export const switchLabel = t`Remember facts about me`
export const switchHint = (assistantName: string) =>
  t`${assistantName} remembers facts that you tell it, and uses them in all saved conversations. Each reply shows what it remembered, with Undo. When off, the list below stays and is not used. Temporary chats never use it.`
export const allTemporary = t`All your chats are temporary, because “Keep conversations” is off. So memory is not used.`
export const notSwitched = t`Update failed`

// memory-list
export const listTitle = (assistantName: string) => t`What ${assistantName} remembers`
export const count = (entries: number, max: number) => t`${entries} of ${max}`
export const loading = t`Loading the memory`
export const notLoaded = t`The memory could not be loaded.`
export const empty = t`Nothing yet.`
export const emptyHint = (assistantName: string) =>
  t`Nothing yet. Tell ${assistantName} in a chat to remember something, or add it here.`
export const addedOn = (day: string) => t`Since ${day}`
export const edit = (text: string) => t`Edit: ${text}`
export const remove = (text: string) => t`Delete: ${text}`
export const removed = t`Memory deleted`
export const undo = t`Undo`
export const notRemoved = t`The memory was not deleted`
export const notRestored = t`The memory was not restored`
export const deleteAll = t`Delete all`
export const deleteAllTitle = (entries: number) =>
  plural(entries, { 1: 'Delete this memory?', one: 'Delete # memory?', other: 'Delete all # memories?' })
export const deleteAllHint = t`Your conversations stay, with what was said there. This cannot be undone.`

// memory-form
export const newLabel = t`Add a memory`
export const placeholder = t`For example: I am allergic to peanuts.`
export const add = t`Add`
export const editLabel = t`Edit the memory`
export const save = t`Save`
export const changedElsewhere = (text: string) =>
  t`It was changed elsewhere to “${text}”. Save again to replace that.`
export const deletedElsewhere = t`It was deleted elsewhere. Save again to add it back.`
