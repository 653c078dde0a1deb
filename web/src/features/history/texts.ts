import { plural, t } from '@lingui/core/macro'

// history-panel
export const title = t`Your Conversations`
export const back = t`Back to the conversations`
export const archived = t`Archived`
export const search = t`Search conversations`
export const dock = t`Keep open beside the chat`
export const undock = t`Open over the chat instead`
export const archivedCount = (count: number) =>
  plural(count, { one: '# conversation archived', other: `# conversations archived` })
export const savedCount = (count: number) =>
  plural(count, { one: '# conversation saved', other: `# conversations saved` })
export const notLoaded = t`Your conversations could not be loaded.`
export const nothingArchived = t`Nothing archived`
export const archiveHint = t`Archive a conversation from its menu. Search still finds it.`
export const noConversations = t`No conversations yet`
export const startHint = t`Start chatting to see them here!`

// unsent-chats
export const notSent = t`Not sent`
export const filesOnly = t`Files only`

// conversation-groups
export const loading = t`Loading conversations`
export const pinned = t`Pinned`

// conversation-row
export const writing = t`Writing a reply`
export const messageCount = (count: number) => plural(count, { one: '# message', other: `# messages` })
export const more = (title: string) => t`More for ${title}`
export const rename = t`Rename`
export const share = t`Share`
export const move = t`Move to project…`
export const unpin = t`Unpin`
export const pin = t`Pin`
export const restore = t`Restore`
export const archive = t`Archive`
export const print = t`Print or save as PDF…`
export const exportWord = t`Export as Word`
export const exportMarkdown = t`Export as Markdown`
export const exportJson = t`Export as JSON`
export const remove = (title: string) => t`Delete ${title}`
export const titleLabel = t`Title of the conversation`

// export-conversation
export const exporting = t`Exporting…`
export const exportFailed = t`Export failed`
export const exportFailedHint = t`The conversation is still here. Please try again.`

// more-conversations
export const moreNotLoaded = t`More conversations could not be loaded.`
export const loadingMore = t`Loading more conversations`

// use-delete-conversation
export const deleted = t`Chat deleted!`
export const notDeleted = t`Hmm, couldn't delete that`
export const notDeletedHint = t`It is still here. Please try again.`
export const removed = t`Chat removed`
export const removedHint = (title: string) => t`“${title}” will be deleted when this message closes.`
export const undo = t`Undo`

// use-update-conversation
export const notChanged = t`The conversation could not be changed`
export const restored = t`Chat restored`
export const restoredHint = (title: string) => t`“${title}” is in the list again.`
export const chatArchived = t`Chat archived`
export const archivedHint = (title: string) => t`“${title}” is in the archive.`
export const titleNotChanged = t`The title could not be changed`
