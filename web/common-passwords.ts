import { readFile } from 'node:fs/promises'
import type { Plugin } from 'vite'
import { selectCommonPasswords } from '#shared/common-passwords.ts'

/** Cuts the list of passwords in a package to those that the page refuses, in an order that compresses well. */
export const commonPasswords = (): Plugin => ({
  name: 'common-passwords',
  async load(id) {
    if (!id.endsWith('/@zxcvbn-ts/language-common/src/passwords.json')) return null
    const all = JSON.parse(await readFile(id, 'utf8')) as string[]
    return JSON.stringify(selectCommonPasswords(all).toSorted())
  },
})
