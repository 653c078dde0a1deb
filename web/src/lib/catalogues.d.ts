declare module 'virtual:catalogues/' {
  /** Translations into a language, compiled by `web/translation`. */
  export interface Catalogue {
    /** by the messages' ids */
    readonly messages: import('@lingui/core').Messages
    /** @returns what the service says; undefined if the code is not known */
    readonly translateCode: (coded: import('../lib/translate-code.ts').ReceivedCode) => string | undefined
    readonly translateName: (name: string) => string | undefined
  }
  const catalogues: Readonly<Record<string, (() => Promise<{ default: Catalogue }>) | undefined>>
  export default catalogues
}
