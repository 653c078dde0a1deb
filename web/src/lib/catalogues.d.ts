declare module 'virtual:catalogues/' {
  /** Translations, compiled by `web/translation`. */
  export interface Catalogue {
    /** of the page's messages, by id, and of the service's sentences, by their English text */
    readonly messages: import('@lingui/core').Messages
    /** of errors with one sentence, by the code of the error contract */
    readonly codes: Readonly<Record<string, string>>
    /** of sentences with names and numbers: the English texts between them, and the translation with their positions */
    readonly patterns: readonly (readonly [readonly string[], readonly (string | number)[]])[]
  }
  const catalogues: Readonly<Record<string, (() => Promise<{ default: Catalogue }>) | undefined>>
  export default catalogues
}
