// global-dialogs
export const keyboardShortcuts = 'Keyboard shortcuts'

// main-screen
export const reconnect = 'Reconnect'

// not-found-page
export const pageNotFound = 'Page not found'
export const pageNotFoundTitle = 'Oops! Page not found'
export const pageNotFoundHint = 'The address may be outdated or mistyped.'

// shortcuts-dialog
export const searchShortcut = 'Search conversations and pages'
export const newChatShortcut = 'Start a fresh chat'
export const sendShortcut = 'Send the message'
export const newLineShortcut = 'Add a line'
export const stopShortcut = 'Stop the reply, or close what is open'
export const editShortcut = 'Edit your last message, in an empty composer'
export const quoteShortcut = 'Quote the text that is selected in a message'
export const undoShortcut = 'Undo deleting a conversation'
export const notificationsShortcut = 'Focus the notifications'
export const listShortcut = 'Show this list'

// top-bar
export const yourConversations = 'Your Conversations'
export const demoModelHint = 'Replies come from the built-in demo model until a model key is configured.'
export const demoModel = 'Demo model'
