import { plural } from '../../../lib/plural.ts'

// task-card
export const serverWorking = (server: string, title: string) => `${server} is working on “${title}”`
export const serverSays = (server: string) => `${server} says:`
export const started = (time: string, elapsed: string) => `Started at ${time} (${elapsed} ago).`
export const pageMayClose = 'You can close this page: the reply continues when you open this chat again.'
export const keepPageOpen = 'Keep this page open: a temporary chat cannot be opened again.'
export const storedUntil = (time: string) => `The result is available until ${time}.`
export const cancel = 'Cancel'

export const lessThanAMinute = 'less than a minute'
export const minutes = (count: number) => plural(count, { one: '1 minute', other: `${count} minutes` })
export const hours = (count: number) => plural(count, { one: '1 hour', other: `${count} hours` })
export const days = (count: number) => plural(count, { one: '1 day', other: `${count} days` })
