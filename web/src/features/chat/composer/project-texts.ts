export const project = (name: string) => `Project: ${name}`
