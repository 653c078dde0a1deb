declare module 'virtual:catalogues/' {
  /** Translations into a language, compiled by `web/translation`. */
  export interface Catalogue {
    /** by the messages' ids */
    readonly messages: import('@lingui/core').Messages
    /** templates of what the service says, by their ids */
    readonly sentences: Readonly<Record<string, string>>
    /** by the English name */
    readonly names: Readonly<Record<string, string>>
  }
  const catalogues: Readonly<Record<string, (() => Promise<{ default: Catalogue }>) | undefined>>
  export default catalogues
}
