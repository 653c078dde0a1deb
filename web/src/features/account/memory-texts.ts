// memory-card
export const title = 'Memory'
export const switchLabel = 'Remember facts about me'
export const switchHint = (assistantName: string) =>
  `${assistantName} remembers facts that you tell it, and uses them in all saved conversations. Each reply shows what it remembered, with Undo. When off, the list below stays and is not used. Temporary chats never use it.`
export const allTemporary =
  'All your chats are temporary, because “Keep conversations” is off. So memory is not used.'
export const notSwitched = 'Update failed'

// memory-list
export const listTitle = (assistantName: string) => `What ${assistantName} remembers`
export const count = (entries: number, max: number) => `${entries} of ${max}`
export const loading = 'Loading the memory'
export const notLoaded = 'The memory could not be loaded.'
export const empty = 'Nothing yet.'
export const emptyHint = (assistantName: string) =>
  `Nothing yet. Tell ${assistantName} in a chat to remember something, or add it here.`
export const addedOn = (day: string) => `Since ${day}`
export const edit = (text: string) => `Edit: ${text}`
export const remove = (text: string) => `Delete: ${text}`
export const removed = 'Memory deleted'
export const undo = 'Undo'
export const notRemoved = 'The memory was not deleted'
export const notRestored = 'The memory was not restored'
export const deleteAll = 'Delete all'
export const deleteAllTitle = (entries: number) =>
  entries === 1 ? 'Delete this memory?' : `Delete all ${entries} memories?`
export const deleteAllHint = 'Your conversations stay, with what was said there. This cannot be undone.'
export const notCleared = 'The memory was not deleted'

// memory-form
export const newLabel = 'Add a memory'
export const placeholder = 'For example: I am allergic to peanuts.'
export const add = 'Add'
export const editLabel = 'Edit the memory'
export const save = 'Save'
export const changedElsewhere = (text: string) =>
  `It was changed elsewhere to “${text}”. Save again to replace that.`
export const deletedElsewhere = 'It was deleted elsewhere. Save again to add it back.'
export const leaveHint = 'Your changes to the memory are not saved yet.'
