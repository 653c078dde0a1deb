import { readFile } from 'node:fs/promises'
import { unzipSync } from 'fflate'

/**
 * Gives pdf.js its CMaps: tables that map the codes of Chinese, Japanese and Korean fonts to characters. The archive is read when a
 * document needs the first one.
 */
export class CMapFactory {
  #archive: Promise<Uint8Array> | undefined

  /** @throws Error for other data, such as fonts, which reading text does not need */
  async fetch({ kind, filename }: { kind: string; filename: string }): Promise<Uint8Array> {
    if (kind !== 'cMapUrl') throw new Error(`no ${kind}`)
    this.#archive ??= readFile(new URL('./cmaps.zip', import.meta.url))
    const { [filename]: table } = unzipSync(await this.#archive, { filter: ({ name }) => name === filename })
    if (!table) throw new Error(`no CMap ${filename}`)
    return table
  }
}
