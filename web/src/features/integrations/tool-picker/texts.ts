export const title = 'Tools'
export const button = (off: number) => (off === 0 ? title : `${title}: ${off} off`)
export const count = (enabled: number, all: number) => `${enabled} of ${all}`
export const list = (name: string) => `Tools of ${name}`
export const showList = (name: string, enabled: number, all: number) =>
  `${list(name)}, ${count(enabled, all)}`
export const hint = 'For this conversation, from the next message on. New connections are on.'
export const tooMany = 'So many single tools cannot be turned off. Turn off a whole connection instead.'
