import { t } from '@lingui/core/macro'

// app-card
export const show = (server: string) => t`Show app from ${server}`
export const title = (server: string) => t`App from ${server}`
export const isolated = t`Runs on its own, without access to this page`
export const close = t`Close app`
export const firstTime = (server: string) =>
  t`${server} has an app that shows this result. It runs on its own and cannot see this page or your other chats. It gets what this call was sent and what it returned. It was made by ${server}: do not enter passwords in it.`
export const reaches = t`It connects to:`
export const showIt = t`Show app`
export const notNow = t`Not now`
export const loading = t`Loading the app`
export const tryAgain = t`Try again`
export const closedTakeover = (server: string) =>
  t`The app from ${server} was closed: it took the keyboard while you were elsewhere on this page.`
export const closedBlocked = t`Apps are closed while a dialog or a field for a password or key is shown.`

// app-frame
export const useApp = (server: string) => t`Use app from ${server}`
export const notAsked = t`Not done: another request of this app waits for the user, or this one was withdrawn.`
export const toolChanged = t`Not done: the tool has changed meanwhile. Try again.`

// app-bridge
export const dialogLabels = { ok: t`OK`, cancel: t`Cancel` }

// app-question-card
export const ask = (tool: string, server: string) => t`${tool} with ${server}?`
export const callHint = (server: string) =>
  t`The app from ${server} wants to do this. This is exactly what will be sent:`
export const noArguments = t`No arguments`
export const linkTitle = (server: string) => t`The app from ${server} wants to open a page`
export const open = (host: string) => t`Open ${host}`
export const messageTitle = (server: string) => t`The app from ${server} suggests a message`
export const messageHint = t`It is put into the message field. You decide whether to send it.`
export const use = t`Use text`
export const dismiss = t`Dismiss`
