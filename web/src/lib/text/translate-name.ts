import { getCatalogue } from './language.ts'

const names = new Map(Object.entries(getCatalogue()?.names ?? {}))

/** The name of a built-in tool, or what the card, a field or the set-up of a built-in integration says. */
export const translateName = (name: string): string => names.get(name) ?? name
