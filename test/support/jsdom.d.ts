/** What the tests use of a package that has no types of its own. */
declare module 'jsdom' {
  export class JSDOM {
    constructor(html: string, options: { url: string })
    readonly window: typeof globalThis & Window
  }
}
