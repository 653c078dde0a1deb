export const title = 'Tools'
export const button = (off: number) => (off === 0 ? 'Tools: all on' : `Tools: ${off} off`)
export const off = (count: number) => `${count} off`
export const count = (enabled: number, all: number) => `${enabled} of ${all}`
export const showTools = (name: string) => `Tools of ${name}`
export const hint = 'For this conversation, from the next message on. New connections are on.'
export const tooMany = 'So many single tools cannot be turned off. Turn off a whole connection instead.'
