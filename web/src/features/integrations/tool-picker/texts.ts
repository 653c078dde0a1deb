export const title = 'Tools in this chat'
export const button = (off: number) => (off === 0 ? title : `${title}: ${off} off`)
export const count = (enabled: number, all: number) => `${enabled} of ${all}`
export const list = (name: string) => `Tools of ${name}`
export const showList = (name: string, enabled: number, all: number) =>
  `${list(name)}, ${count(enabled, all)}`
export const hint =
  'For this conversation, starting with your next message. New connections are on by default.'
export const tooMany = 'That is too many single tools to turn off. Turn off a whole connection instead.'
