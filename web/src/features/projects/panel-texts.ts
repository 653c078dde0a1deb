export const showAll = (count: number) => `Show all ${count}`
export const movedTo = (projectName: string) => `Moved to ${projectName}`
