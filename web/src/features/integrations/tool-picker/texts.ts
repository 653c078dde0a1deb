import { plural, t } from '@lingui/core/macro'

export const title = t`Tools in this chat`
export const button = (off: number) => (off === 0 ? title : t`Tools in this chat: ${off} off`)
export const projectTitle = t`Tools of new conversations`
export const projectButton = (off: number) =>
  off === 0 ? t`All tools are on` : plural(off, { one: '# tool is off', other: '# tools are off' })
export const projectHint = t`New connections are on by default.`
export const count = (enabled: number, all: number) => t`${enabled} of ${all}`
export const list = (name: string) => t`Tools of ${name}`
export const showList = (name: string, enabled: number, all: number) =>
  t`Tools of ${name}, ${enabled} of ${all}`
export const hint = t`For this conversation, starting with your next message. New connections are on by default.`
export const tooMany = t`That is too many single tools to turn off. Turn off a whole connection instead.`
