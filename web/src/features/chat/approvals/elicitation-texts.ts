import { t } from '@lingui/core/macro'

// elicitation-card
export const asks = (server: string) => t`${server} asks you for something`
export const forTool = (title: string) => t`To continue “${title}”.`
export const serverSays = (server: string) => t`${server} says:`
export const noSecrets = (server: string) =>
  t`What you enter goes to ${server}. Never enter passwords, keys or card numbers here.`
export const review = t`Review`
export const send = t`Send`
export const back = t`Back`
export const decline = t`Decline`
export const cancel = t`Cancel`
export const done = t`I have done it`
export const willBeSent = (server: string) => t`This is sent to ${server}:`
export const nothingToSend = t`Nothing`

// elicitation-form
export const choose = t`Choose…`
export const optional = t`optional`

// elicitation-page
export const opens = t`This page opens in a new tab:`
export const open = (host: string) => t`Open ${host}`
export const otherAlphabet = t`The name of this site is written in another alphabet. It may imitate a site that you know.`
export const checkSite = t`Sign in or pay there only if you know this site.`

// review
export const yes = t`Yes`
export const no = t`No`
export const empty = t`Left empty`
