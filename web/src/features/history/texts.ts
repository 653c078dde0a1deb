import { plural } from '../../lib/plural.ts'

// history-panel
export const title = 'Your Conversations'
export const back = 'Back to the conversations'
export const archived = 'Archived'
export const search = 'Search conversations'
export const dock = 'Keep open beside the chat'
export const dockOffer = 'With the list beside the chat, Start Fresh Chat is always in view.'
export const notNow = 'Not now'
export const archivedCount = (count: number) =>
  plural(count, { one: '1 conversation archived', other: `${count} conversations archived` })
export const savedCount = (count: number) =>
  plural(count, { one: '1 conversation saved', other: `${count} conversations saved` })
export const notLoaded = 'Your conversations could not be loaded.'
export const nothingArchived = 'Nothing archived'
export const archiveHint = 'Archive a conversation from its menu. Search still finds it.'
export const noConversations = 'No conversations yet'
export const startHint = 'Start chatting to see them here!'

// conversation-groups
export const loading = 'Loading conversations'
export const pinned = 'Pinned'

// conversation-row
export const messageCount = (count: number) => plural(count, { one: '1 message', other: `${count} messages` })
export const more = (title: string) => `More for ${title}`
export const rename = 'Rename'
export const share = 'Share'
export const move = 'Move to project…'
export const unpin = 'Unpin'
export const pin = 'Pin'
export const restore = 'Restore'
export const archive = 'Archive'
export const exportMarkdown = 'Export as Markdown'
export const exportJson = 'Export as JSON'
export const remove = (title: string) => `Delete ${title}`
export const titleLabel = 'Title of the conversation'

// docked-panel
export const closePanel = 'Close conversations'

// export-conversation
export const exporting = 'Exporting…'
export const exportFailed = 'Export failed'
export const exportFailedHint = 'The conversation is still here. Please try again.'

// more-conversations
export const moreNotLoaded = 'More conversations could not be loaded.'
export const loadingMore = 'Loading more conversations'

// use-delete-conversation
export const deleted = 'Chat deleted!'
export const notDeleted = "Hmm, couldn't delete that"
export const notDeletedHint = 'It is still here. Please try again.'
export const removed = 'Chat removed'
export const removedHint = (title: string) => `“${title}” will be deleted when this message closes.`
export const undo = 'Undo'

// use-update-conversation
export const notChanged = 'The conversation could not be changed'
export const restored = 'Chat restored'
export const restoredHint = (title: string) => `“${title}” is in the list again.`
export const chatArchived = 'Chat archived'
export const archivedHint = (title: string) => `“${title}” is in the archive.`
export const titleNotChanged = 'The title could not be changed'
