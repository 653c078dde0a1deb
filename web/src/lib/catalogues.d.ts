declare module 'virtual:catalogues/' {
  /** Translations into a language, compiled by `web/translation`. */
  export interface Catalogue {
    /** by the messages' ids, and by the English sentences of the service */
    readonly messages: import('@lingui/core').Messages
    /** @returns a sentence of the service in the language; unchanged if it is not known */
    readonly translateSentence: (sentence: string, code?: string) => string
  }
  const catalogues: Readonly<Record<string, (() => Promise<{ default: Catalogue }>) | undefined>>
  export default catalogues
}
