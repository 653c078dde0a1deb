/** The built-in entries, provided at build time by `web/built-in-catalogue.ts`. */
declare module 'virtual:built-in-catalogue' {
  import type { RegistryEntry } from '#shared/contracts/registry.ts'
  const entries: readonly RegistryEntry[]
  export default entries
}
