import { plural, t } from '@lingui/core/macro'

// task-card
export const serverWorking = (server: string, title: string) => t`${server} is working on “${title}”`
export const serverSays = (server: string) => t`${server} says:`
export const started = (time: string, elapsed: string) => t`Started at ${time} (${elapsed} ago).`
export const pageMayClose = t`You can close this page: the reply continues when you open this chat again.`
export const keepPageOpen = t`Keep this page open: a temporary chat cannot be opened again.`
export const storedUntil = (time: string) => t`The result is available until ${time}.`
export const cancel = t`Cancel`

export const lessThanAMinute = t`less than a minute`
export const minutes = (count: number) => plural(count, { one: '# minute', other: `# minutes` })
export const hours = (count: number) => plural(count, { one: '# hour', other: `# hours` })
export const days = (count: number) => plural(count, { one: '# day', other: `# days` })
