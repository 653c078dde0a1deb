// app-card
export const show = (server: string) => `Show app from ${server}`
export const title = (server: string) => `App from ${server}`
export const isolated = 'Runs on its own, without access to this page'
export const close = 'Close app'
export const firstTime = (server: string) =>
  `${server} has an app that shows this result. It runs on its own and cannot see this page or your other chats. It gets what this call was sent and what it returned. It was made by ${server}: do not enter passwords in it.`
export const reaches = 'It connects to:'
export const showIt = 'Show app'
export const notNow = 'Not now'
export const loading = 'Loading the app'
export const tryAgain = 'Try again'
export const closedTakeover = (server: string) =>
  `The app from ${server} was closed: it took the keyboard while you were elsewhere on this page.`
export const closedBlocked = 'Apps are closed while a dialog or a field for a password or key is shown.'

// app-frame
export const useApp = (server: string) => `Use app from ${server}`
export const notAsked = 'Not done: another request of this app waits for the user, or this one was withdrawn.'
export const toolChanged = 'Not done: the tool has changed meanwhile. Try again.'

// app-question-card
export const ask = (tool: string, server: string) => `${tool} with ${server}?`
export const callHint = (server: string) =>
  `The app from ${server} wants to do this. This is exactly what will be sent:`
export const noArguments = 'No arguments'
export const linkTitle = (server: string) => `The app from ${server} wants to open a page`
export const open = (host: string) => `Open ${host}`
export const messageTitle = (server: string) => `The app from ${server} suggests a message`
export const messageHint = 'It is put into the message field. You decide whether to send it.'
export const use = 'Use text'
export const dismiss = 'Dismiss'
