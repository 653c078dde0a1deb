import { getOwn } from '#shared/get-own.ts'

/** Names of languages, by the extension of their files or what exports call them, where that differs. */
const languages: Readonly<Record<string, string>> = {
  py: 'python',
  js: 'javascript',
  mjs: 'javascript',
  ts: 'typescript',
  md: 'markdown',
  yml: 'yaml',
  sh: 'bash',
  rb: 'ruby',
  rs: 'rust',
  htm: 'html',
  kt: 'kotlin',
  react: 'jsx',
}

/**
 * The name of a language as a block of code has it, in lower case; a name that is not known stays.
 * @param name an extension, or what an export calls the language
 */
export const toLanguage = (name: string): string =>
  getOwn(languages, name.toLowerCase()) ?? name.toLowerCase()

/** The language of a file by the extension of its name; empty if there is none. */
export const findLanguage = (fileName: string): string =>
  toLanguage(/\.([A-Za-z0-9]{1,12})$/.exec(fileName)?.[1] ?? '')
