import type { Plugin } from 'vite'
import { builtInProviders } from '../functions/providers/built-in.ts'
import { toBuiltInEntry } from '../functions/registry/entry-view.ts'

const moduleId = 'virtual:built-in-catalogue'
const resolvedId = `\0${moduleId}`

/**
 * Provides the built-in catalogue entries as a virtual module, which the page loads when the catalogue
 * service does not respond.
 */
export function builtInCatalogue(): Plugin {
  return {
    name: 'built-in-catalogue',
    resolveId: (id) => (id === moduleId ? resolvedId : null),
    load: (id) =>
      id === resolvedId ? `export default ${JSON.stringify(builtInProviders.map(toBuiltInEntry))}` : null,
  }
}
