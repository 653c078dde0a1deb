import { t } from '@lingui/core/macro'

// global-dialogs
export const keyboardShortcuts = t`Keyboard shortcuts`

// search-destinations
export const project = t`Project`
export const yourFiles = t`Your files`

// main-screen
export const reconnect = t`Reconnect`

// not-found-page
export const pageNotFound = t`Page not found`
export const pageNotFoundTitle = t`Oops! Page not found`
export const pageNotFoundHint = t`The address may be outdated or mistyped.`

// shortcuts-dialog
export const controlKey = t`Ctrl`
export const shiftKey = t`Shift`
export const searchShortcut = t`Search conversations and pages`
export const newChatShortcut = t`Start a fresh chat`
export const sendShortcut = t`Send the message`
export const newLineShortcut = t`Add a line`
export const stopShortcut = t`Stop the reply, or close what is open`
export const editShortcut = t`Edit your last message, in an empty composer`
export const quoteShortcut = t`Quote the text that is selected in a message`
export const undoShortcut = t`Undo deleting a conversation`
export const notificationsShortcut = t`Focus the notifications`
export const listShortcut = t`Show this list`

// top-bar
export const yourConversations = t`Your Conversations`
export const demoModelHint = t`Replies come from the built-in demo model until a model key is configured.`
export const demoModel = t`Demo model`
